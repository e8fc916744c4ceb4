#!/bin/sh
# Builds the kernel that tests/proofs/kernel/run.sh boots, and prints where it is: an ordinary program (User-Mode Linux).
#
#   tests/proofs/kernel/build.sh [OPTIONS]
#
# OPTIONS is a file of options beside those of kernel.config.
#
# The source is Debian's package linux-source-6.12, fetched and checked by apt, and in it our own wire.c. The result
# is kept in YARDBOARD_CACHE (.cache of this repository unless told), named by a hash of all that it is built from; a
# second call costs nothing. What is needed to build tests/tools/install_debian_packages.sh installs where it may.
set -eu

SOURCE=linux-source-6.12

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
cache=${YARDBOARD_CACHE:-$here/../../../.cache}/kernel

say() { echo "tests/proofs/kernel/build.sh: $*" >&2; }

[ "$(uname -sm)" = "Linux x86_64" ] || {
  say "User-Mode Linux runs on Linux on x86-64 only, and this is $(uname -sm)"
  exit 1
}
mkdir -p "$cache"
cache=$(CDPATH='' cd -- "$cache" && pwd)
options=$(cat "$here/kernel.config" "${1:-/dev/null}")
key=$(cd "$here" && { sha256sum build.sh wire.c; echo "$options"; } | sha256sum | cut -c 1-12)
kernel=$cache/linux-$key
# Several may ask at once: one builds, the others wait.
exec 9>"$cache/lock"
flock 9
if [ -x "$kernel" ]; then
  echo "$kernel"
  exit
fi

"$here/../../tools/install_debian_packages.sh" kernel
[ "$(id -u)" != 0 ] || apt-get update -qq >&2  # or the source's name may be out of date

work=$(mktemp -d "$cache/build.XXXXXX")
trap 'rm -rf "$work"' EXIT INT TERM
cd "$work"
say "fetching $SOURCE"
# As root, apt would complain that its own user cannot write here.
apt-get download -qq -o APT::Sandbox::User=root "$SOURCE" >&2 || {
  say "cannot fetch it; it is in Debian 13, and in the security updates of Debian 12 (try: sudo apt update)"
  exit 1
}
# A third of its files will do, and 60,000 files are a long wait for a slow disk.
set -- '*/Documentation/*/*' '*/arch/[!ux]*/*.[chS]' '*.dts' '*.dtsi' '*/tools/testing/*' '*/tools/perf/*' '*/sound/*.[ch]'
for folder in clk crypto gpu iio infiniband media net pinctrl scsi staging video; do
  set -- "$@" "*/drivers/$folder/*/*.[ch]"
done
printf '%s\n' "$@" >unneeded
dpkg-deb --fsys-tarfile ./*.deb | tar -xO "./usr/src/$SOURCE.tar.xz" | tar -xJ --exclude-from unneeded
cd "$SOURCE"
cp "$here/wire.c" drivers/wire.c
echo 'obj-y += wire.o' >>drivers/Makefile
# Room for all registers of a processor with AMX (11,008 bytes): what is set has to be whole, or it is refused (EFAULT).
sed -i 's/HOST_FP_SIZE, 2696/HOST_FP_SIZE, 12288/' arch/x86/um/user-offsets.c
grep -q 'HOST_FP_SIZE, 12288' arch/x86/um/user-offsets.c || { say "this source keeps registers in another way"; exit 1; }

say "building $(make -s kernelversion) (two to four minutes); what is said meanwhile goes to $cache/log"
echo "$options" >wanted
# An option whose conditions are not met is left out in silence, and looked for here.
{
  KCONFIG_ALLCONFIG=$PWD/wanted make -s ARCH=um allnoconfig \
    && ! grep '^CONFIG_' wanted | grep -vxFf .config | sed 's/^/not in this kernel: /' | grep . \
    && nice -n 10 make -s ARCH=um -j "$(nproc)" linux
} >"$cache/log" 2>&1 || {
  tail -n 30 "$cache/log" >&2
  say "the build failed"
  exit 1
}
strip -o "$work/done" linux
mv "$work/done" "$kernel"
echo "$kernel"

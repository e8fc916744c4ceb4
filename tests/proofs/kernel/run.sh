#!/bin/sh
# Boots a kernel of our own as an ordinary program, twice: tests/proofs/kernel/guest is run on its pins, buses and USB,
# and then tests/proofs/kernel/service on a machine that systemd runs, with the table as its service.
#
#   tests/proofs/kernel/run.sh PYTHON
#
# PYTHON is the interpreter of an environment with the package and its dev extra in it. Nothing here wants root,
# unless something must be installed first. The kernel's memory is a file of 384 MB in TMPDIR, or else in /dev/shm.
set -eu

RPI_LGPIO=0.6
SECONDS_AT_MOST=900

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
python=$(command -v "$1")
python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python")
say() { echo "tests/proofs/kernel/run.sh: $*" >&2; }

"$here/../../tools/install_debian_packages.sh" kernel
kernel=$("$here/build.sh")

# Apart from the environment: it bears the name of RPi.GPIO.
packages=$(dirname "$kernel")/rpi-lgpio-$RPI_LGPIO
if [ ! -d "$packages" ]; then
  "$python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$packages.new" "rpi-lgpio==$RPI_LGPIO"
  mv "$packages.new" "$packages"
fi

report=$(mktemp -d)
trap 'rm -rf "$report"' EXIT INT TERM

# Its processes take turns. On one core of a virtual machine they do so several times faster than on two that sleep.
core=$(taskset -cp $$ | sed 's/.*[ ,-]//')

# boot INIT [WORD...]: the tests that this first process runs, on a kernel with further words on its command line.
boot() {
  init=$1
  shift
  rm -f "$report/result"
  timeout "$SECONDS_AT_MOST" taskset -c "$core" "$kernel" mem=384M uml_dir="$report" loglevel=4 "$@" \
    rootfstype=hostfs rootflags=/ ro init="$here/$init" PYTHON="$python" PACKAGES="$packages" REPORT="$report" \
    </dev/null 2>"$report/boot" || {
    [ $? -ne 124 ] || say "$init: not through after $SECONDS_AT_MOST s"
  }
  [ "$(cat "$report/result" 2>/dev/null)" = passed ] || {
    cat "$report/boot" >&2
    say "$init: failed"
    exit 1
  }
}

boot guest/init dummy_hcd.num=1
# Here time passes only while everything waits: no figure and no patience depends on what else the host has to do.
boot service/init time-travel=inf-cpu

#!/bin/sh
# Boots a kernel of our own as an ordinary program and runs tests/kernel/guest in it, on its pins, buses and USB.
#
#   tests/kernel/run.sh PYTHON
#
# PYTHON is the interpreter of an environment with the package and its dev extra in it. Nothing here wants root,
# unless something must be installed first. The kernel's memory is a file of 256 MB in TMPDIR, or else in /dev/shm.
set -eu

RPI_LGPIO=0.6
SECONDS_AT_MOST=300

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
python=$(command -v "$1")
say() { echo "tests/kernel/run.sh: $*" >&2; }

kernel=$("$here/build.sh")

if [ ! -x /lib/systemd/systemd-udevd ]; then
  [ "$(id -u)" = 0 ] || { say "udev is missing; install it (on Debian: sudo apt install udev)" && exit 1; }
  apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends udev >&2
fi

# Apart from the environment: it bears the name of RPi.GPIO.
packages=$(dirname "$kernel")/rpi-lgpio-$RPI_LGPIO
if [ ! -d "$packages" ]; then
  "$python" -m pip install --quiet --disable-pip-version-check --no-deps --target "$packages.new" "rpi-lgpio==$RPI_LGPIO"
  mv "$packages.new" "$packages"
fi

report=$(mktemp -d)
trap 'rm -rf "$report"' EXIT INT TERM
timeout "$SECONDS_AT_MOST" "$kernel" mem=256M uml_dir="$report" loglevel=4 dummy_hcd.num=1 \
  rootfstype=hostfs rootflags=/ ro init="$here/init" \
  PYTHON="$(cd "$(dirname "$python")" && pwd)/$(basename "$python")" PACKAGES="$packages" REPORT="$report" \
  </dev/null 2>"$report/boot" || :
[ "$(cat "$report/result" 2>/dev/null)" = passed ] || {
  cat "$report/boot" >&2
  say "failed"
  exit 1
}

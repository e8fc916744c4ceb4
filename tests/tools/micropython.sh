#!/bin/sh
# Builds MicroPython's unix port, which runs the microcontroller's program in the tests, and prints where it is.
#
#   tests/tools/micropython.sh
#
# The source is Debian's, fetched from YARDBOARD_DEBIAN_MIRROR (http://deb.debian.org/debian unless told) and
# checked against the sum below. The result is kept in YARDBOARD_CACHE (.cache of this repository unless told);
# a second call costs nothing. What is needed to build install_debian_packages.sh installs where it may.
set -eu

VERSION=1.25.0
ARCHIVE=micropython_${VERSION}+ds.orig.tar.xz
SHA256=7b25be99a502f070b2de81dafc08da7051d992325d6e67daa9045a918fffdbea
MIRROR=${YARDBOARD_DEBIAN_MIRROR:-http://deb.debian.org/debian}

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
cache=${YARDBOARD_CACHE:-$root/.cache}/micropython
binary=$cache/micropython-$VERSION

say() { echo "micropython.sh: $*" >&2; }

mkdir -p "$cache"
# Several test processes may ask at once: one builds, the others wait.
exec 9>"$cache/lock"
flock 9
if [ ! -x "$binary" ]; then
  "$root/tests/tools/install_debian_packages.sh" micropython
  work=$(mktemp -d "$cache/build.XXXXXX")
  trap 'rm -rf "$work"' EXIT INT TERM
  say "fetching $MIRROR/pool/main/m/micropython/$ARCHIVE"
  curl -fsSL --retry 3 --max-time 300 -o "$work/$ARCHIVE" "$MIRROR/pool/main/m/micropython/$ARCHIVE" || {
    say "cannot fetch it; set YARDBOARD_DEBIAN_MIRROR to a mirror that has it"
    exit 1
  }
  echo "$SHA256  $work/$ARCHIVE" | sha256sum --check --quiet - >&2 || {
    say "$ARCHIVE is not the file this was written for; nothing was built"
    exit 1
  }
  tar -xJf "$work/$ARCHIVE" -C "$work"
  say "building (half a minute)"
  # Told its version, the build does not ask git for that of the repository around it.
  if ! MICROPY_GIT_TAG=v$VERSION MICROPY_GIT_HASH=0 make -C "$work/micropython-$VERSION/ports/unix" -j "$(nproc)" \
    MICROPY_PY_BTREE=0 MICROPY_PY_FFI=0 MICROPY_PY_SSL=0 FROZEN_MANIFEST= >"$work/log" 2>&1; then
    tail -n 30 "$work/log" >&2
    say "the build failed"
    exit 1
  fi
  cp "$work/micropython-$VERSION/ports/unix/build-standard/micropython" "$work/done"
  mv "$work/done" "$binary"
fi
echo "$binary"

#!/bin/sh
# Installs what Debian has to give the tests, and nothing that is there already.
#
#   tests/tools/install_debian_packages.sh [test|micropython|kernel]
#
# As root, or with a sudo that asks for no password, apt installs it; otherwise the one command that does is told, and
# the status is 1. Without a word it is what `make test` needs. This is the only list of these packages.
set -eu

# A program or a file that has to be there, and the packages that bring it.
needed() {
  case $1 in
    test)
      echo "chromium chromium-headless-shell fonts-dejavu-core"  # the pages are played in it; the font is theirs
      echo "firefox firefox-esr"  # so are some of them
      echo "systemd-analyze systemd"  # reads the service's unit
      echo "Python.h python3-dev"  # RPi.GPIO is compiled
      needed micropython  # built before the first test; the disk that fails is built by its compiler, too
      ;;
    micropython)
      echo "gcc gcc"
      echo "/usr/include/stdio.h libc6-dev"
      echo "make make"
      echo "python3 python3"
      echo "xz xz-utils"
      echo "curl curl ca-certificates"
      ;;
    kernel)
      echo "gcc gcc"
      echo "/usr/include/stdio.h libc6-dev"
      echo "make make"
      echo "flex flex"
      echo "bison bison"
      echo "bc bc"
      echo "xz xz-utils"
      echo "dpkg-deb dpkg"
      echo "/lib/systemd/systemd systemd"
      echo "/lib/systemd/systemd-udevd udev"
      ;;
    *)
      echo "install_debian_packages.sh: '$1' is none of: test, micropython, kernel" >&2
      exit 2
      ;;
  esac
}

there() {
  case $1 in
    /*) [ -e "$1" ] ;;
    Python.h) [ -e "$("${PYTHON:-python3}" -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" ] ;;
    chromium)  # any will do; the headless shell takes a third of the others' time
      [ -n "${CHROMIUM:-}" ] || command -v chromium-headless-shell || command -v chromium || command -v chromium-browser
      ;;
    firefox) [ -n "${FIREFOX:-}" ] || command -v firefox-esr || command -v firefox ;;
    *) command -v "$1" ;;
  esac >/dev/null
}

list=$(needed "${1:-test}")
missing=$(echo "$list" | while read -r wanted packages; do there "$wanted" || echo "$packages"; done)
missing=$(echo $missing)  # in one line
[ -n "$missing" ] || exit 0

if command -v apt-get >/dev/null; then
  sudo=none
  if [ "$(id -u)" = 0 ]; then
    sudo=
  elif sudo -n true 2>/dev/null; then
    sudo='sudo -n'
  fi
  if [ "$sudo" != none ]; then
    echo "installing $missing" >&2
    $sudo apt-get update -qq >&2
    # shellcheck disable=SC2086  # lists of words
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >&2
    exit 0
  fi
fi
echo "please install first what the tests need: sudo apt install --no-install-recommends $missing" >&2
exit 1

#!/bin/sh
# Installs what the tests need of Debian, and nothing that is there already.
#
#   tests/tools/install_debian_packages.sh [test|kernel|kicad|prometheus]
#
# As root, or with a sudo that asks for no password, apt installs it. Otherwise the script prints the one command that
# does, or without apt a list of the things themselves, and ends with status 1. Without a word it is what `make test`
# needs. This is the only list of these packages.
set -eu

# Lines of: a program or a file that has to be there|the packages that bring it|what it is, for systems without apt.
needed() {
  case $1 in
    test)
      echo "chromium|chromium-headless-shell fonts-dejavu-core|Chromium (any; CHROMIUM names it)"  # plays the pages
      echo "firefox|firefox-esr|Firefox (any; FIREFOX names it)"  # plays some of them
      echo "systemd-analyze|systemd|systemd-analyze"  # reads the service's unit
      echo "bwrap|bubblewrap|bubblewrap (bwrap)"  # shuts players' programs in
      echo "mosquitto|mosquitto|Mosquitto"  # the broker of a smart home
      echo "openssl|openssl|openssl"  # its certificates
      echo "gcc|gcc|gcc"  # compiles RPi.GPIO, and the disk that fails
      echo "/usr/include/stdio.h|libc6-dev|the C library's headers"
      echo "Python.h|python3-dev|Python's headers (Python.h)"
      # Compiles lgpio, of which there is no wheel for this Python.
      "${PYTHON:-python3}" -c 'import sys; sys.exit(sys.version_info < (3, 13))' && echo "swig|swig|swig"
      # Elsewhere the dependency group `dev` brings it, as a wheel.
      [ "$(uname -m)" = x86_64 ] || echo "micropython|micropython|MicroPython's unix port (micropython)"
      ;;
    kernel)
      echo "gcc|gcc|gcc"
      echo "/usr/include/stdio.h|libc6-dev|the C library's headers"
      echo "make|make|make"
      echo "flex|flex|flex"
      echo "bison|bison|bison"
      echo "bc|bc|bc"
      echo "xz|xz-utils|xz"
      echo "dpkg-deb|dpkg|dpkg-deb"
      echo "/lib/systemd/systemd|systemd|systemd"
      echo "/lib/systemd/systemd-udevd|udev|udev"
      ;;
    kicad) echo "kicad-cli|kicad|KiCad 9 (kicad-cli)" ;;  # checks the boards of `yardboard make`; Debian 12 has only KiCad 6
    prometheus) echo "promtool|prometheus|promtool (of Prometheus)" ;;  # checks the metrics and the alert rules
    *)
      echo "install_debian_packages.sh: unknown part '$1'; parts are test, kernel, kicad, prometheus" >&2
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
    mosquitto) command -v mosquitto || [ -x /usr/sbin/mosquitto ] ;;  # where not everyone looks
    *) command -v "$1" ;;
  esac >/dev/null
}

system=$(uname -s)
if [ "$system" != Linux ]; then
  echo "the tests run on Linux only, and this is $system: use a Linux in a virtual machine or a container" >&2
  exit 1
fi

list=$(needed "${1:-test}")
missing='' things=''
while IFS='|' read -r wanted packages thing; do
  there "$wanted" || missing="$missing $packages" things="$things
  $thing"
done <<END
$list
END
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
  echo "the tests need these, which this machine lacks; install them with its package manager:$things" >&2
  exit 1
fi
sudo=none
if [ "$(id -u)" = 0 ]; then
  sudo=
elif sudo -n true 2>/dev/null; then
  sudo='sudo -n'
fi
if [ "$sudo" = none ]; then
  echo "please install first what the tests need: sudo apt install --no-install-recommends$missing" >&2
  exit 1
fi
echo "installing$missing" >&2
$sudo apt-get update -qq >&2
# shellcheck disable=SC2086  # lists of words
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >&2

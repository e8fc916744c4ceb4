#!/usr/bin/env bash
# The Debian package under systemd, on the kernel of tests/proofs/kernel: an upgrade while a game is in play, an update
# whose table does not run, and a power cut while files are unpacked. The game goes on each time.
#
#   tests/proofs/package/run.sh SYSTEM PACKAGE
#
# SYSTEM is a folder with a Debian that has systemd and udev, on which nothing is mounted, and which may be spoiled;
# PACKAGE is for it. Wants root.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
system=$1 package=$2
kernel=$("$here/../kernel/build.sh")
report=$(mktemp -d)
trap 'rm -rf "$report"' EXIT
version=$(dpkg-deb --field "$package" Version)
run='usr/lib/yardboard/lib/python*/site-packages/firmware_host/daemon/run.py'

games=$system/root/games
mkdir -p "$games" "$system/root/packages"
cp "$package" "$system/root/packages/ours.deb"
"$here/variant" "$package" "$system/root/packages" 9.0
"$here/variant" "$package" "$system/root/packages" 9.1 's/^    path = config.journal_file()/    raise SystemExit(1)\n&/' "$run"
chroot "$system" dpkg --install /root/packages/ours.deb
cp "$here/begin_game.py" "$here/guest.sh" "$here/init" "$system/root/"
chroot "$system" /usr/lib/yardboard/bin/python /root/begin_game.py /root/games/journal.sqlite
cat >"$system/etc/systemd/system/proof.service" <<'END'
[Unit]
Wants=multi-user.target
After=multi-user.target
SuccessAction=poweroff-immediate
FailureAction=poweroff-immediate

[Service]
Type=oneshot
ExecStart=/bin/bash /root/guest.sh
StandardOutput=tty
StandardError=inherit
TTYPath=/dev/console
TimeoutStartSec=infinity
END

# boot: the system, until it is switched off or, with CUT=1, until files of an update are half unpacked.
boot() {
  "$kernel" mem=384M uml_dir="$report" loglevel=4 rootfstype=hostfs rootflags="$system" rw init=/root/init \
    time-travel=inf-cpu </dev/null 2>"$report/boot" &
  machine=$!
  if [ "${CUT:-}" ]; then
    until grep -q 'status half-installed yardboard' "$system/var/log/dpkg.log" || ! kill -0 $machine 2>/dev/null; do
      sleep 0.1
    done
    kill -KILL $machine 2>/dev/null || :
  fi
  wait $machine 2>/dev/null || :
}

echo power-cut >"$system/root/step"
: >"$system/var/log/dpkg.log"
CUT=1 boot
[ -e "$system/var/lib/yardboard-update/unfinished" ] || { echo "the power was not cut in an update" >&2; exit 1; }
echo "$version" >"$system/root/step"
boot
[ "$(cat "$system/root/result" 2>/dev/null)" = passed ] || { cat "$report/boot" >&2; exit 1; }

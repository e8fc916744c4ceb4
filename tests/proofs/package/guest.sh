#!/bin/bash
# What run.sh has done on the machine that systemd runs; the result is in /root/result.
set -uo pipefail
export HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin
step=$(cat /root/step)

fail() { echo "guest.sh: $*"; journalctl --no-pager --unit=yardboard --lines=20; exit 1; }
# The table runs, this version, and the game in its journal is still the one that was begun.
plays() {
  for _ in $(seq 60); do
    runs && break
    sleep 1
  done
  runs || fail "$1: the table does not run"
  [ "$(dpkg-query --show --showformat '${db:Status-Abbrev}${Version}' yardboard)" = "ii $2" ] || fail "$1: not version $2"
  [ "$(seal /var/lib/yardboard)" = "$(seal /root/games)" ] || fail "$1: the game is another one"
  echo "-- $1: version $2 plays on, uptime $(cut -d' ' -f1 /proc/uptime) s"
}
# The status alone does not say that it runs: systemd 257 keeps that of a stopped service.
runs() {
  systemctl --quiet is-active yardboard \
    && systemctl show yardboard --property=StatusText | grep -q 'StatusText=classic: the pawns are being put back'
}
seal() {
  rm -rf /run/copy && cp -r "$1" /run/copy
  /usr/lib/yardboard/bin/python -c "import sqlite3; print(sqlite3.connect('/run/copy/journal.sqlite').execute('SELECT max(seq), seal FROM entries').fetchall())"
}

if [ "$step" = power-cut ]; then
  for _ in $(seq 60); do [ "$(systemctl is-active yardboard)" = active ] && break; sleep 1; done
  yardboard update /root/packages/9.0.deb --force
  fail "the power was not cut"
fi

plays "after a power cut in an update" "$step"
dpkg --install /root/packages/9.0.deb || fail "the upgrade has failed"
plays "upgraded with a game in play" 9.0
sleep 6  # the next report of the table's health
yardboard update /root/packages/ours.deb && fail "it was updated in the midst of a game"
said=$(yardboard update /root/packages/9.1.deb --force 2>&1) && fail "a table that does not run was kept"
grep -q "not kept, and 9.0 runs" <<<"$said" || fail "$said"
plays "after an update that failed" 9.0
yardboard update /root/packages/ours.deb --force || fail "the update has failed"
plays "updated" "$step"
[ "$(/usr/lib/yardboard/bin/python -c 'import urllib.request as u; print(u.urlopen("http://127.0.0.1:8199/").status)')" = 200 ] || fail "no page"
echo passed >/root/result

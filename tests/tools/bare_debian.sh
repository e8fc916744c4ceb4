#!/usr/bin/env bash
# Writes a new Debian into a folder: the smallest one, and some packages.
#
#   tests/tools/bare_debian.sh bookworm|trixie FOLDER PACKAGE[,PACKAGE]...
#
# Wants root. The mirror is the one that apt is configured with here.
set -euo pipefail
suite=$1 folder=$2 packages=$3
[ "$(id -u)" = 0 ] || { echo "bare_debian.sh: only root can make a system in a folder" >&2; exit 1; }
apt-get update -qq
if ! command -v debootstrap >/dev/null; then
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap
fi
mirror=$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' | sed -n 's/^Debian //p' | head -n 1)
[ -n "$mirror" ] || { echo "bare_debian.sh: apt has no mirror of Debian: add one to /etc/apt/sources.list.d" >&2; exit 1; }
log=$folder.log
debootstrap --variant=minbase --include="$packages" "$suite" "$folder" "$mirror" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
rm "$log"

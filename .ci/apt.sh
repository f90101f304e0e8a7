#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# apt.sh PACKAGE[:ARCHITECTURE]...: installs those Debian packages that are missing, as root or by sudo. Costs nothing
# when all are there. Elsewhere than on Debian and its kin it names what is needed and goes on.
set -euo pipefail

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "No apt here. Going on with what is installed; these Debian packages, or what they are called here, are needed:"
  echo "  $*"
  exit 0
fi

missing=()
for package in "$@"; do
  state="$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)"
  [[ "$state" == installed ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "Missing packages, and neither root nor sudo to install them with. As root, run:" >&2
    echo "  apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "Installing ${missing[*]}"
for package in "${missing[@]}"; do
  [[ "$package" != *:* ]] || "${as_root[@]}" dpkg --add-architecture "${package##*:}"
done
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"

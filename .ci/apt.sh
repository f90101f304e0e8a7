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

# is_installed PACKAGE[:ARCHITECTURE]; without one, for this machine: other architectures may have it, too.
is_installed() {
  local architecture
  architecture="$(dpkg --print-architecture)"
  [[ "$1" != *:* ]] || architecture="${1##*:}"
  dpkg-query -W -f='${Architecture} ${db:Status-Status}\n' "${1%%:*}" 2>/dev/null |
    grep -qE "^($architecture|all) installed$"
}

missing=() foreign=()
for package in "$@"; do
  is_installed "$package" && continue
  missing+=("$package")
  [[ "$package" != *:* ]] || foreign+=("${package##*:}")
done
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "Missing packages, and neither root nor sudo to install them with. As root, run:" >&2
    for architecture in "${foreign[@]}"; do echo "  dpkg --add-architecture $architecture" >&2; done
    echo "  apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "Installing ${missing[*]}"
added=()
for architecture in "${foreign[@]}"; do
  ! dpkg --print-foreign-architectures | grep -qx "$architecture" || continue
  "${as_root[@]}" dpkg --add-architecture "$architecture"
  added+=("$architecture")
done
if ! { "${as_root[@]}" apt-get update -qq &&
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"; }; then
  # Where there is no index of an architecture, it would fail every later update, too.
  for architecture in "${added[@]}"; do "${as_root[@]}" dpkg --remove-architecture "$architecture" || true; done
  exit 1
fi

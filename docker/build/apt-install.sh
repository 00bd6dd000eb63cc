#!/bin/sh
# apt-install.sh PACKAGE... from $APT_MIRROR and with the certificate of the build secret "ca", where they are given.
# $APT_MIRROR takes the place of scheme and host: http://mirror.example has to serve /debian and /debian-security.
set -eu
export DEBIAN_FRONTEND=noninteractive
if [ -n "${APT_MIRROR:-}" ]; then
  sed -i -E "s|^URIs: https?://[^/ ]+|URIs: ${APT_MIRROR%/}|" /etc/apt/sources.list.d/debian.sources
fi
apt() {
  if [ -s /run/secrets/ca ]; then set -- -o Acquire::https::CAInfo=/run/secrets/ca "$@"; fi
  apt-get "$@" >/tmp/apt.log 2>&1 || { cat /tmp/apt.log >&2; exit 1; }
}
apt update
apt install --yes --no-install-recommends "$@"
rm -rf /tmp/apt.log /var/lib/apt/lists/* /var/cache/apt/* /var/cache/ldconfig/aux-cache /var/log/apt /var/log/dpkg.log

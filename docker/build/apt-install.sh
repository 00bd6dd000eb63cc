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
  apt-get "$@" >/tmp/apt.log 2>&1 && return
  cat /tmp/apt.log >&2
  if grep -q 'Certificate verification failed' /tmp/apt.log; then
    echo 'The certificate of APT_MIRROR was not trusted: name the one that signs it (PEM) by BUILD_CA_FILE in docker/.env, or --secret id=ca,src=FILE.' >&2
  fi
  exit 1
}
# Else it succeeds where it could fetch no list, and the installation fails over packages that are not there.
apt -o APT::Update::Error-Mode=any update
apt install --yes --no-install-recommends "$@"
rm -rf /tmp/apt.log /var/lib/apt/lists/* /var/cache/apt/* /var/cache/ldconfig/aux-cache /var/log/apt /var/log/dpkg.log

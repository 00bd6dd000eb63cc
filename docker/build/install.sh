#!/bin/sh
# install.sh SERVICE: the pinned pnpm, and with it what the service needs to be built; from $NPM_REGISTRY, with the npmrc and
# the certificate of the build secrets "npmrc" and "ca", where they are given.
set -eu
if [ -n "${NPM_REGISTRY:-}" ]; then export npm_config_registry="$NPM_REGISTRY"; fi
if [ -s /run/secrets/ca ]; then
  cat /etc/ssl/certs/ca-certificates.crt /run/secrets/ca >/tmp/ca.pem
  export NODE_EXTRA_CA_CERTS=/tmp/ca.pem npm_config_cafile=/tmp/ca.pem SSL_CERT_FILE=/tmp/ca.pem
fi
npm install --global --no-audit --no-fund --loglevel=error "$(node -p 'require("./package.json").packageManager')"
exec node docker/build/install.mjs "$1"

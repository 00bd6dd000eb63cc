#!/bin/sh
# install.sh SERVICE: the pinned pnpm, and with it what the service needs to be built; from $NPM_REGISTRY, with the npmrc and
# the certificate of the build secrets "npmrc" and "ca", where they are given.
set -eu
: "${CA_SECRET:=/run/secrets/ca}"
if [ -n "${NPM_REGISTRY:-}" ]; then export npm_config_registry="$NPM_REGISTRY"; fi
work=$(mktemp -d)
if [ -s "$CA_SECRET" ]; then
  cat /etc/ssl/certs/ca-certificates.crt "$CA_SECRET" >"$work/ca.pem"
  export NODE_EXTRA_CA_CERTS="$work/ca.pem" npm_config_cafile="$work/ca.pem" SSL_CERT_FILE="$work/ca.pem"
fi

install() {
  npm install --global --no-audit --no-fund --loglevel=error "$(node -p 'require("./package.json").packageManager')" &&
    node docker/build/install.mjs "$1"
}

# npm and pnpm name the fault in a certificate, and know nothing of the setting that mends it.
explain() {
  grep -Eqi 'self.signed.cert|unable.to.(get|verify).*(cert|leaf)' "$1" || return 0
  echo
  echo 'A certificate was not trusted. A proxy on the way may sign with one of its own, as those of companies do:'
  if [ -s "$CA_SECRET" ]; then
    echo 'the file that BUILD_CA_FILE names, or the build secret "ca", does not hold it. Ask who runs the proxy which one it is.'
  else
    echo 'give it to the build as a file (PEM), by BUILD_CA_FILE=FILE in docker/.env, or docker build --secret id=ca,src=FILE.'
  fi
} >&2

# sh has no way to ask for the exit code of the first command of a pipe.
{
  code=0
  install "$1" 2>&1 || code=$?
  echo "$code" >"$work/code"
} | tee "$work/said"
code=$(cat "$work/code")
[ "$code" -eq 0 ] || explain "$work/said"
rm -rf "$work"
exit "$code"

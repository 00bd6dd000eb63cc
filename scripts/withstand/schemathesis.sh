#!/bin/bash
# Schemathesis sends generated requests, valid and broken, to a fresh service and compares the answers with the contract: no
# 5xx, no status, header, content type or body that the contract does not have.
#   scripts/withstand/schemathesis.sh [timing|memory] [SECONDS]     default: timing 180
# Needs Python 3.10 or newer and the Python package index. The virtual environment lives in a temporary folder;
# SCHEMATHESIS=/path/to/schemathesis uses one that is there already. /events/stream never ends and is left out.
set -euo pipefail
cd "$(dirname "$0")/../.."
case ${1:-timing} in
  timing | memory) name=${1:-timing} ;;
  *) echo "$1 is not a service: write timing or memory." >&2; exit 2 ;;
esac
seconds=${2:-180}

work=$(mktemp -d)
service=''
clean_up() {
  [ -z "$service" ] || kill "$service" 2>/dev/null || true
  [ -z "$service" ] || wait "$service" 2>/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT

schemathesis=${SCHEMATHESIS:-}
if [ -z "$schemathesis" ]; then
  python3 -m venv "$work/venv"
  "$work/venv/bin/pip" install --quiet schemathesis
  schemathesis="$work/venv/bin/schemathesis"
fi

if [ "$name" = timing ]; then
  options=(--db-path "$work/timing.db")
  endless=(--exclude-path /events/stream)
else
  options=(--data-dir "$work/memory" --embedding-model fast --offline)
  endless=(--exclude-path /events/stream)
fi
node "apps/$name-service/dist/main.js" "${options[@]}" --port 0 --log-level warn >"$work/service.log" 2>&1 &
service=$!
url=''
for _ in $(seq 300); do
  url=$(sed -n 's/.*listening on \(http[^ ]*\).*/\1/p' "$work/service.log")
  [ -z "$url" ] || break
  sleep 0.1
done
if [ -z "$url" ]; then
  cat "$work/service.log" >&2
  exit 1
fi

# Schemathesis cannot write NDJSON unaided.
cat >"$work/hooks.py" <<'PYTHON'
import json
import schemathesis


@schemathesis.serializer("application/x-ndjson")
def ndjson(ctx, value):
    return value if isinstance(value, bytes) else (value if isinstance(value, str) else json.dumps(value)).encode()
PYTHON

status=0
(cd "$work" && SCHEMATHESIS_HOOKS=hooks PYTHONPATH="$work" "$schemathesis" run "$url/openapi.json" --url "$url" "${endless[@]}" --max-time "$seconds" \
  --checks not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance \
  --max-examples 10000 --continue-on-failure --request-timeout 10 --no-color) || status=$?
if grep -E '"level":"(error|fatal)"' "$work/service.log"; then
  echo 'The service logged the errors above.' >&2
  status=1
fi
exit "$status"

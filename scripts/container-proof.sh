#!/bin/bash
# Does in a bare container what a newcomer does: clone, npm test, npm start, a few calls, Ctrl-C, start again.
#   [DOCKER_HOST=...] scripts/container-proof.sh [IMAGE]     default image: node:20-bookworm-slim
# Needs a Docker engine and a container network that reaches the npm registry (DOCKER_NETWORK picks it). Proves what is
# committed: HEAD is cloned, not the working tree. The container is removed at the end.
set -euo pipefail
cd "$(dirname "$0")/.."
image=${1:-node:20-bookworm-slim}
network=${DOCKER_NETWORK:-bridge}

step() { printf '\n== %s\n' "$*"; }
fail() {
  printf '\nFAILED: %s\n' "$*" >&2
  exit 1
}

work=$(mktemp -d)
container=''
clean_up() {
  [ -z "$container" ] || docker rm -f "$container" >/dev/null
  rm -rf "$work"
}
trap clean_up EXIT

step "clone of $(git rev-parse --short HEAD) into a container of $image"
git clone --quiet . "$work/agent-faculties"
container=$(docker run --detach --network "$network" "$image" sleep infinity)
docker cp --quiet "$work/agent-faculties" "$container:/agent-faculties" 2>/dev/null ||
  docker cp "$work/agent-faculties" "$container:/agent-faculties" >/dev/null
inside() { docker exec --workdir /agent-faculties "$container" "$@"; }
inside bash -c 'echo "node $(node --version), npm $(npm --version); make: $(command -v make || echo none), g++: $(command -v g++ || echo none), chromium: $(command -v chromium || echo none)"'

step 'npm test'
started=$SECONDS
inside npm test -- --json --outputFile=/tmp/jest.json || fail 'npm test'
echo "npm test took $((SECONDS - started)) s, the set-up included"
inside node -e '
  const r = require("/tmp/jest.json");
  console.log(`${r.numPassedTests} passed, ${r.numFailedTests} failed, ${r.numPendingTests} skipped`);
  const skipped = r.testResults.filter((f) => f.assertionResults.some((t) => t.status === "pending"));
  for (const file of skipped) console.log(`  skipped tests in ${file.name}`);
'

step 'npm test again, with nothing left to set up'
inside bash -c 'time node scripts/bootstrap.mjs'

# In a session of its own, so that an interrupt can go to the whole foreground group, as Ctrl-C in a terminal does.
start() {
  inside rm -f /tmp/start.log /tmp/start.code
  docker exec --detach --workdir /agent-faculties "$container" \
    setsid bash -c 'echo $$ >/tmp/start.group; npm start >/tmp/start.log 2>&1; echo $? >/tmp/start.code'
  local began
  began=$(date +%s%N)
  for _ in $(seq 600); do
    if inside grep -q 'stop with Ctrl-C' /tmp/start.log 2>/dev/null; then
      inside cat /tmp/start.log
      echo "up after $((($(date +%s%N) - began) / 1000000)) ms"
      return
    fi
    if inside test -e /tmp/start.code; then break; fi
    sleep 0.1
  done
  inside cat /tmp/start.log
  fail 'npm start'
}

stop() {
  local began
  began=$(date +%s%N)
  # To the whole group, as a terminal does; this shell is not in it.
  inside bash -c 'kill -INT -- -"$(cat /tmp/start.group)"'
  for _ in $(seq 300); do
    if ! inside bash -c 'grep -qs "dist/main[.]js" /proc/[0-9]*/cmdline'; then
      echo "no service left after $((($(date +%s%N) - began) / 1000000)) ms"
      inside grep -q '^Stopped\.$' /tmp/start.log || fail 'the services did not stop cleanly'
      inside tail -n 3 /tmp/start.log
      return
    fi
    sleep 0.1
  done
  fail 'the services are still running'
}

step 'npm start'
start

step 'calls'
inside node --input-type=module -e '
  import { setTimeout as sleep } from "node:timers/promises";
  const timing = "http://127.0.0.1:8080";
  const memory = "http://127.0.0.1:7832";
  async function call(url, body) {
    const options = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(url, options);
    const text = await response.text();
    console.log(`${body ? "POST" : "GET "} ${url} -> ${response.status} ${text.slice(0, 160).replaceAll("\n", " ")}`);
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
    return response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
  }
  await call(`${memory}/health`);
  await call(`${timing}/health`);
  const { correlation_id } = await call(`${timing}/events/task-start`, { task_type: "proof" });
  await sleep(300);
  const end = await call(`${timing}/events/task-end`, { task_type: "proof", correlation_id });
  if (!(end.duration_seconds >= 0.25 && end.duration_seconds < 5)) throw new Error(`duration ${end.duration_seconds}`);
  const { summary } = await call(`${timing}/stats/durations/proof`);
  if (summary.count !== 1) throw new Error(`count ${summary.count}`);
  await call(`${timing}/dashboard`);
' || fail 'a call'

step 'Ctrl-C'
stop

step 'npm start again: everything is built, the task is still there'
start
inside node -e '
  fetch("http://127.0.0.1:8080/stats/durations/proof").then((r) => r.json()).then(({ summary }) => {
    console.log(`count ${summary.count}`);
    process.exitCode = summary.count === 1 ? 0 : 1;
  });
' || fail 'the task is gone'
stop

printf '\nAll of it works.\n'

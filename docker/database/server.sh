#!/bin/sh
# server.sh COMMAND: runs COMMAND, a PostgreSQL, as the one of both servers that it is: DATABASE_PRIMARY names the one that takes writes, and
# every other DATABASE_NAME copies and follows it. Data that has taken writes does not start beside that one: they would be two truths.
set -eu

[ "$DATABASE_NAME" != "$DATABASE_PRIMARY" ] || exec "$@"
if [ -s "$PGDATA/PG_VERSION" ] && [ ! -e "$PGDATA/standby.signal" ]; then
  echo "$DATABASE_NAME has taken writes itself, so it cannot follow $DATABASE_PRIMARY, which DATABASE_PRIMARY names. Empty its volume, and it" \
    "copies $DATABASE_PRIMARY; or name $DATABASE_NAME, if it is the one to go on with. docs/scale.md has the commands." >&2
  exit 1
fi
exec "$(dirname "$0")/standby.sh" "$@"

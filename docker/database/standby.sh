#!/bin/sh
# standby.sh COMMAND: copies the server DATABASE_PRIMARY (host or host:port) where there is no data yet, and runs COMMAND, a PostgreSQL
# that follows it. The password holds no colon and no backslash.
set -eu
umask 077

export PGPASSFILE="${DATABASE_RUN:-/tmp}/pgpass"
printf '*:*:*:standby:%s\n' "$(cat "$DATABASE_PASSWORD_FILE")" >"$PGPASSFILE"
host=${DATABASE_PRIMARY%:*}
port=${DATABASE_PRIMARY##*:}
[ "$port" != "$DATABASE_PRIMARY" ] || port=5432
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # Leaves nothing behind where it fails.
  until pg_basebackup --host "$host" --port "$port" --username standby --no-password --pgdata "$PGDATA" --wal-method stream \
    --checkpoint fast --write-recovery-conf; do
    sleep 2
  done
fi
exec "$@"

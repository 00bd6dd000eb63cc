#!/bin/sh
# Runs once, when the first server makes its data (/docker-entrypoint-initdb.d): a user and a database for both services, a user for the
# standby, and commits that wait until the standby has them.
set -eu

psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username postgres --dbname postgres <<'SQL'
\set password `cat "$DATABASE_PASSWORD_FILE"`
CREATE ROLE agent_faculties LOGIN PASSWORD :'password';
CREATE ROLE standby LOGIN REPLICATION PASSWORD :'password';
CREATE DATABASE agent_faculties OWNER agent_faculties;
ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)';
SQL
printf 'host replication standby all scram-sha-256\n' >>"$PGDATA/pg_hba.conf"

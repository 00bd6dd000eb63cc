#!/bin/sh
# backup.sh FOLDER: backs up everything that docker/compose.yaml keeps, while it runs. Each backup is restored once, into a
# container that is thrown away, before it gets its name; so a file without .part at its end can be relied on.
set -eu
umask 077
folder=${1:?"usage: $0 FOLDER"}
compose_file=$(dirname "$0")/compose.yaml
stamp=$(date -u +%Y%m%dT%H%M%SZ)
mkdir -p "$folder"

compose() {
  docker compose -f "$compose_file" "$@"
}

# back_up SERVICE ENDING
back_up() {
  file=$folder/$1-$stamp.$2
  compose exec -T "$1" "$1" backup </dev/null >"$file.part"
  image=$(docker inspect --format '{{.Image}}' "$(compose ps --quiet "$1")")
  # Its /data is a volume that goes with it.
  docker run --rm --interactive --network none --read-only --tmpfs /tmp --cap-drop ALL \
    --security-opt no-new-privileges "$image" restore <"$file.part"
  mv "$file.part" "$file"
  echo "$file"
}

back_up timing-service db
back_up memory-service tar
# Hashes of keys, with their roles.
file=$folder/gateway-keys-$stamp
compose exec -T gateway cat /var/lib/gateway/keys </dev/null >"$file.part"
mv "$file.part" "$file"
echo "$file"

#!/bin/sh
# Fills the digests of the passwords into the accounts, then becomes redis-server. No password is written down.
set -eu
users=$(mktemp)
digest() { printf %s "$1" | sha256sum | cut -c1-64; }
sed -e "s/@API@/$(digest "$REDIS_API_PASSWORD")/" \
    -e "s/@RECORDER@/$(digest "$REDIS_RECORDER_PASSWORD")/" \
    -e "s/@WORKER@/$(digest "$REDIS_WORKER_PASSWORD")/" \
    "${ASSAY_REDIS_USERS:-/etc/assay/redis-users.acl}" > "$users"
unset REDIS_API_PASSWORD REDIS_RECORDER_PASSWORD REDIS_WORKER_PASSWORD
exec redis-server --aclfile "$users" --appendonly yes --maxmemory-policy noeviction "$@"

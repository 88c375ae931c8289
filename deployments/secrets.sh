#!/usr/bin/env bash
# Makes what deployments/compose.yaml wants to know of secrets: a file each in deployments/secrets, which only its owner may
# enter. What is there already is kept, so it may be run again. To change a secret: remove its file, run this, start anew.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
umask 077
mkdir -p secrets
# The containers' account reads the files through its own mounts; the folder keeps everybody else out.
secret() { [[ -e secrets/$1 ]] || { od -An -N32 -tx1 /dev/urandom | tr -d ' \n' >"secrets/$1" && chmod 0444 "secrets/$1"; }; }
write() {
	rm -f "secrets/$1"
	printf '%s' "$2" >"secrets/$1"
	chmod 0444 "secrets/$1"
}
for name in postgres_password postgres_service_password redis_password jwt_secret address_secret meili_key s3_secret backup_password; do secret "$name"; done
read_secret() { tr -d '\r\n' <"secrets/$1"; }
# The addresses hold the passwords, and are made of them anew each time.
write database_owner_url "postgres://vigueur:$(read_secret postgres_password)@postgres:5432/vigueur?sslmode=disable"
write database_url "postgres://vigueur_service:$(read_secret postgres_service_password)@postgres:5432/vigueur?sslmode=disable"
write redis_url "redis://default:$(read_secret redis_password)@redis:6379/0"
write s3_key "vigueur:$(read_secret s3_secret)"
for name in backup_key model_key embedder_key smtp_url milvus_key oidc_client_secrets; do [[ -e secrets/$name ]] || write "$name" ""; done
echo "deployments/secrets has $(find secrets -type f | wc -l) secrets. Keep them, beside the backups: $PWD/secrets"

# shellcheck shell=bash
# The settings of this copy: ports and secrets chosen once and kept in .state/kept/, one value a file, and
# .state/env, made from them at every start. What is set in the environment wins.

kept() { cat "$state/kept/$1" 2>/dev/null; }

keep() { (umask 077 && printf '%s\n' "$2" >"$state/kept/$1"); }

# kept_secret NAME: a random value of 256 bits, in hexadecimal, made the first time.
kept_secret() {
	kept "$1" >/dev/null || keep "$1" "$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')"
	kept "$1"
}

port_is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# kept_port NAME [again]: a loopback port, below the range the kernel gives to outgoing connections; the one of
# last time while it is free.
kept_port() {
	local port
	port=$(kept "$1" || true)
	if [[ -z $port ]] || ! port_is_free "$port"; then
		until port=$((20000 + RANDOM % 12000)) && port_is_free "$port"; do :; done
		keep "$1" "$port"
	fi
	echo "$port"
}

file_url() { # a path as a file: address
	local path=$1
	path=${path//%/%25} path=${path// /%20} path=${path//#/%23} path=${path//\?/%3F}
	echo "file://$path"
}

private_database_url() { echo "postgres://vigueur:$(kept postgres-password)@127.0.0.1:$(kept postgres-port)/vigueur?sslmode=disable"; }

# private_redis_url N: database N of the private Redis. 0 is the product's; the tests have 1 and above.
private_redis_url() { echo "redis://default:$(kept redis-password)@127.0.0.1:$(kept redis-port)/$1"; }

# write_settings makes .state/env: KEY=VALUE lines, unquoted, read by every binary that is run inside the
# repository without a configuration of its own.
write_settings() {
	local port listen new=$state/env.new
	port=$(kept http-port)
	listen=127.0.0.1:$port
	(
		umask 077
		cat >"$new" <<-END
			# Made by scripts/services start; the environment wins over it. Not to be edited, it is made anew each time.
			VIGUEUR_PROFILE=${VIGUEUR_PROFILE:-local}
			VIGUEUR_DATABASE_URL=${VIGUEUR_DATABASE_URL:-$(private_database_url)}
			VIGUEUR_REDIS_URL=${VIGUEUR_REDIS_URL:-$(private_redis_url 0)}
			VIGUEUR_BASE_URL=${VIGUEUR_BASE_URL:-http://$listen}
			VIGUEUR_LISTEN=${VIGUEUR_LISTEN:-$listen}
			VIGUEUR_BLOBS_URL=${VIGUEUR_BLOBS_URL:-$(file_url "$state/blobs")}
			${VIGUEUR_BLOBS_KEY:+VIGUEUR_BLOBS_KEY=$VIGUEUR_BLOBS_KEY}
			VIGUEUR_MAIL_DIR=${VIGUEUR_MAIL_DIR:-$state/mail}
			${VIGUEUR_SMTP_URL:+VIGUEUR_SMTP_URL=$VIGUEUR_SMTP_URL}
			${VIGUEUR_MAIL_FROM:+VIGUEUR_MAIL_FROM=$VIGUEUR_MAIL_FROM}
			${VIGUEUR_MAIL_TO:+VIGUEUR_MAIL_TO=$VIGUEUR_MAIL_TO}
			${VIGUEUR_EMBEDDER_URL:+VIGUEUR_EMBEDDER_URL=$VIGUEUR_EMBEDDER_URL}
			${VIGUEUR_EMBEDDER_MODEL:+VIGUEUR_EMBEDDER_MODEL=$VIGUEUR_EMBEDDER_MODEL}
			${VIGUEUR_EMBEDDER_KEY:+VIGUEUR_EMBEDDER_KEY=$VIGUEUR_EMBEDDER_KEY}
			${VIGUEUR_MODELS:+VIGUEUR_MODELS=$VIGUEUR_MODELS}
			${VIGUEUR_MODEL_URL:+VIGUEUR_MODEL_URL=$VIGUEUR_MODEL_URL}
			${VIGUEUR_MODEL_KEY:+VIGUEUR_MODEL_KEY=$VIGUEUR_MODEL_KEY}
			${VIGUEUR_MODEL_CALLED:+VIGUEUR_MODEL_CALLED=$VIGUEUR_MODEL_CALLED}
			${VIGUEUR_MODEL_CONCURRENCY:+VIGUEUR_MODEL_CONCURRENCY=$VIGUEUR_MODEL_CONCURRENCY}
			${VIGUEUR_MODEL_TOKENS_PER_MINUTE:+VIGUEUR_MODEL_TOKENS_PER_MINUTE=$VIGUEUR_MODEL_TOKENS_PER_MINUTE}
			${VIGUEUR_MODEL_PRICES:+VIGUEUR_MODEL_PRICES=$VIGUEUR_MODEL_PRICES}
			${VIGUEUR_MODEL_REPHRASES:+VIGUEUR_MODEL_REPHRASES=$VIGUEUR_MODEL_REPHRASES}
			${VIGUEUR_CHECKER_MODEL:+VIGUEUR_CHECKER_MODEL=$VIGUEUR_CHECKER_MODEL}
			${VIGUEUR_MODEL_SHOWN:+VIGUEUR_MODEL_SHOWN=$VIGUEUR_MODEL_SHOWN}
			${VIGUEUR_MILVUS_URL:+VIGUEUR_MILVUS_URL=$VIGUEUR_MILVUS_URL}
			${VIGUEUR_MILVUS_KEY:+VIGUEUR_MILVUS_KEY=$VIGUEUR_MILVUS_KEY}
			VIGUEUR_INDEX_DIR=${VIGUEUR_INDEX_DIR:-$state/index}
			VIGUEUR_JWT_SECRET=${VIGUEUR_JWT_SECRET:-$(kept_secret jwt-secret)}
			VIGUEUR_ADDRESS_SECRET=${VIGUEUR_ADDRESS_SECRET:-$(kept_secret address-secret)}
		END
	)
	mv "$new" "$state/env"
}

# load_settings exports .state/env, leaving alone what the environment already sets.
load_settings() {
	local line name
	while IFS= read -r line; do
		[[ $line =~ ^[A-Z_]+= ]] || continue
		name=${line%%=*}
		[[ -n ${!name:-} ]] || export "$name=${line#*=}"
	done <"$state/env"
}

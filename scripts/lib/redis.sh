# shellcheck shell=bash
# The private Redis: append-only file, no eviction, a password, a loopback port.

# redis_ask COMMAND…: the password travels by the environment, for the process list is public.
redis_ask() {
	REDISCLI_AUTH=$(kept_secret redis-password) timeout 5 redis-cli -h 127.0.0.1 -p "$(kept redis-port)" --no-auth-warning "$@"
}

# Every write of the queue counts as done once it is a second on its way to the disk; what is lost in a power
# cut is found again by the sweep, since the row in PostgreSQL is the truth.
write_redis_conf() {
	cat <<-END
		bind 127.0.0.1
		port $1
		requirepass $(kept_secret redis-password)
		daemonize yes
		dir .
		pidfile pid
		logfile log
		loglevel notice
		databases 256
		appendonly yes
		appendfsync everysec
		maxmemory-policy noeviction
		save ""
	END
}

start_redis() {
	local folder account attempt
	folder=$(stores_folder)/redis
	account=$(store_account redis)
	stop_strays "$folder"
	rm -f "$folder/pid"
	[[ ! -e $folder/log || $(stat -c %s "$folder/log") -lt 10000000 ]] || mv "$folder/log" "$folder/log.1"
	for attempt in 1 2 3 4 5; do
		write_redis_conf "$(kept_port redis-port)" | as_account "$account" sh -c 'umask 077 && cat >"$1"' sh "$folder/redis.conf"
		(cd "$folder" && as_account "$account" redis-server ./redis.conf) </dev/null >/dev/null 2>&1 7>&- 8>&- 9>&- &&
			await_redis && return 0
		store_pid redis >/dev/null && break
	done
	fail "Redis does not start (attempt $attempt); the end of $folder/log:"$'\n'"$(tail -n 5 "$folder/log" 2>/dev/null)"
}

# await_redis waits until it has read its file and answers, at most 30 s.
await_redis() {
	local tries
	for ((tries = 0; tries < 300; tries++)); do
		[[ $(redis_ask ping 2>/dev/null) == PONG ]] && return 0
		# It writes its pid once it listens: without one after a second it has given up, and the port may be the reason.
		((tries < 10)) || store_pid redis >/dev/null || return 1
		sleep 0.1
	done
	return 1
}

stop_redis() {
	local pid
	pid=$(store_pid redis) || return 0
	kill -TERM "$pid" 2>/dev/null || true
	await_end "$pid" 20 || kill -KILL "$pid" 2>/dev/null || true
}

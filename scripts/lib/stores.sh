# shellcheck shell=bash
# Both stores together, and who needs them. scripts/run, test and bench hold a shared lock while they use them: the
# last one out stops them, unless they were started by hand. Locks are the kernel's (flock), so a kill leaves none.
# File descriptors: 7 the lock of scripts/run, 8 of the users of the stores, 9 of a start or stop under way.

# start_stores [FSYNC]: FSYNC is off for a PostgreSQL that only tests use, if this starts it. One that runs already
# waits for the disk as soon as anybody else needs it.
start_stores() {
	local fsync=${1:-on}
	exec 9>>"$state/locks/operation"
	flock -w 180 9 || fail "Another start or stop of the stores has been under way for three minutes."
	prepare_stores
	kept_secret redis-password >/dev/null
	if ! store_pid postgres >/dev/null; then
		start_postgres "$fsync"
	elif is_unsynced && [[ $fsync == on ]]; then
		sync_postgres || fail "PostgreSQL could not be told to wait for the disk again."
	fi
	store_pid redis >/dev/null || start_redis
	kept http-port >/dev/null || kept_port http-port >/dev/null
	write_settings
	exec 9>&-
}

# choose_http_port writes the settings with a port that is free. Until the API listens another program may take it, so
# it is called right before the start.
choose_http_port() {
	exec 9>>"$state/locks/operation"
	flock -w 180 9 || fail "Another start or stop of the stores has been under way for three minutes."
	kept_port http-port >/dev/null
	write_settings
	exec 9>&-
}

stop_stores() {
	exec 9>>"$state/locks/operation"
	flock -w 180 9 || fail "Another start or stop of the stores has been under way for three minutes."
	rm -f "$state/by-hand"
	if [[ -d $state/stores ]]; then
		stop_postgres
		stop_redis
	fi
	exec 9>&-
}

# The mark of a start by hand names the process it started: after a restart of the machine it means nothing.
mark_by_hand() { store_pid postgres >"$state/by-hand"; }
by_hand() { [[ -s $state/by-hand && $(<"$state/by-hand") == "$(store_pid postgres)" ]]; }

stop_unless_by_hand() { by_hand || stop_stores; }

# use_stores [FSYNC]: starts them if need be, and keeps them until release_stores or until this process is gone.
use_stores() {
	exec 8>>"$state/locks/users"
	flock -s 8
	start_stores "$@"
	setsid "$root/scripts/services" watch </dev/null >>"$state/log/watch.log" 2>&1 7>&- 8>&- &
	disown
}

# watch_stores waits for the last user to go, however it goes, and stops the stores. One watches at a time: it gives
# up its own lock before that of the users, so a newcomer's watcher never finds a leaving one still at its post.
watch_stores() {
	exec 6>>"$state/locks/watch"
	flock -n 6 || return 0
	exec 8>>"$state/locks/users"
	flock -x 8
	stop_unless_by_hand
	exec 6>&-
	exec 8>&-
}

release_stores() {
	exec 8>>"$state/locks/users"
	if flock -n -x 8; then
		stop_unless_by_hand
	elif flock -n -s 8; then
		exec 8>&-
		return 0
	else
		flock -s 8
	fi
	exec 8>&-
	flock -w 5 "$state/locks/watch" true || true
}

# status_line NAME SERVICE PORT-NAME
status_line() {
	local pid
	if pid=$(store_pid "$2"); then
		echo "$1: running, process $pid, 127.0.0.1:$(kept "$3")"
	else
		echo "$1: stopped"
		return 1
	fi
}

# shellcheck shell=bash
# Running other programs so that none outlives the script: not after Ctrl-C, not after a kill, not even after kill -9.

attended=()

# attend COMMAND…: runs it, waits for it and returns its status. It runs in the background, since bash answers a
# signal only between two foreground commands; and the kernel ends it when this script dies.
attend() {
	setpriv --pdeathsig TERM -- "$@" <&0 &
	attended+=($!)
	await_child $!
}

# attend_later COMMAND…: the same without waiting; await_child "$!" gives the status.
attend_later() {
	setpriv --pdeathsig TERM -- "$@" </dev/null &
	attended+=($!)
}

await_child() {
	local status=0
	wait "$1" || status=$?
	return "$status"
}

# await_end PID SECONDS: waits until a process, of whomever, is gone; 1 when it is still there.
await_end() {
	local tries
	for ((tries = $2 * 20; tries > 0; tries--)); do
		[[ -d /proc/$1 && $(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$1/status" 2>/dev/null) != Z ]] || return 0
		sleep 0.05
	done
	return 1
}

# end_attended: SIGTERM to all, SIGKILL after 15 s (the Procfile runner itself kills after 10).
end_attended() {
	local pid
	for pid in "${attended[@]}"; do kill -TERM "$pid" 2>/dev/null || true; done
	for pid in "${attended[@]}"; do
		await_end "$pid" 15 || kill -KILL "$pid" 2>/dev/null || true
	done
	attended=()
}

# on_end FUNCTION: called once however the script ends; the programs it runs are ended first.
on_end() {
	at_end=$1
	trap 'leave 130' INT
	trap 'leave 143' TERM
	trap 'leave 129' HUP
	trap 'finish $?' EXIT
}
leave() {
	trap '' INT TERM HUP
	exit "$1"
}
finish() {
	trap '' INT TERM HUP
	trap - EXIT
	set +e
	end_attended
	"$at_end"
	exit "$1"
}

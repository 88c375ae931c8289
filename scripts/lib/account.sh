# shellcheck shell=bash
# The account that runs the stores, and where their data lies. PostgreSQL refuses to run as root and
# Redis should not; an ordinary user runs both as itself.

# store_account NAME: the account for the store NAME (postgres or redis): Debian's own, else nobody.
store_account() {
	if [[ $(id -u) -ne 0 ]]; then
		id -un
	elif getent passwd "$1" >/dev/null; then
		echo "$1"
	else
		echo nobody
	fi
}

# as_account ACCOUNT COMMAND…: becomes the account for good: no supplementary groups, no way back.
as_account() {
	local account=$1
	shift
	if [[ $(id -un) == "$account" ]]; then
		"$@"
	else
		HOME=/nonexistent setpriv --reuid "$account" --regid "$(id -g "$account")" --clear-groups --no-new-privs "$@"
	fi
}

# stores_folder prints where the stores' data really lies.
stores_folder() { readlink -f "$state/stores"; }

# prepare_stores makes .state/stores. When root works in a folder that the stores' accounts cannot enter
# (/root/…), the data lies in /var/lib under a name made from the repository's path, and .state/stores points there.
prepare_stores() {
	local outside name account
	if [[ ! -e $state/stores ]]; then
		rm -f "$state/stores"
		if [[ $(id -u) -ne 0 ]] || can_enter "$state"; then
			mkdir "$state/stores"
		else
			outside=/var/lib/vigueur-$(printf %s "$root" | sha256sum | head -c 12)
			# Left by a .state/ that was deleted: its passwords are gone with it, nothing can open it again.
			if [[ -e $outside ]]; then
				stop_strays "$outside"
				rm -rf "$outside"
			fi
			mkdir -p "$outside"
			printf 'The private PostgreSQL and Redis of %s. Remove it with that folder.\n' "$root" >"$outside/README"
			ln -s "$outside" "$state/stores"
		fi
		chmod 755 "$(stores_folder)"
	fi
	for name in postgres redis; do
		account=$(store_account "$name")
		[[ -d $state/stores/$name ]] || mkdir -m 700 "$(stores_folder)/$name"
		if [[ $(stat -c %U "$state/stores/$name") != "$account" ]]; then
			[[ $(id -u) -eq 0 ]] || fail "$state/stores/$name belongs to $(stat -c %U "$state/stores/$name"), and you are $account: use the account that made it, or remove .state as that account."
			chown -R "$account:" "$(stores_folder)/$name"
		fi
	done
}

can_enter() {
	as_account "$(store_account postgres)" test -x "$1" && as_account "$(store_account redis)" test -x "$1"
}

# store_pid NAME: the process id of this copy's store, if it runs. The working folder says whose process
# it is, so that a number left over from before a restart of the machine never names a stranger.
store_pid() {
	local folder pid
	folder=$(stores_folder)/$1
	[[ -r $folder/pid ]] || return 1
	pid=$(head -n1 "$folder/pid")
	[[ $pid =~ ^[0-9]+$ && $(readlink "/proc/$pid/cwd" 2>/dev/null) == "$folder"* ]] || return 1
	echo "$pid"
}

# stop_strays FOLDER: ends the store processes that work in FOLDER although no pid file names them any more: its
# .state/ was removed under them, or only the first process of a store was killed. Both stores survive a kill.
stop_strays() {
	local link folder pid pids=()
	for link in /proc/[0-9]*/cwd; do
		folder=$(readlink "$link" 2>/dev/null) || continue
		[[ $folder == "$1" || $folder == "$1"/* || $folder == "$1 "* ]] || continue
		[[ $(readlink "${link%/cwd}/exe") =~ /(postgres|redis-[a-z-]+)( |$) ]] || continue
		link=${link#/proc/}
		pids+=("${link%/cwd}")
	done
	((${#pids[@]})) || return 0
	say "Ending processes left over in $1: ${pids[*]}"
	kill -KILL "${pids[@]}" 2>/dev/null || true
	for pid in "${pids[@]}"; do await_end "$pid" 10 || true; done
}

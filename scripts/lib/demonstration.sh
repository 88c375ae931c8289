# shellcheck shell=bash
# The steps of scripts/run.

# hold_run_lock: one scripts/run a copy. The kernel frees the lock when the last process that came of the run is gone, so
# after a kill the next start waits for the rest of the former to end, a few seconds at most.
hold_run_lock() {
	exec 7>>"$state/locks/run"
	if ! flock -n 7; then
		local other
		other=$(cat "$state/run.pid" 2>/dev/null || true)
		if [[ -n $other && -d /proc/$other ]]; then
			fail "scripts/run is already running here (process $other) at $(sed -n 's/^VIGUEUR_BASE_URL=//p' "$state/env" 2>/dev/null)"
		fi
		say "Waiting for the processes of the former run to end."
		flock -w 30 7 || fail "The processes of the former run do not end."
	fi
	echo $$ >"$state/run.pid"
}

# start_processes N: the lines of the Procfile, with N workers, kept running. What they print goes to a log;
# show_warnings brings to the screen what a person should see of it.
start_processes() {
	attend_later "$state/libexec/procfile" -env "$state/env" -c "worker=$1" >"$state/log/run.log" 2>&1
	processes=$!
	local tries
	for ((tries = 0; tries < 300; tries++)); do
		[[ $(http_status "$VIGUEUR_LISTEN" /readyz) != 200 ]] || return 0
		[[ -d /proc/$processes ]] || break
		sleep 0.1
	done
	tail -n 20 "$state/log/run.log" >&2
	fail "The server does not become ready; its log is $state/log/run.log"
}

# first_question FIELD: a text of the first line of the sample's questions: its question, or the number of the document
# that holds the answer.
first_question() {
	local line
	line=$(head -n 1 "$root/scripts/sample/questions.jsonl")
	case $1 in
	question) line=$(sed -nE 's/.*"question": *"(([^"\\]|\\.)*)".*/\1/p' <<<"$line") ;;
	document) line=$(sed -nE 's/.*"documents": *\["(([^"\\]|\\.)*)".*/\1/p' <<<"$line") ;;
	esac
	printf '%s\n' "${line//\\\"/\"}"
}

# ingest_sample: once, that is while the catalogue is empty. The scanned issue is the twin of one of the others. It fails where
# the catalogue has law of its own, which the sample gives way to.
ingest_sample() {
	local gazettes=() file known
	known=$("$ingest" documents --json --q "$(first_question document)") || fail "The catalogue cannot be read."
	if grep -qE "\"numero_officiel\": *\"$(first_question document)\"" <<<"$known"; then return 0; fi
	known=$("$ingest" documents --json) || fail "The catalogue cannot be read."
	if grep -qE '"numero_officiel":' <<<"$known"; then return 1; fi
	for file in scripts/sample/gazettes/*.pdf; do
		[[ $file == *-scan.pdf ]] || gazettes+=("$file")
	done
	say "Ingesting the sample gazettes."
	attend "$ingest" add --sample "${gazettes[@]}" || fail "The sample gazettes could not all be ingested; the log is $state/log/run.log"
}

ask_question() {
	local question
	question=$(first_question question)
	printf '\n%s%s%s\n\n' "$bold" "$question" "$plain"
	attend "$ingest" ask "$question" || fail "The question was not answered; the log is $state/log/run.log"
}

# admit_guests: who tries the service has no account yet. What the environment says wins.
admit_guests() {
	export VIGUEUR_PUBLIC_CATALOGUE=${VIGUEUR_PUBLIC_CATALOGUE:-true}
	[[ $VIGUEUR_PUBLIC_CATALOGUE != true ]] || export VIGUEUR_GUEST_QUESTIONS=${VIGUEUR_GUEST_QUESTIONS:-10}
}

# The first administrator, made by print_address.
admin=admin@vigueur.local

# print_address: where it is served, the first administrator, made now so that the password, which is kept nowhere, is on
# the screen as soon as it exists, and three lines to paste.
print_address() {
	local password accounts page=
	accounts=$("$ingest" user list --json) || fail "The accounts cannot be read."
	printf '\nVigueur: %s%s%s\n' "$bold" "$VIGUEUR_BASE_URL" "$plain"
	if [[ $(http_status "$VIGUEUR_LISTEN" /) == 200 ]]; then
		page=$VIGUEUR_BASE_URL/
	else
		printf 'The page is not built in: nodejs and npm, or the package registry, could not be had.\n'
	fi
	if grep -qE '"role": *"admin"' <<<"$accounts"; then
		printf 'Administrator: as before (%s user list; a new password: %s user password)\n' .state/bin/ingest .state/bin/ingest
	else
		password=$(head -c 15 /dev/urandom | base64 | tr '+/' '-_')
		printf '%s\n' "$password" | "$ingest" user create --email "$admin" --name Administration --role admin --password-stdin >/dev/null ||
			fail "The first administrator could not be created."
		accounts+="\"email\": \"$admin\""
		printf 'Administrator: %s%s%s\nPassword:      %s%s%s   (shown this once)\n' "$bold" "$admin" "$plain" "$bold" "$password" "$plain"
	fi
	[[ ${VIGUEUR_GUEST_QUESTIONS:-0} == 0 ]] ||
		printf 'Without an account: texts are read, and %s questions a day asked (VIGUEUR_GUEST_QUESTIONS=0: none)\n' "$VIGUEUR_GUEST_QUESTIONS"
	printf '\nTo paste into another terminal, in this folder:\n'
	printf '  export BASE=%s TOKEN=%s\n' "$VIGUEUR_BASE_URL" "$(demonstration_key "$accounts")"
	printf "  .state/bin/ingest ask \"Que dit l'article 36 du code du travail ?\"\n"
	[[ -z $page ]] || printf '  %s   (the page)\n' "$page"
	printf 'Warnings follow; everything is in %s\nCtrl-C ends it.\n\n' "$state/log/run.log"
}

# demonstration_key ACCOUNTS: an API key of the administrator whom scripts/run made, for questions and documents, for
# thirty days; that of last time while it is accepted. On stores of yours that have no such account none is made.
demonstration_key() {
	local key
	key=$(kept run-key || true)
	if [[ $key && $(http_status "$VIGUEUR_LISTEN" /api/v1/documents "Authorization: Bearer $key") == 200 ]]; then
		printf '%s' "$key"
	elif grep -qE "\"email\": *\"$admin\"" <<<"$1" &&
		key=$("$ingest" keys create --owner "$admin" --name scripts/run --scope chat,documents --days 30 2>/dev/null); then
		keep run-key "$key"
		printf '%s' "$key"
	else
		# shellcheck disable=SC2016 # to be expanded where it is pasted
		printf '"$(.state/bin/ingest keys create --owner ADDRESS --name shell --scope chat,documents)"'
	fi
}

# show_warnings prints what the processes have said so far and say until they end, without the lines of their logs that
# report what went well.
show_warnings() {
	attend_later tail -n +1 --pid="$processes" -f "$state/log/run.log" \
		> >(grep --line-buffered -vE '^[^|]*\| \{"time":"[^"]*","level":"(DEBUG|INFO)"' || true)
}

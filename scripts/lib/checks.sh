# shellcheck shell=bash
# The checks of scripts/check. Each is a command: 0 is good, 77 is "cannot be done here" with the reason as the last
# line of its output, anything else is a failure.

# step NAME COMMAND…: runs one check and tells what came of it.
step() {
	local name=$1 output=$state/log/check-$1.log status=0 began
	shift
	began=${EPOCHREALTIME/[.,]/}
	attend_step "$@" >"$output" 2>&1 || status=$?
	local seconds=$(((${EPOCHREALTIME/[.,]/} - began) / 100000))
	seconds=${seconds:0:-1}.${seconds: -1}
	case $status in
	0)
		printf 'ok    check %-44s %6s s\n' "$name" "${seconds/#./0.}"
		echo "pass $name" >>"$tally"
		;;
	77)
		printf 'skip  check %-44s %6s s  %s\n' "$name" "${seconds/#./0.}" "$(tail -n 1 "$output")"
		echo "skip $name: $(tail -n 1 "$output")" >>"$tally"
		;;
	*)
		printf 'FAIL  check %-44s %6s s\n' "$name" "${seconds/#./0.}"
		cat "$output"
		echo "fail $name" >>"$tally"
		bad=1
		;;
	esac
}

# beside NAME COMMAND…: the same in a shell of its own, at the same time as what follows it. For checks that use one core.
stepping=()
beside() {
	# shellcheck disable=SC2016 # it is the other shell that reads them
	attend_later bash -euo pipefail -c '. "$1/all.sh" && . "$1/checks.sh" && tally=$2 bad=0 && shift 2 && on_end true && step "$@" && exit "$bad"' \
		bash "$root/scripts/lib" "$tally" "$@"
	stepping+=($!)
}

# await_steps waits for all that run beside.
await_steps() {
	local pid
	for pid in "${stepping[@]}"; do await_child "$pid" || bad=1; done
	stepping=()
}

# attend_step runs a program so that it ends with this script; a function, which is of short programs, directly.
attend_step() {
	if [[ $(type -t "$1") == function ]]; then "$@"; else attend "$@"; fi
}

# check_format [FILE…]: these, or all.
check_format() {
	local unformatted
	if (($#)); then
		unformatted=$(gofmt -l "$@")
	else
		unformatted=$(find . \( -name .state -o -name node_modules \) -prune -o -name '*.go' -print0 | xargs -0 -r gofmt -l)
	fi
	[[ -z $unformatted ]] || {
		printf 'gofmt -w is needed for:\n%s\n' "$unformatted"
		return 1
	}
}

# The database of known faults is on a server that a closed network does not reach. That is no fault of the code.
# govulncheck notices only after it has read the source of all modules, in minutes of a busy machine and 1.3 GB.
check_vulnerabilities() {
	local status=0 output=$state/log/govulncheck.log
	if command -v curl >/dev/null && ! curl -sS --max-time 20 -o /dev/null https://vuln.go.dev/index/db.json; then
		echo "its database (vuln.go.dev) cannot be reached from here"
		return 77
	fi
	attend timeout 120 "$state/tools/govulncheck" "${all_packages[@]}" >"$output" 2>&1 || status=$?
	cat "$output"
	if ((status == 124)) || { ((status != 0 && status != 3)) && grep -qiE 'vuln\.go\.dev|dial tcp|timeout|no such host|proxyconnect|forbidden' "$output"; }; then
		echo "its database (vuln.go.dev) cannot be reached from here"
		return 77
	fi
	return "$status"
}

# check_modules: each module requires what it needs and no more, and what is tested together, by go.work, is of the versions
# that each module names, which is what the programs of a release are made of.
check_modules() {
	local folder joined alone versions='{{with .Module}}{{if .Version}}{{.Path}} {{.Version}}{{end}}{{end}}' bad=0
	for folder in "${modules[@]}"; do
		GOWORK=off go -C "$folder" mod tidy -diff || bad=1
		joined=$(go -C "$folder" list -test -deps -f "$versions" ./... | grep -v '^vigueur' | sort -u) || return 1
		alone=$(GOWORK=off go -C "$folder" list -test -deps -f "$versions" ./... | grep -v '^vigueur' | sort -u) || return 1
		diff <(echo "$alone") <(echo "$joined") || {
			echo "The versions on the right are those of go.work: give them to $folder/go.mod."
			bad=1
		}
	done
	return "$bad"
}

# check_apart: the modules that go.work leaves out, since what they need is large, are tidy and can be built.
check_apart() {
	local folder bad=0
	for folder in scripts/benchmark/search scripts/chart; do
		GOWORK=off go -C "$folder" mod tidy -diff || bad=1
		GOWORK=off go -C "$folder" vet ./... || bad=1
	done
	return "$bad"
}

check_generated() {
	[[ -d scripts/sample ]] || return 0
	attend go run ./scripts/sample -check && check_readme
}

# all_scripts are those that are started. What they source, which is in scripts/lib, is read with each of them.
all_scripts() {
	local file
	printf '%s\n' .ci/run scripts/lib/apt-quietly
	for file in scripts/*; do [[ ! -f $file || $file == *.md || $file == */go.* ]] || printf '%s\n' "$file"; done
}

# check_shell [SCRIPT…]: these, or all.
check_shell() {
	local scripts=("$@") file
	((${#scripts[@]})) || mapfile -t scripts < <(all_scripts)
	for file in "${scripts[@]}" scripts/lib/*.sh; do bash -n "$file" || return 1; done
	command -v shellcheck >/dev/null || {
		echo "syntax is good; shellcheck is not installed (apt-get install shellcheck)"
		return 77
	}
	# Each script is read with all that it sources, which takes seconds.
	printf '%s\0' "${scripts[@]}" | attend xargs -0 -n 3 -P "$(nproc)" shellcheck -x
}

# fuzz_all gives each fuzz test its time, on inputs of its own making beyond the recorded ones. The Go command lists the
# tests, so that none is forgotten.
fuzz_all() {
	local folder target list=$state/log/fuzz.txt
	fuzz_targets >"$list" || {
		step fuzz-list false
		return
	}
	while read -r folder target; do
		step "fuzz-${folder//\//-}-$target" go test -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZ_SECONDS:-300}s" "./$folder"
	done <"$list"
}

# fuzz_targets prints the folder and the name of each fuzz test of all modules.
fuzz_targets() {
	local found
	found=$(go test -list '^Fuzz' "${all_packages[@]}") || {
		echo "$found" >&2
		return 1
	}
	awk '/^Fuzz/ { names[++n] = $1; next } $1 == "ok" { sub("^vigueur/", "", $2); for (i = 1; i <= n; i++) print $2, names[i]; n = 0 }' <<<"$found"
}

# check_alerts runs the cases of the alerts, by Debian's promtool or another in PATH.
check_alerts() {
	command -v promtool >/dev/null || {
		echo "promtool is not installed (apt-get install prometheus)"
		return 77
	}
	(cd "$root/deployments/monitoring" && promtool check rules alerts.yaml && promtool test rules alerts_test.yaml)
}

# check_dashboard has a Prometheus look at a loaded system for a while, and the dashboard's and the alerts' figures be there.
check_dashboard() {
	command -v prometheus >/dev/null || {
		echo "prometheus is not installed (apt-get install prometheus)"
		return 77
	}
	attend "$root/scripts/bench" capacity -board "$state/log/dashboard.html"
}

# check_chart renders the Helm chart and holds it against what is kept of it, as values and objects that are right and wrong.
check_chart() {
	GOWORK=off attend go -C "$root/scripts/chart" vet . && GOWORK=off attend go -C "$root/scripts/chart" run . -helm "$root/deployments/helm"
}

# check_contract is the test that scripts/test has, with more requests.
check_contract() {
	[[ -x $state/schemathesis/bin/python ]] || {
		echo "schemathesis is not installed (scripts/setup, with the package index)"
		return 77
	}
	CONTRACT_EXAMPLES=${CONTRACT_EXAMPLES:-200} attend "$root/scripts/test" ./e2e -run '^TestContract' -timeout 60m -count 1 -v
}

# changed_go prints the Go files that differ from the last commit, new ones too and removed ones not.
changed_go() { git diff --name-only --diff-filter=d HEAD -- '*.go' && git ls-files --others --exclude-standard -- '*.go'; }

# changed_packages prints the folders below the root that hold Go files differing from the last commit, new ones too.
changed_packages() {
	local file
	{ git diff --name-only HEAD -- '*.go' && git ls-files --others --exclude-standard -- '*.go'; } | while IFS= read -r file; do
		if [[ $file != */testdata/* ]] && compgen -G "$(dirname "$file")/*.go" >/dev/null; then
			printf './%s\n' "$(dirname "$file")"
		fi
	done | sort -u
}

# changed_scripts prints the scripts that differ from the last commit, or all where something that they source does.
changed_scripts() {
	local differing
	differing=$({ git diff --name-only HEAD -- .ci/run scripts && git ls-files --others --exclude-standard -- scripts; })
	if grep -q '^scripts/lib/.*\.sh$' <<<"$differing"; then
		all_scripts
	else
		grep -xFf <(all_scripts) <<<"$differing" || true
	fi
}

# check_changed is what can be told within seconds about what differs from the last commit. What other packages make of a
# change is left to the whole check.
check_changed() {
	local packages scripts files
	mapfile -t files < <(changed_go)
	mapfile -t packages < <(changed_packages)
	mapfile -t scripts < <(changed_scripts)
	((${#scripts[@]} == 0)) || beside shell check_shell "${scripts[@]}"
	((${#files[@]} == 0)) || step format check_format "${files[@]}"
	if ((${#packages[@]})); then
		step golangci-lint "$state/tools/golangci-lint" run --allow-parallel-runners "${packages[@]}"
	fi
	step imports go test -count=1 ./internal/kit/archtest
	[[ ! -f README.md ]] || step readme check_readme
	await_steps
}

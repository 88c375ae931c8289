# shellcheck shell=bash disable=SC2154
# Which packages are tested with the race detector: those whose code or tests start goroutines or hold locks, and no
# others. The detector makes what only computes five to ten times slower, and finds nothing there.

# What a goroutine is started, awaited or kept out by. sync.Once and its kind are good however they are used.
concurrent='^[[:space:]]*go (func|[a-z])|(^|[^[:alnum:]_])chan([^[:alnum:]_]|$)|sync/atomic|internal/kit/parallel"|errgroup|sync\.(Mutex|RWMutex|WaitGroup|Map|Pool|Cond)|synctest|AfterFunc'

# Tests of other processes, which are built without the detector, whatever the tests do to wait for them.
outside=(e2e e2e/browser e2e/page)

# without_detector DIRECTORY: whether the package in it, below the root, is tested without.
without_detector() {
	local folder
	for folder in "${outside[@]}"; do [[ $1 != "$folder" ]] || return 0; done
	! grep -qE "$concurrent" "$root/$1"/*.go
}

# sort_packages PATTERN…: the packages that the patterns name, into the lists raced and unraced. Those without tests are
# only compiled, which what checks the code has done, too, without the detector. costly is what of raced measures how
# work grows with its input (cost_test.go, Test…Linear): the detector would slow it down tenfold, so it runs without.
sort_packages() {
	local listed folder tests
	listed=$(go -C "$root" list -e -f '{{.Dir}} {{len .TestGoFiles}}{{len .XTestGoFiles}}' "$@") || return 1
	raced=() unraced=() costly=()
	while read -r folder tests; do
		folder=${folder#"$root"} folder=${folder#/}
		if [[ $tests == 00 ]] || without_detector "$folder"; then unraced+=("./$folder"); else
			raced+=("./$folder")
			[[ ! -e $root/$folder/cost_test.go ]] || costly+=("./$folder")
		fi
	done <<<"$listed"
}

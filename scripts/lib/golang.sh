# shellcheck shell=bash
# The Go toolchain, the project's binaries and the checking tools, each by its exact version.

golangci_version=v2.15.0 # which holds staticcheck v0.8.2
govulncheck_version=v1.8.0
oapi_codegen_version=v2.8.2
crane_version=v0.22.1

# need_go finds a Go that can build the module: the one in PATH, else the place go.dev's own instructions name.
need_go() {
	command -v go >/dev/null || PATH=$PATH:/usr/local/go/bin
	local wanted have
	wanted=$(sed -n 's/^go //p' "$root/go.mod")
	command -v go >/dev/null || fail "Go $wanted or newer is needed and not in PATH: see https://go.dev/doc/install."
	have=$(cd "$root" && go env GOVERSION 2>/dev/null) || fail "Go $wanted or newer is needed; $(command -v go) is $(go version)."
	have=${have#go}
	[[ $(printf '%s\n%s\n' "$wanted" "${have%% *}" | sort -V | head -n1) == "$wanted" ]] ||
		fail "Go $wanted or newer is needed; $(command -v go) is $have."
}

# need_room MIB: ends the script where the disk has less room than a whole run of the tests writes. Go drops what nothing has
# used for five days from its build cache; a few clones in a day make 60 GB of it, so that what nothing has used for two
# hours (Go marks a use at most once an hour) is dropped first.
need_room() {
	local cache folder
	cache=$(go env GOCACHE)
	mkdir -p "$cache"
	for folder in "$cache" "${TMPDIR:-/tmp}" "$state"; do
		if (($(room_at "$folder") < $1)) && [[ $cache == /?*/?* ]]; then
			say "The disk is short of room: dropping what Go has compiled and nothing has used for two hours, in $cache."
			find "$cache" -type f -mmin +120 -delete || true
		fi
		(($(room_at "$folder") >= $1)) ||
			fail "The tests need $1 MiB of disk and $folder has $(room_at "$folder") left. \"go clean -cache\" gives back $(du -sm "$cache" 2>/dev/null | cut -f1) MiB, to be compiled again."
	done
}

# room_at FOLDER: the MiB that may still be written there.
room_at() { df --output=avail -BM "$1" | sed -n '2s/[^0-9]//gp'; }

# The modules that go.work joins, as folders. A pattern of the Go command like ./... ends where another module begins, so that
# what concerns all packages names them all. Those that go.work leaves out need GOWORK=off.
modules=(. ./clients/go ./e2e ./internal/kit/testkit ./lab ./scripts)
all_packages=("${modules[@]/%//...}")
product_packages=(./... ./clients/go/... ./e2e/... ./internal/kit/testkit/... ./scripts/...) # all but the laboratory's

# linker_flags VERSION: leave out what only a debugger reads, and write the version into the programs. The Go command does so
# by itself only where GOFLAGS has no -buildvcs=false and Git trusts the owner of the folder.
linker_flags() { echo "-s -w -X vigueur/internal/kit/version.version=$1"; }

# What the builds are, for attend: the three programs go into .state/bin, the scripts' own into .state/libexec. The checks
# and a developer's own "go build" and "go vet" compile with the same flags, so that each package is compiled once for all
# of them; what only a debugger reads is left out where the programs are linked.
build_binaries=(go -C "$root" build -ldflags="$(linker_flags "$(product_version)")" -o "$state/bin/" ./api ./worker ./ingest)
build_own_tools=(go -C "$root" build -o "$state/libexec/" ./scripts/procfile ./scripts/testsum)

# install_tool NAME VERSION PACKAGE: builds one tool unless this Go has built that version before. The
# binaries lie in the account's cache, so that a second clone finds them; .state/tools points to them.
install_tool() {
	local name=$1 version=$2 package=$3 cache
	cache=${XDG_CACHE_HOME:-$HOME/.cache}/vigueur/tools/$(go env GOVERSION)/$name@$version
	if [[ ! -x $cache/$name ]]; then
		say "Building $name $version (once for this machine; golangci-lint takes about a minute)."
		mkdir -p "$cache"
		GOBIN=$cache GOFLAGS='' go install "$package@$version"
	fi
	mkdir -p "$state/tools"
	ln -sfn "$cache/$name" "$state/tools/$name"
}

install_tools() {
	install_tool govulncheck "$govulncheck_version" golang.org/x/vuln/cmd/govulncheck
	install_tool golangci-lint "$golangci_version" github.com/golangci/golangci-lint/v2/cmd/golangci-lint
}

# write_contract: writes the OpenAPI document to $state/openapi.json; the file stays as it is if nothing has changed.
write_contract() {
	local part
	part=$(mktemp "$state/openapi.XXXXXX")
	attend go -C "$root/scripts" run ./openapi >"$part" || { rm -f "$part"; return 1; }
	cmp -s "$part" "$state/openapi.json" || cp "$part" "$state/openapi.json"
	rm -f "$part"
}

# make_go_client: generates the Go client's methods from the OpenAPI document, unless it is there and newer.
make_go_client() {
	local folder=$root/clients/go document=$state/openapi.json
	local made=$folder/client.gen.go part
	write_contract || return 1
	[[ $made -nt $document && $made -nt $folder/oapi-codegen.yaml && $made -nt $folder/overlay.yaml ]] && return
	install_tool oapi-codegen "$oapi_codegen_version" github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen || return 1
	part=$(mktemp "$state/libexec/client.XXXXXX")
	(cd "$folder" && attend "$state/tools/oapi-codegen" -config oapi-codegen.yaml -o "$part" "$document") && chmod 644 "$part" && mv -f "$part" "$made" && return
	rm -f "$part"
	return 1
}

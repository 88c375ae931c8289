# shellcheck shell=bash
# Where this copy of the repository stands, what it keeps under .state/, and how the scripts speak.
# Sourced first by every script. Sets root (the repository) and state (its private folder).

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
state=$root/.state

if [[ -t 2 && -z ${NO_COLOR:-} ]]; then
	bold=$'\e[1m' dim=$'\e[2m' red=$'\e[31m' plain=$'\e[0m'
else
	bold='' dim='' red='' plain=''
fi

say() { printf '%s%s%s\n' "$dim" "$*" "$plain" >&2; }
warn() { printf '%s%s%s\n' "$bold" "$*" "$plain" >&2; }
fail() {
	printf '%s%s%s\n' "$red" "$*" "$plain" >&2
	exit 1
}

# prepare_state makes .state/ and its folders, and keeps two copies of the repository apart: a .state/
# that came along with `cp -a` still names the ports, the secrets and the stores of the original, so
# it is put aside. One that was moved together with its repository stays.
prepare_state() {
	local origin=''
	[[ -r $state/place ]] && origin=$(<"$state/place")
	if [[ -n $origin && $origin != "$root" && -d $origin/.state && ! $origin/.state -ef $state ]]; then
		local aside
		aside=$root/.state.copied-$(date +%Y%m%d%H%M%S)
		mv "$state" "$aside"
		warn ".state/ was copied from $origin, whose stores it names: put aside as ${aside##*/}, this copy begins with its own."
	fi
	mkdir -p "$state" 2>/dev/null || fail "Cannot create $state: $(id -un) may not write to $root."
	[[ -w $state ]] || fail "$state belongs to $(stat -c %U "$state"), and you are $(id -un): use that account, or remove the folder as that account."
	# Traversable by the account that runs the stores when root starts them; what is secret is 0600 or 0700 in itself.
	chmod 755 "$state"
	mkdir -p "$state/bin" "$state/libexec" "$state/locks" "$state/log"
	mkdir -p "$state/blobs" "$state/mail" "$state/index" "$state/kept"
	chmod 700 "$state/blobs" "$state/mail" "$state/index" "$state/kept"
	printf '%s\n' "$root" >"$state/place"
}

# product_version: 1.2.3 of a tag v1.2.3, 1.2.3+4.gabcdef0 behind it, 0.0.0+git.abcdef0 without any.
product_version() {
	local said
	said=$(git -C "$root" describe --tags --match 'v[0-9]*' 2>/dev/null) ||
		said=v0.0.0-git-$(git -C "$root" rev-parse --short=7 HEAD 2>/dev/null || echo unknown)
	said=${said#v}
	said=${said/-/+}
	echo "${said//-/.}"
}

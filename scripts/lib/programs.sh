# shellcheck shell=bash disable=SC2154
# Programs of the repository that are called by a name: a folder below scripts/ holds one folder for each.

# list_programs FOLDER: each program's name and what its first comment says of it.
list_programs() {
	local main about
	for main in "$1"/*/main.go; do
		[[ -e $main ]] || continue
		about=$(sed -n '1s|^// Command [a-z0-9-]* *||p' "$main")
		printf '  %-20s %s\n' "$(basename "$(dirname "$main")")" "$about"
	done
}

# build_program FOLDER NAME PREFIX: builds one, which may be a module of its own that go.work leaves out, as PREFIX-NAME.
build_program() {
	[[ ! -e $1/$2/go.mod ]] || local -x GOWORK=off
	attend go -C "$1/$2" build -o "$state/libexec/$3-$2" .
}

# shellcheck shell=bash disable=SC2154
# The programs of the release before, to be tried on this one's schema.

# previous_revision: the last tag before this commit; without one, the commit of internal/store/postgres/testdata/previous.txt.
previous_revision() {
	git -C "$root" describe --tags --match 'v[0-9]*' --abbrev=0 HEAD^ 2>/dev/null ||
		cut -d ' ' -f 1 "$root/internal/store/postgres/testdata/previous.txt"
}

# build_previous: makes them, without the page, in the folder that it prints; 77 where the history does not reach so far.
build_previous() {
	local revision commit folder
	revision=$(previous_revision)
	if ! commit=$(git -C "$root" rev-parse --verify --quiet "$revision^{commit}"); then
		echo "the history of this clone does not reach back to $revision (git fetch --unshallow --tags)"
		return 77
	fi
	folder=$state/previous/$commit
	if [[ ! -x $folder/bin/ingest ]]; then
		rm -rf "$folder"
		mkdir -p "$folder/source" "$folder/bin"
		git -C "$root" archive "$commit" | tar -x -C "$folder/source"
		# It lies below this repository, whose go.work knows nothing of it.
		GOWORK=off attend go -C "$folder/source" build -o "$folder/bin/" ./api ./worker ./ingest >&2 || return 1
		rm -rf "$folder/source"
	fi
	echo "$folder/bin"
}

# check_previous runs the tests of the release before beside this one.
check_previous() {
	local status=0 bin
	bin=$(build_previous) || status=$?
	if ((status)); then
		echo "$bin"
		return "$status"
	fi
	VIGUEUR_TEST_PREVIOUS_BIN=$bin attend "$root/scripts/test" ./e2e -run '^TestPrevious' -count 1 -v
}

# previous_package PROGRAMS VERSION FOLDER: a package of these programs as the release before packed its own, in FOLDER. It
# is of the scripts and of what is installed that an upgrade can go wrong, whatever the programs are. A release that had no
# package yet is stood for by this one's.
previous_package() {
	local revision commit source=$3/source packing
	revision=$(previous_revision)
	if ! commit=$(git -C "$root" rev-parse --verify --quiet "$revision^{commit}"); then
		echo "the history of this clone does not reach back to $revision (git fetch --unshallow --tags)"
		return 77
	fi
	packing=$root
	if git -C "$root" cat-file -e "$commit:scripts/package" 2>/dev/null; then
		packing=$source
		mkdir -p "$source"
		git -C "$root" archive "$commit" scripts deployments docs CHANGELOG.md go.mod | tar -x -C "$source"
	fi
	attend "$packing/scripts/package" --programs "$1" "$2" || return 1
	mv "$packing/.state/packages/vigueur_$2_$(dpkg --print-architecture).deb" "$3/old.deb"
	rm -rf "$source" "$packing/.state/packages/vigueur_$2_"*.sha256
}

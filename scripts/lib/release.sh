# shellcheck shell=bash disable=SC2154
# What a release must be, before anything is made of it. Each function says what is wrong by fail.

# release_notes VERSION FILE: what the changelog says of a version: the lines below its head, up to the next one.
release_notes() {
	awk -v head="## [$1] - " '
		index($0, head) == 1 { found = 1; next }
		found && /^## / { exit }
		found { lines[++n] = $0; if ($0 != "") last = n }
		END {
			first = 1
			while (first <= last && lines[first] == "") first++
			for (i = first; i <= last; i++) print lines[i]
			exit last == 0
		}' "$2"
}

# may_release VERSION again|new: whether what is checked out may be released as that version. again: its tag is there and
# is what is checked out; new: there is no such tag.
may_release() {
	local version=$1 how=$2 at
	[[ $version =~ ^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?$ ]] ||
		fail "« $version » is no version: 1.2.3 or 1.2.3-rc.1."
	[[ -z $(git -C "$root" status --porcelain) ]] || fail "There are changes that are not committed: a release is what is committed."
	grep -qE "^## \[${version//./\\.}\] - [0-9]{4}-[0-9]{2}-[0-9]{2}\$" "$root/CHANGELOG.md" ||
		fail "CHANGELOG.md does not know $version: it wants a head « ## [$version] - $(date -u +%F) » above what is new."
	release_notes "$version" "$root/CHANGELOG.md" >/dev/null || fail "CHANGELOG.md says nothing of $version."
	at=$(git -C "$root" rev-parse -q --verify "refs/tags/v$version^{commit}" || true)
	if [[ $how == again ]]; then
		[[ $at == "$(git -C "$root" rev-parse HEAD)" ]] || fail "v$version is not what is checked out: git checkout v$version"
	elif [[ $at ]]; then
		fail "v$version was released already (${at:0:7}). To make its files again: git checkout v$version && scripts/release --again $version"
	fi
}

# release_documents FOLDER: the documents and samples of an archive, where they are in the repository, with the files that a
# document points to: the paths that they name hold.
release_documents() {
	local folder=$1 page link target
	mkdir -p "$folder/deployments"
	cp "$root"/{LICENSE,README.md,CHANGELOG.md,CONTRIBUTING.md,SECURITY.md} "$folder/"
	cp -r "$root/docs" "$folder/"
	cp -r "$root"/deployments/{systemd,backup,proxies,monitoring,helm} "$folder/deployments/"
	while IFS=: read -r page link; do
		link=${link#](}
		[[ $link != *:* ]] || continue # an address
		target=$(realpath -m --relative-to="$root" "$(dirname "$page")/$link")
		[[ $target != ..* && -f $root/$target ]] || continue
		mkdir -p "$folder/$(dirname "$target")"
		cp "$root/$target" "$folder/$target"
	done < <(grep -roE --include='*.md' '\]\([^)# ]+' "$root"/{README,CHANGELOG,CONTRIBUTING,SECURITY}.md "$root/docs")
}

# says_version FOLDER VERSION: whether the programs of this machine's archive in the folder, if there is one, say that version.
says_version() {
	local archive=$1/vigueur-$2-linux-$(dpkg --print-architecture).tar.gz program said
	[[ -f $archive ]] || return 0
	program=$(mktemp "$state/libexec/ingest.XXXXXX")
	tar -xzOf "$archive" "vigueur-$2-linux-$(dpkg --print-architecture)/bin/ingest" >"$program"
	chmod +x "$program"
	said=$("$program" version) || said="nothing, and ends with an error"
	rm -f "$program"
	[[ $said == "vigueur $2,"* ]] || fail "The program « ingest » of the archive says « ${said%%$'\n'*} », not $2."
}

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

# sum_of FILE: its SHA-256.
sum_of() { sha256sum -- "$1" | cut -d' ' -f1; }

# make_formula FOLDER VERSION ADDRESS: the Homebrew formula of the command, whose archives in the folder will be published
# under the address.
make_formula() {
	local folder=$1 version=$2 address=$3 system processor
	one() {
		local name=vigueur-command-$version-$2-$3.tar.gz
		printf '    on_%s do\n      url "%s/%s"\n      sha256 "%s"\n    end\n' "$1" "$address" "$name" "$(sum_of "$folder/$name")"
	}
	{
		printf 'class Vigueur < Formula\n  desc "Operator command of Vigueur, which answers questions of law from gazettes"\n'
		printf '  homepage "%s"\n  version "%s"\n  license "Apache-2.0"\n' "$address" "$version"
		for system in macos:darwin linux:linux; do
			printf '\n  on_%s do\n' "${system%:*}"
			for processor in arm:arm64 intel:amd64; do one "${processor%:*}" "${system#*:}" "${processor#*:}"; done
			printf '  end\n'
		done
		cat <<-'END'

			  def install
			    bin.install "vigueur"
			    man1.install "vigueur.1"
			    bash_completion.install "completions/vigueur.bash" => "vigueur"
			    zsh_completion.install "completions/_vigueur"
			    fish_completion.install "completions/vigueur.fish"
			  end

			  test do
			    assert_match version.to_s, shell_output("#{bin}/vigueur version")
			  end
			end
		END
	} >"$folder/vigueur.rb"
}

# make_winget FOLDER VERSION ADDRESS: the winget manifest of the command for Windows, in the folder winget.
make_winget() {
	local folder=$1 version=$2 address=$3 name=vigueur-command-$2-windows-amd64.exe at=$1/winget
	mkdir -p "$at"
	head_of() {
		printf 'PackageIdentifier: Vigueur.Vigueur\nPackageVersion: "%s"\n' "$version"
	}
	tail_of() { printf 'ManifestType: %s\nManifestVersion: 1.10.0\n' "$1"; }
	{ head_of && printf 'DefaultLocale: fr-FR\n' && tail_of version; } >"$at/Vigueur.Vigueur.yaml"
	{
		head_of
		printf 'Installers:\n- Architecture: x64\n  InstallerType: portable\n  Commands: [vigueur]\n  InstallerUrl: %s/%s\n  InstallerSha256: %s\n' \
			"$address" "$name" "$(sum_of "$folder/$name" | tr a-f A-F)"
		tail_of installer
	} >"$at/Vigueur.Vigueur.installer.yaml"
	{
		head_of
		printf 'PackageLocale: fr-FR\nPublisher: Vigueur\nPackageName: Vigueur\nLicense: Apache-2.0\nShortDescription: %s\n' "La commande de l’opérateur de Vigueur, qui répond à des questions de droit d’après les gazettes."
		tail_of defaultLocale
	} >"$at/Vigueur.Vigueur.locale.fr-FR.yaml"
}

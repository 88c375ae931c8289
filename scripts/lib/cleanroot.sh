# shellcheck shell=bash disable=SC2154
# A Debian that has nothing but itself, to try the package in.

# clean_root prints the archive of one, which is made by debootstrap the first time and lies in the account's cache; 77 with
# the reason where it cannot be made.
clean_root() {
	local suite=bookworm archive folder
	archive=${XDG_CACHE_HOME:-$HOME/.cache}/vigueur/roots/$suite-$(dpkg --print-architecture).tar
	if [[ ! -e $archive ]]; then
		command -v debootstrap >/dev/null || {
			echo "debootstrap is not installed (apt-get install debootstrap)"
			return 77
		}
		mkdir -p "${archive%/*}"
		folder=$(mktemp -d "$state/root.XXXXXX")
		chmod 755 "$folder" # it becomes /, which every account enters
		if ! attend debootstrap --variant=minbase --include=ca-certificates,systemd "$suite" "$folder" >&2; then
			rm -rf "$folder"
			echo "debootstrap cannot make a $suite here (see above)"
			return 77
		fi
		attend tar -C "$folder" --numeric-owner --exclude='./var/cache/apt/archives/*' -cf "$archive.$$" .
		rm -rf "$folder"
		mv "$archive.$$" "$archive"
	fi
	echo "$archive"
}

# check_package installs, upgrades, removes and purges the package in a clean root.
check_package() {
	local status=0 archive folder new
	new=$state/packages/vigueur_9.9.9_$(dpkg --print-architecture).deb
	[[ $(id -u) -eq 0 ]] || {
		echo "only root installs packages"
		return 77
	}
	archive=$(clean_root) || status=$?
	((status == 0)) || { echo "$archive" && return "$status"; }
	folder=$(mktemp -d "$state/packages.XXXXXX")
	attend "$root/scripts/package" 9.9.9 && mv "$new" "$folder/new.deb" && rm -f "$new.sha256" &&
		dpkg-deb --extract "$folder/new.deb" "$folder/tree" &&
		previous_package "$folder/tree/usr/lib/vigueur" 0.0.1 "$folder" || status=$?
	((status)) || VIGUEUR_TEST_CLEAN_ROOT=$archive VIGUEUR_TEST_PACKAGES="$folder/old.deb $folder/new.deb" \
		attend go -C "$root" test -count=1 -v -run '^(TestPackage|TestDebian)' ./scripts/scripttest || status=$?
	rm -rf "$folder"
	return "$status"
}

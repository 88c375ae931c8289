# shellcheck shell=bash
# Debian packages: what is missing is installed by apt, with the reason said, and without the machine
# gaining a running PostgreSQL or Redis of its own.

postgres_folder() { # the binaries of PostgreSQL 15, else of the newest later one
	local folder
	for folder in /usr/lib/postgresql/15/bin $(compgen -G '/usr/lib/postgresql/*/bin' | sort -rV); do
		[[ -x $folder/initdb && $(basename "$(dirname "$folder")") -ge 15 ]] && {
			echo "$folder"
			return 0
		}
	done
	return 1
}

has_redis() { [[ $(redis-server --version 2>/dev/null) =~ v=([0-9]+) && ${BASH_REMATCH[1]} -ge 7 ]]; }
has_french_ocr() { tesseract --list-langs 2>/dev/null | grep -qx fra; }
has_faketime() { compgen -G '/usr/lib/*/faketime/libfaketime.so.1' >/dev/null; }
has_c_compiler() { echo '#include <stdlib.h>' | ${CC:-gcc} -E - >/dev/null 2>&1; }

# missing_packages prints "packages|reason" for each thing that is not there.
missing_packages() {
	postgres_folder >/dev/null || echo "postgresql-15|the store of documents, conversations and work"
	has_redis || echo "redis-server|the queue and the stream of answers (7 or newer)"
	command -v pdftotext >/dev/null || echo "poppler-utils|reading the text of PDF files"
	command -v tesseract >/dev/null && has_french_ocr || echo "tesseract-ocr tesseract-ocr-fra|reading scanned pages in French"
	command -v restic >/dev/null || echo "restic|backups"
	has_c_compiler || echo "gcc libc6-dev|the race detector of the tests"
	has_python_venv || echo "python3 python3-venv|the test of the HTTP interface against its document"
	command -v setpriv >/dev/null && command -v flock >/dev/null || echo "util-linux|locks and unprivileged processes"
}

# as_root COMMAND…: runs it directly when root, else through sudo.
as_root() {
	if [[ $(id -u) -eq 0 ]]; then "$@"; else sudo "$@"; fi
}

install_packages() {
	local missing names=() line
	missing=$(missing_packages)
	[[ -z $missing ]] && return 0
	say "These Debian packages are missing:"
	while IFS= read -r line; do
		say "  ${line%%|*}: ${line#*|}"
		read -ra words <<<"${line%%|*}"
		names+=("${words[@]}")
	done <<<"$missing"
	command -v apt-get >/dev/null || fail "There is no apt-get here: install them another way, then start again."
	if [[ $(id -u) -ne 0 ]] && ! command -v sudo >/dev/null; then
		fail "Only root can install them, and there is no sudo here. As root: apt-get install ${names[*]}"
	fi
	say "Installing them with apt-get$([[ $(id -u) -eq 0 ]] || echo ' through sudo, which may ask for your password')."
	as_root bash "$root/scripts/lib/apt-quietly" "${names[@]}" ||
		fail "apt-get could not install them. As root: apt-get install ${names[*]}"
	missing=$(missing_packages)
	[[ -z $missing ]] || fail "Still missing after the installation: ${missing//$'\n'/; }"
}

# install_for_tests installs what a single test needs, which skips itself without it: nobody is held up
# where it cannot be had.
install_for_tests() {
	has_faketime || install_for_test libfaketime "the test of clocks that differ" || true
	command -v shellcheck >/dev/null || install_for_test shellcheck "the check of the scripts" || true
	command -v chromium >/dev/null || install_for_test "chromium fonts-liberation" "the tests of the web page" || true
}

# install_for_test PACKAGES WHAT
install_for_test() {
	local names
	read -ra names <<<"$1"
	if [[ $(id -u) -ne 0 ]] && ! sudo -n true 2>/dev/null; then
		say "${names[0]} is missing: $2 will be skipped. As root: apt-get install $1"
		return 1
	fi
	say "Installing ${names[0]} with apt-get, for $2."
	as_root bash "$root/scripts/lib/apt-quietly" "${names[@]}" || {
		say "It could not be installed: $2 will be skipped."
		return 1
	}
}

# shellcheck shell=bash disable=SC2154
# schemathesis, which holds a running server against its OpenAPI document: in a Python environment of its own under
# .state/, by the exact versions of scripts/schemathesis/requirements.txt. Debian's own Python makes it: what stands first
# in PATH may be another, without venv.

schemathesis_python=/usr/bin/python3

has_python_venv() { "$schemathesis_python" -c 'import ensurepip, venv' >/dev/null 2>&1; }

# install_schemathesis does nothing while the pins are those of the last installation. Where the package index cannot be
# reached it says so and goes on: the test that needs it is then skipped, and says so too.
install_schemathesis() {
	local pins=$root/scripts/schemathesis/requirements.txt place=$state/schemathesis
	cmp -s "$pins" "$place/pins" && return 0
	say "Installing schemathesis, which tests the HTTP interface (about half a minute)."
	rm -rf "$place"
	if attend "$schemathesis_python" -m venv "$place" >"$state/log/schemathesis.log" 2>&1 &&
		attend "$place/bin/python" -m pip install --quiet --no-deps --disable-pip-version-check -r "$pins" >>"$state/log/schemathesis.log" 2>&1; then
		cp "$pins" "$place/pins"
	else
		rm -rf "$place"
		warn "schemathesis could not be installed ($state/log/schemathesis.log); its test will be skipped."
	fi
}

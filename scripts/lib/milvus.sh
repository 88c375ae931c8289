# shellcheck shell=bash disable=SC2154
# Milvus Lite, for the tests of what searches a Milvus: a Python environment of its own under .state/milvus, installed
# once by scripts/setup and never needed to run.

milvus_home=$state/milvus

# install_python HOME REQUIREMENTS: a Python environment in HOME/venv with what REQUIREMENTS names, every file by its hash;
# HOME/installed says of which requirements it is whole.
install_python() {
	local home=$1 requirements=$2
	mkdir -p "$home"
	rm -rf "$home/venv" "$home/installed"
	if ! python3 -c 'import venv, ensurepip' 2>/dev/null; then
		as_root bash "$root/scripts/lib/apt-quietly" python3-venv || true
	fi
	if python3 -m venv "$home/venv" >"$state/log/python.log" 2>&1 &&
		attend "$home/venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --require-hashes \
			-r "$requirements" >>"$state/log/python.log" 2>&1; then
		cp "$requirements" "$home/installed"
		return 0
	fi
	rm -rf "$home/venv"
	return 1
}

has_milvus() {
	[[ -x $milvus_home/venv/bin/milvus-lite ]] && cmp -s "$root/scripts/milvus/requirements.txt" "$milvus_home/installed"
}

# install_milvus: Milvus Lite, for the tests of what searches a Milvus, every file by its hash. What is missing is said,
# and is no failure: they skip without it.
install_milvus() {
	has_milvus && return 0
	say "Installing Milvus Lite, for tests (455 MB, once for this copy)."
	install_python "$milvus_home" "$root/scripts/milvus/requirements.txt" ||
		warn "Milvus Lite could not be installed: $(tail -n 1 "$state/log/python.log"). Its tests skip; scripts/setup tries again."
}

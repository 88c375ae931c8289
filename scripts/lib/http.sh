# shellcheck shell=bash
# Asking our own server whether it is there, without curl, which a fresh Debian lacks.

# http_status HOST:PORT PATH [HEADER]: prints the status code, nothing when nobody answers within 5 s.
http_status() {
	local host=${1%:*} port=${1##*:} header=${3:+$3$'\r\n'}
	case $host in '' | 0.0.0.0 | '[::]') host=127.0.0.1 ;; esac
	# shellcheck disable=SC2016 # expanded by the inner shell
	timeout 5 bash -c 'exec 3<>"/dev/tcp/$1/$2" || exit 1
		printf "GET %s HTTP/1.1\r\nHost: %s:%s\r\n%sConnection: close\r\n\r\n" "$3" "$1" "$2" "$4" >&3
		read -r _ code _ <&3 && echo "$code"' bash "$host" "$port" "$2" "$header" 2>/dev/null || true
}

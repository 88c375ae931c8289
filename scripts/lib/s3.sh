# shellcheck shell=bash
# An S3 server for the deep check: versitygw over a folder, which verifies signatures and regions as Amazon's does. Its
# build takes some minutes the first time.

versitygw_version=v1.8.0

# check_s3 runs the tests of the file store against the server.
check_s3() {
	local folder server status=0 port
	install_tool versitygw "$versitygw_version" github.com/versity/versitygw/cmd/versitygw
	folder=$(mktemp -d "$state/s3.XXXXXX")
	mkdir "$folder/gazettes"
	port=$(kept_port s3-port)
	ROOT_ACCESS_KEY=gazettes ROOT_SECRET_KEY=only-for-tests "$state/tools/versitygw" --port "127.0.0.1:$port" --region eu-test --quiet \
		posix "$folder" >"$state/log/versitygw.log" 2>&1 &
	server=$!
	for _ in {1..100}; do
		! port_is_free "$port" || ! kill -0 "$server" 2>/dev/null || sleep 0.1
	done
	if ! port_is_free "$port"; then
		VIGUEUR_TEST_BUCKET_URL="s3://gazettes/pdf?region=eu-test&endpoint=http://127.0.0.1:$port" \
			VIGUEUR_TEST_BUCKET_KEY=gazettes:only-for-tests go test -count=1 ./internal/store/blobs || status=$?
	else
		say "versitygw did not start: see $state/log/versitygw.log" && status=1
	fi
	kill "$server" 2>/dev/null || true
	wait "$server" 2>/dev/null || true
	rm -rf "$folder"
	return "$status"
}

# shellcheck shell=bash disable=SC2154
# The web page: its packages by npm, by the exact versions of api/web/package-lock.json, and its bundle. Nothing that runs
# needs node: without npm, or where the package registry cannot be reached, the programs are built without the page.

web=$root/api/web

has_npm() { command -v npm >/dev/null && command -v node >/dev/null; }
has_page_packages() { cmp -s "$web/package-lock.json" "$web/node_modules/.installed"; }

# install_page does nothing while the packages are those of the lock file. What failed is not tried again for an hour.
install_page() {
	[[ -e $web/package-lock.json ]] || return 0
	has_page_packages && return 0
	local failed=$state/kept/page-failed
	if [[ -n $(find "$failed" -mmin -60 2>/dev/null) ]] && cmp -s "$web/package-lock.json" "$failed"; then return 0; fi
	if ! has_npm && ! install_npm; then
		warn "nodejs and npm are missing: the web page is left out, and its tests are skipped. As root: apt-get install nodejs npm"
		return 0
	fi
	say "Fetching the packages of the web page (about a quarter of a minute)."
	if attend timeout 300 npm --prefix "$web" ci --ignore-scripts --omit=optional --no-audit --no-fund --fetch-retries=1 --fetch-timeout=30000 \
		>"$state/log/npm.log" 2>&1; then
		cp "$web/package-lock.json" "$web/node_modules/.installed"
		rm -f "$failed"
	else
		cp "$web/package-lock.json" "$failed"
		warn "The packages of the web page could not be fetched ($state/log/npm.log): it is left out, and its tests are skipped."
	fi
}

install_npm() {
	if [[ $(id -u) -ne 0 ]] && ! sudo -n true 2>/dev/null; then return 1; fi
	command -v apt-get >/dev/null || return 1
	say "Installing nodejs and npm with apt-get, to build the web page."
	as_root bash "$root/scripts/lib/apt-quietly" nodejs npm && has_npm
}

# build_page makes the bundle that the API embeds, unless it is that of the sources already.
build_page() {
	if ! has_page_packages; then return 0; fi
	attend go -C "$root/scripts" run ./bundle || fail "The web page cannot be built."
}

# check_page holds the page's types against the OpenAPI document and runs the tests of its logic.
check_page() {
	if ! has_npm || ! has_page_packages; then
		echo "the page's packages are not here (npm, or the package registry)"
		return 77
	fi
	local bin=$web/node_modules/.bin tests=$state/page-tests
	write_contract && attend "$bin/openapi-typescript" "$state/openapi.json" -o "$web/src/api/schema.d.ts" &&
		attend "$bin/tsc" --project "$web" || return 1
	rm -rf "$tests"
	attend go -C "$root/scripts" run ./bundle -tests "$tests" && attend node --test "$tests"/*.mjs
}

# make_ts_types: generates the types of the TypeScript client.
make_ts_types() {
	write_contract && attend "$web/node_modules/.bin/openapi-typescript" "$state/openapi.json" -o "$root/clients/ts/src/schema.ts" >/dev/null
}

# make_ts_client FOLDER [VERSION]: generates the types of the TypeScript client and packs it with npm into the folder, as that
# version. Its libraries are those of the page, in the same versions.
make_ts_client() {
	local client=$root/clients/ts try=$state/ts-client library
	make_ts_types || return 1
	rm -rf "$try"
	mkdir -p "$try/node_modules"
	cp -r "$client/src" "$client/package.json" "$client/tsconfig.json" "$client/README.md" "$try"
	for library in openapi-fetch openapi-typescript-helpers eventsource-parser typescript .bin; do
		ln -s "$web/node_modules/$library" "$try/node_modules/$library" || return 1
	done
	[[ -z ${2:-} ]] || (cd "$try" && attend npm pkg set "version=$2") || return 1
	(cd "$try" && attend npm pack --silent --pack-destination "$1")
}

# check_ts_client: what npm packs of the TypeScript client works.
check_ts_client() {
	if ! has_npm || ! has_page_packages; then
		echo "the page's packages are not here (npm, or the package registry)"
		return 77
	fi
	local use=$state/ts-client-used library
	rm -rf "$use"
	mkdir -p "$use/node_modules/vigueur-client"
	make_ts_client "$use" || return 1
	cp -r "$root/clients/ts/test" "$root/clients/ts/example" "$use"
	for library in openapi-fetch openapi-typescript-helpers eventsource-parser typescript .bin; do
		ln -s "$web/node_modules/$library" "$use/node_modules/$library" || return 1
	done
	tar -xzf "$use"/vigueur-client-*.tgz -C "$use/node_modules/vigueur-client" --strip-components=1 &&
		attend node --test "$use/test/client.test.mjs"
}

# shellcheck shell=bash disable=SC2034,SC2154
# Everything the scripts share. Each file says at its head what it is about.

lib=$(dirname "${BASH_SOURCE[0]}")
# shellcheck source=scripts/lib/place.sh
. "$lib/place.sh"
# shellcheck source=scripts/lib/attend.sh
. "$lib/attend.sh"
# shellcheck source=scripts/lib/golang.sh
. "$lib/golang.sh"
# shellcheck source=scripts/lib/packages.sh
. "$lib/packages.sh"
# shellcheck source=scripts/lib/schemathesis.sh
. "$lib/schemathesis.sh"
# shellcheck source=scripts/lib/page.sh
. "$lib/page.sh"
# shellcheck source=scripts/lib/account.sh
. "$lib/account.sh"
# shellcheck source=scripts/lib/settings.sh
. "$lib/settings.sh"
# shellcheck source=scripts/lib/together.sh
. "$lib/together.sh"
# shellcheck source=scripts/lib/postgres.sh
. "$lib/postgres.sh"
# shellcheck source=scripts/lib/redis.sh
. "$lib/redis.sh"
# shellcheck source=scripts/lib/milvus.sh
. "$lib/milvus.sh"
# shellcheck source=scripts/lib/previous.sh
. "$lib/previous.sh"
# shellcheck source=scripts/lib/cleanroot.sh
. "$lib/cleanroot.sh"
# shellcheck source=scripts/lib/s3.sh
. "$lib/s3.sh"
# shellcheck source=scripts/lib/http.sh
. "$lib/http.sh"
# shellcheck source=scripts/lib/programs.sh
. "$lib/programs.sh"
# shellcheck source=scripts/lib/detector.sh
. "$lib/detector.sh"
# shellcheck source=scripts/lib/stores.sh
. "$lib/stores.sh"

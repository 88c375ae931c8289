# shellcheck shell=bash disable=SC2154
# What of the tests runs at the same time, and how many connections to PostgreSQL it may open together.

# One more package than there are cores: the whole-system tests mostly wait.
packages_at_once=$(($(nproc) + 1))

# Whole systems: e2e has as many as it runs tests at once, which is told by VIGUEUR_TEST_AT_ONCE, and e2e/page has three. In each
# of them up to eight processes run, where those of a rolling restart overlap.
whole_tests_at_once=6
systems_of_the_page=3
processes_of_a_system=8

# A test within a package opens the database once or twice, with what a command and a worker's leases use, and makes and removes it
# with a further one.
connections_of_a_test=16

# connections_of_a_process: the default of VIGUEUR_DATABASE_CONNECTIONS, which a test holds against its description.
connections_of_a_process() {
	sed -n 's/^| `VIGUEUR_DATABASE_CONNECTIONS` |[^|]*| `\([0-9]*\)` |.*/\1/p' "$root/docs/operating/settings.md" | grep . ||
		fail "docs/operating/settings.md does not tell the default of VIGUEUR_DATABASE_CONNECTIONS."
}

# test_connections prints how many connections the tests may have open at once, and ten for who looks.
test_connections() {
	local process
	process=$(connections_of_a_process)
	echo $(((whole_tests_at_once + systems_of_the_page) * processes_of_a_system * process + packages_at_once * $(nproc) * connections_of_a_test + 10))
}

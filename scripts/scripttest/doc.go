// Package scripttest holds the tests of the shell scripts: it makes copies of them in folders of their own and
// calls them as people do. It has no code besides; it needs PostgreSQL and Redis installed, and skips without.
package scripttest

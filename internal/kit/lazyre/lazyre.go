// Package lazyre provides regular expressions that are compiled when they are first used.
// Otherwise, compiling the hundreds of expressions in package variables would take half of
// the processor time of each short process. An invalid expression panics at its first use,
// so a test of each package with such expressions calls CompileAll.
package lazyre

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression, safe for concurrent use. Its methods are those of
// regexp.Regexp.
type Regexp struct {
	compiled func() *regexp.Regexp
}

var (
	mutex sync.Mutex
	all   []*Regexp
)

// New returns a regular expression for a package variable.
func New(expr string) *Regexp { return Of(func() string { return expr }) }

// Of returns a regular expression for a package variable. expr is called when the
// expression is first used, and returns its text.
func Of(expr func() string) *Regexp {
	r := &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr()) })}
	mutex.Lock()
	defer mutex.Unlock()
	all = append(all, r)
	return r
}

// CompileAll compiles all expressions of the program and returns their number. It panics if
// one is invalid.
func CompileAll() int {
	mutex.Lock()
	defer mutex.Unlock()
	for _, r := range all {
		r.compiled()
	}
	return len(all)
}

// MatchString reports whether s has a match.
func (r *Regexp) MatchString(s string) bool { return r.compiled().MatchString(s) }

// Match reports whether b has a match.
func (r *Regexp) Match(b []byte) bool { return r.compiled().Match(b) }

// FindString returns the first match, "" if there is none.
func (r *Regexp) FindString(s string) string { return r.compiled().FindString(s) }

// FindStringIndex returns the start and end of the first match, nil if there is none.
func (r *Regexp) FindStringIndex(s string) []int { return r.compiled().FindStringIndex(s) }

// FindStringSubmatch returns the first match and its groups, nil if there is none.
func (r *Regexp) FindStringSubmatch(s string) []string { return r.compiled().FindStringSubmatch(s) }

// FindStringSubmatchIndex returns the start and end of the first match and of its groups,
// nil if there is no match.
func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	return r.compiled().FindStringSubmatchIndex(s)
}

// FindAllStringIndex returns the start and end of the first n matches, of all if n < 0.
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringIndex(s, n)
}

// FindAllStringSubmatchIndex returns the start and end of the first n matches and of their
// groups, of all if n < 0.
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringSubmatchIndex(s, n)
}

// FindSubmatch returns the first match and its groups, nil if there is none.
func (r *Regexp) FindSubmatch(b []byte) [][]byte { return r.compiled().FindSubmatch(b) }

// FindAllIndex returns the start and end of the first n matches, of all if n < 0.
func (r *Regexp) FindAllIndex(b []byte, n int) [][]int { return r.compiled().FindAllIndex(b, n) }

// FindAllSubmatch returns the first n matches and their groups, all if n < 0.
func (r *Regexp) FindAllSubmatch(b []byte, n int) [][][]byte {
	return r.compiled().FindAllSubmatch(b, n)
}

// ReplaceAllString returns s with each match replaced; $1 in the replacement is the first group.
func (r *Regexp) ReplaceAllString(s, replacement string) string {
	return r.compiled().ReplaceAllString(s, replacement)
}

// ReplaceAllStringFunc returns s with each match replaced by the result of replace for it.
func (r *Regexp) ReplaceAllStringFunc(s string, replace func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(s, replace)
}

// Split splits s at its matches into at most n pieces, into all if n < 0.
func (r *Regexp) Split(s string, n int) []string { return r.compiled().Split(s, n) }

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

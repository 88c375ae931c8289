// Package lazyre has regular expressions that are compiled when they are first used. The
// hundreds of them in package variables would otherwise take half of the processor time of
// each short process. An expression that does not compile panics at its first use; a test of
// each package that has some calls CompileAll instead.
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

// New returns the regular expression of a package variable.
func New(expr string) *Regexp { return Of(func() string { return expr }) }

// Of returns the regular expression of a package variable whose text is made when it is first
// used.
func Of(expr func() string) *Regexp {
	r := &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr()) })}
	mutex.Lock()
	defer mutex.Unlock()
	all = append(all, r)
	return r
}

// CompileAll compiles all expressions of the program and returns how many these are. It panics
// at one that does not compile.
func CompileAll() int {
	mutex.Lock()
	defer mutex.Unlock()
	for _, r := range all {
		r.compiled()
	}
	return len(all)
}

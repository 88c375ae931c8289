package main

import (
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/pflag"

	"vigueur/internal/kit/terminal"
)

// programName is the name of the program in its texts. Packages install it under another.
const programName = "ingest"

var (
	// nameForm is the form of a name that commands can be typed with.
	nameForm = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
	// called matches the name of the program before a subcommand or an option, and in that of its completions.
	called = regexp.MustCompile(`\bingest( [a-z]| --|\.fish)`)
)

// nameOf returns what the program with a path is called.
func nameOf(path string) string {
	name := strings.TrimSuffix(filepath.Base(path), ".exe")
	if !nameForm.MatchString(name) {
		return programName
	}
	return name
}

// named returns a text with the name that the program was called by, so that commands in it can be pasted.
func (a *app) named(text string) string {
	if a.name == "" || a.name == programName {
		return text
	}
	return renamedIn(text, a.name)
}

// renamedIn returns a text with another name of the program.
func renamedIn(text, name string) string { return called.ReplaceAllString(text, name+"$1") }

// nameInHelp gives the help of an option the name of the program.
func (a *app) nameInHelp(f *pflag.Flag) { f.Usage = a.named(f.Usage) }

// renaming returns w, or an output that gives texts that are written to it the name of the program.
func (a *app) renaming(w io.Writer) io.Writer {
	if a.name == "" || a.name == programName {
		return w
	}
	if s, ok := w.(terminal.Screen); ok {
		return terminal.Screen{Writer: renamed{s.Writer, a}, Width: s.Width}
	}
	return renamed{w, a}
}

// renamed gives texts the name of the program.
type renamed struct {
	io.Writer
	*app
}

// Write implements io.Writer.
func (r renamed) Write(p []byte) (int, error) {
	if _, err := io.WriteString(r.Writer, r.named(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"vigueur/internal/kit/terminal"
)

// outputs opens what --quiet and --log-file say about the outputs of the command, before the command runs.
//
// With --quiet, remarks, progress and the sentence that says that a command did its work go nowhere; errors, questions and
// the data that were asked for stay. With --log-file, all of them except the data also go to the file.
func (a *app) outputs(c *cobra.Command) error {
	remarks := a.err
	if a.silent {
		remarks, a.terminal = io.Discard, false
	}
	if a.logPath != "" {
		file, err := os.OpenFile(a.logPath, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return usage("Le journal « %s » ne peut pas être ouvert : %v.", a.logPath, reasonOf(err))
		}
		a.log = &logFile{file: file, now: time.Now, began: time.Now()}
		fmt.Fprintf(a.log, "%s, processus %d\n", c.CommandPath(), os.Getpid())
		remarks = io.MultiWriter(remarks, a.log)
		a.terminal = false // a bar would fill the file with the codes that draw it
		a.always = io.MultiWriter(a.err, a.log)
	}
	a.err = remarks
	c.Root().SetErr(a.always)
	return nil
}

// outcome returns the output of the sentences that say that a command did its work.
func (a *app) outcome() io.Writer {
	switch {
	case a.silent && a.log != nil:
		return a.renaming(a.log)
	case a.silent:
		return io.Discard
	case a.log == nil:
		return a.renaming(a.out)
	}
	both := io.MultiWriter(a.out, a.log)
	if s, ok := a.out.(terminal.Screen); ok {
		return a.renaming(terminal.Screen{Writer: both, Width: s.Width}) // a table still fits the terminal
	}
	return a.renaming(both)
}

// closeLog ends the log of --log-file with the exit code. What could not be written is said once, at the end, because the
// work of the command does not depend on it.
func (a *app) closeLog(code int, screen io.Writer) {
	if a.log == nil {
		return
	}
	fmt.Fprintf(a.log, "fin, code %d, %s\n", code, time.Since(a.log.began).Round(time.Millisecond))
	if err := a.log.close(); err != nil {
		fmt.Fprintf(screen, "Le journal « %s » est incomplet : %v.\n", a.logPath, reasonOf(err))
	}
}

// reasons are frequent causes of errors of the file system, in French.
var reasons = []struct {
	of   error
	said string
}{
	{fs.ErrNotExist, "introuvable"}, {fs.ErrPermission, "accès refusé"}, {fs.ErrExist, "il existe déjà"}, {syscall.ENOSPC, "plus de place"},
	{syscall.EISDIR, "c’est un dossier"}, {syscall.ENOTDIR, "un dossier du chemin n’en est pas un"}, {io.ErrUnexpectedEOF, "la fin manque"},
}

// reasonOf describes the cause of an error of the file system. The path and the call are left out, because the sentence
// around it names the file.
func reasonOf(err error) string {
	for _, r := range reasons {
		if errors.Is(err, r.of) {
			return r.said
		}
	}
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		return fmt.Sprintf("ce n’est pas du JSON, à l’octet %d", syntax.Offset)
	}
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return failed.Err.Error()
	}
	return err.Error()
}

// logFile writes lines to a file, each behind its time. It never fails, because a full disk must not stop a command half-way.
type logFile struct {
	mu    sync.Mutex
	file  *os.File
	now   func() time.Time
	began time.Time
	rest  []byte // the line that is not complete yet
	fault error  // the first error of writing
}

// Write writes the complete lines of p, and keeps the rest until its end comes. A file that other commands write too gets each
// line whole.
func (l *logFile) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, p...)
	for {
		end := bytes.IndexByte(l.rest, '\n')
		if end < 0 {
			return len(p), nil
		}
		l.line(l.rest[:end])
		l.rest = l.rest[end+1:]
	}
}

// line writes a line with its time, in UTC.
func (l *logFile) line(text []byte) {
	if text = bytes.TrimSpace(text); len(text) == 0 {
		return
	}
	_, err := fmt.Fprintf(l.file, "%s %s\n", l.now().UTC().Format("2006-01-02T15:04:05.000Z"), text)
	if err != nil && l.fault == nil {
		l.fault = err
	}
}

// close writes what is left and closes the file. It returns the first error of writing.
func (l *logFile) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.line(l.rest)
	if err := l.file.Close(); err != nil && l.fault == nil {
		l.fault = err
	}
	return l.fault
}

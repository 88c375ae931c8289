// Command ingest is the operator's hand on Vigueur: it feeds gazettes in and
// waits for them, asks questions from a terminal, manages accounts and the
// schema, and shows the settings in effect.
//
// It does nothing slow itself: files and questions become rows, the workers do
// the work, and the command follows the rows. So it may be interrupted at any
// moment, and what it began goes on. Its texts are French; its exit codes are a
// contract (see exit.go) that scripts may rely on.
package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"

	"vigueur/internal/config"
	"vigueur/internal/pdftext"
	"vigueur/internal/relay"
)

func main() {
	pdftext.Main() // the measures read PDFs, in a child that is this program again
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second Ctrl-C ends the process at once.
	context.AfterFunc(ctx, stop)
	relay.LogTo(slog.New(slog.DiscardHandler)) // what it says comes back as our errors
	a := &app{
		in: os.Stdin, out: screenOf(os.Stdout), err: screenOf(os.Stderr),
		environ:  config.Environ(),
		terminal: term.IsTerminal(int(os.Stderr.Fd())),
		secret:   readSecret,
		question: readLine,
		poll:     200 * time.Millisecond,
		stalled:  15 * time.Second,
	}
	code := a.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// app is one run of the command: what it reads, writes and knows.
type app struct {
	in       io.Reader
	out, err io.Writer
	environ  map[string]string
	terminal bool // err is a terminal: bars may be drawn
	// secret asks for a password on the terminal, without showing it; ok is false
	// when in is none.
	secret func(prompt string) (line string, ok bool, err error)
	// question asks for a line on the terminal; ok is false when in is none.
	question func(prompt string) (line string, ok bool, err error)
	poll     time.Duration // between two looks at the rows that are waited for
	stalled  time.Duration // without progress: something is said
	json     bool          // --json
}

// readSecret asks on the process's own terminal.
func readSecret(prompt string) (line string, ok bool, err error) {
	fd := int(os.Stdin.Fd())
	if !term.IsTerminal(fd) {
		return "", false, nil
	}
	if _, err := os.Stderr.WriteString(prompt); err != nil {
		return "", true, err
	}
	typed, err := term.ReadPassword(fd)
	_, _ = os.Stderr.WriteString("\n") // the operator's own return was not shown
	return string(typed), true, err
}

// readLine asks on the process's own terminal.
func readLine(prompt string) (line string, ok bool, err error) {
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return "", false, nil
	}
	if _, err := os.Stderr.WriteString(prompt); err != nil {
		return "", true, err
	}
	line, err = bufio.NewReader(io.LimitReader(os.Stdin, 4096)).ReadString('\n')
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return strings.TrimSpace(line), true, err
}

// Command ingest is the operator's command line: it adds gazettes and follows their
// ingestion, asks questions, manages accounts and the schema, and shows the settings in
// effect.
//
// It leaves slow work to the workers: files and questions become rows, workers process the
// rows, and the command follows them. So the command can be interrupted at any moment
// without stopping the work. Its messages are French; its exit codes are a contract for
// scripts (see exit.go).
package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
	"vigueur/internal/kit/officetext"

	"golang.org/x/term"

	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/ops/config"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/relay"
)

func main() {
	pdftext.Main()    // PDFs are read in a child process, which runs this program
	officetext.Main() // documents in another
	ocr.Main()        // and tesseract in a third, which confines itself first
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// After the first Ctrl-C, a second one ends the process at once.
	context.AfterFunc(ctx, stop)
	relay.LogTo(slog.New(slog.DiscardHandler)) // its failures are returned as errors
	a := &app{
		name: nameOf(os.Args[0]),
		in:   os.Stdin, out: terminal.ScreenOf(os.Stdout), err: terminal.ScreenOf(os.Stderr),
		environ:  config.Environ(),
		terminal: term.IsTerminal(int(os.Stderr.Fd())),
		secret:   readSecret,
		question: readLine,
		poll:     200 * time.Millisecond,
		stalled:  15 * time.Second,
		busy:     postgres.CommandWait,
	}
	code := a.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// app is one run of the command, with its inputs and outputs.
type app struct {
	name     string // what the program is called; empty: ingest
	in       io.Reader
	out, err io.Writer
	environ  map[string]string
	terminal bool // whether err is a terminal, so that bars may be drawn
	// secret asks for a password on the terminal without showing it. ok is false if in is not
	// a terminal.
	secret func(prompt string) (line string, ok bool, err error)
	// question asks for a line on the terminal. ok is false if in is not a terminal.
	question func(prompt string) (line string, ok bool, err error)
	poll     time.Duration // polling interval for rows
	stalled  time.Duration // time without progress after which a message is printed
	busy     time.Duration // time to wait for a database server without a free connection
	json     bool          // --json
	silent   bool          // --quiet
	logPath  string        // --log-file
	log      *logFile      // the open file of logPath
	always   io.Writer     // the standard error also with --quiet, for errors and questions

	running     *declaration      // the command that runs
	profileName string            // --profile
	transport   http.RoundTripper // to servers; nil: the default one
}

// readSecret asks for a password on the terminal of the process.
func readSecret(prompt string) (line string, ok bool, err error) {
	fd := int(os.Stdin.Fd())
	if !term.IsTerminal(fd) {
		return "", false, nil
	}
	if _, err := os.Stderr.WriteString(prompt); err != nil {
		return "", true, err
	}
	typed, err := term.ReadPassword(fd)
	_, _ = os.Stderr.WriteString("\n") // the line end that the user typed was not shown
	return string(typed), true, err
}

// readLine asks for a line on the terminal of the process.
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

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
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"

	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/officetext"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/ops/config"
	"vigueur/internal/store/blobs"
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
		name: strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe"),
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
	if _, err := os.Stderr.WriteString(terminal.Clean(prompt)); err != nil {
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
	if _, err := os.Stderr.WriteString(terminal.Clean(prompt)); err != nil {
		return "", true, err
	}
	line, err = bufio.NewReader(io.LimitReader(os.Stdin, 4096)).ReadString('\n')
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return strings.TrimSpace(line), true, err
}

// settings reads the settings. Where there is none at all, the error says how to work on a server from here.
func (a *app) settings() (config.Ingest, error) {
	c, err := config.LoadIngest(a.environ)
	if err != nil && a.environ["VIGUEUR_DATABASE_URL"] == "" && a.environ["VIGUEUR_REDIS_URL"] == "" {
		return c, usage("Aucun service n’est réglé sur cette machine. Pour travailler sur un serveur : ingest login https://droit.example\n"+
			"Sur la machine du service, ses réglages manquent à la commande. %s", errs.Public(err))
	}
	return c, err
}

// onThisMachine returns an error if the profile in use is that of another machine.
func (a *app) onThisMachine() error {
	p, err := a.profile()
	if err == nil && p != nil {
		err = usage("Cette commande travaille sur la machine du service même, pas sur %s : connectez-vous à cette machine. Si un service tourne ici : --profile %s.", p.Address, localProfile)
	}
	return err
}

// withDB calls f with the open database. If the server goes down during f, or if the schema is outdated, the returned
// error says so.
func (a *app) withDB(ctx context.Context, f func(db *postgres.DB) error) error {
	c, err := a.settings()
	if err != nil {
		return err
	}
	db, err := a.open(ctx, c.DatabaseURL)
	if err != nil {
		return err
	}
	defer db.Close()
	err = f(db)
	switch kind := errs.KindOf(err); {
	case err == nil || ctx.Err() != nil:
	case kind == errs.Unavailable:
		if down := db.Ping(ctx); down != nil {
			return down
		}
	case kind == errs.Internal:
		if following := a.behind(ctx, c.DatabaseURL); following != nil {
			return following
		}
	}
	return err
}

// open connects to the database at url. If the server has no free connection, open reports this, and returns an error
// after a.busy.
func (a *app) open(ctx context.Context, url string) (*postgres.DB, error) {
	return postgres.OpenFor(ctx, url, postgres.Program{Wait: a.busy, Waiting: func(time.Duration, error) {
		if a.json {
			return
		}
		fmt.Fprintf(a.err, "PostgreSQL ne prend aucune connexion pour l’instant. Attente de %v au plus…\n", a.busy)
	}})
}

// behind returns an error if the schema is outdated.
func (a *app) behind(ctx context.Context, url string) error {
	steps, err := postgres.MigrationStatus(ctx, url)
	if err != nil {
		return nil // the first error says more
	}
	for _, s := range steps {
		if s.Applied == nil {
			return errs.New(errs.Unavailable, "La base n’est pas à jour. Mettez-la à jour : ingest migrate up")
		}
	}
	return nil
}

// openFiles opens the store of the PDF files.
func openFiles(c config.Ingest) (blobs.Store, error) {
	return blobs.Open(blobs.Settings{URL: c.BlobsURL, Key: c.BlobsKey})
}

// noWorker is the French message that no worker runs.
const noWorker = "Aucun worker ne tourne : le travail attend. Démarrez-en un : systemctl start vigueur-worker@1, un conteneur worker, ou scripts/run dans une copie du dépôt."

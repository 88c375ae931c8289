package pdftext

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"vigueur/internal/kit/confine"
)

// Variables of the child's environment. Besides them it holds only variables that
// the Go runtime reads.
const (
	envChild = "VIGUEUR_PDFTEXT_CHILD" // "1"
	envCache = "VIGUEUR_PDFTEXT_CACHE" // folder of compiled code, may be empty
)

// policy is what the child may do. The child can read and write its cache of compiled code and no
// other file. Its address space has room for the engine's memory, which is reserved at once, a picture and
// the frame that carries the picture, besides what the process had at its start.
func policy(cacheDir string) confine.Policy {
	p := confine.Policy{
		MoreAddressSpace: 4 << 30,
		CPUSeconds:       900,
		FileBytes:        128 << 20, // the compiled code, written once
		OpenFiles:        64,
	}
	if cacheDir != "" {
		p.Write = []string{cacheDir}
	}
	return p
}

// Exit codes of the child.
const (
	exitProtocol = 70 // the parent sent an invalid request or is gone, or the child could not be confined
	exitTrap     = 71 // PDFium failed
)

// Main runs the child and then ends the process, if this process was started as a
// child. Otherwise Main returns at once. Every program that opens documents must
// call Main first in its main function, and every package that does, in its TestMain.
func Main() {
	if os.Getenv(envChild) != "1" {
		return
	}
	os.Exit(runChild())
}

// runChild confines the process, starts the engine and serves until the parent closes its end.
func runChild() (code int) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(os.Stderr, "%v\n%s", v, debug.Stack())
			code = exitTrap
		}
	}()
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	s, err := prepare(os.Getenv(envCache))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		if errors.Is(err, errConfine) {
			return exitProtocol
		}
		return send(out, reply{Fault: faultEngine})
	}
	if code := send(out, reply{Ready: true}); code != 0 {
		return code
	}
	if err := s.serve(os.Stdin, out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitProtocol
	}
	return 0
}

// errConfine is the error of a process that could not be confined. Such a process must not read any byte of a PDF.
var errConfine = errors.New("confine")

// prepare confines this process, starts the engine, and then forbids this process to open any file. The cache holds
// code that other children execute, so it must be out of reach before the first byte of a PDF is read.
func prepare(cacheDir string) (*server, error) {
	if err := policy(cacheDir).Apply(); err != nil {
		return nil, fmt.Errorf("%w: %w", errConfine, err)
	}
	s, err := newServer(cacheDir)
	if err != nil {
		return nil, err
	}
	if err := confine.NoFiles(); err != nil {
		return nil, fmt.Errorf("%w: %w", errConfine, err)
	}
	return s, nil
}

func send(out *bufio.Writer, r reply) int {
	if errors.Join(writeJSON(out, r), out.Flush()) != nil {
		return exitProtocol
	}
	return 0
}

// server reads one file after another, each with a new engine.
type server struct {
	*engine // engine of the open file; if no file is open, engine of the next file
	library *library
	doc     uint64
	pages   int // of doc; 0: no file is open
}

func newServer(cacheDir string) (*server, error) {
	l, err := newLibrary(context.Background(), cacheDir)
	if err != nil {
		return nil, err
	}
	e, err := l.fresh()
	return &server{engine: e, library: l}, err
}

// anyPage reports whether at least one page can be loaded.
func (e *engine) anyPage(doc uint64, pages int) bool {
	for n := 1; n <= pages; n++ {
		if e.withPage(doc, n, func(uint64) {}) {
			return true
		}
	}
	return false
}

// serve answers the requests of in until in ends. Each page is sent as soon as it
// is read, so that the parent knows which page killed a child that dies.
func (s *server) serve(in io.Reader, out *bufio.Writer) error {
	for {
		var q request
		if err := readJSON(in, &q); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if err := s.answer(q, in, out); err != nil {
			return err
		}
	}
}

func (s *server) answer(q request, in io.Reader, out *bufio.Writer) error {
	switch {
	case q.Op == "open" && s.pages == 0:
		doc, hello := s.open(in, q.Size)
		s.doc, s.pages = doc, hello.Pages
		return errors.Join(writeJSON(out, hello), out.Flush())
	case q.Op == "close":
		return s.close()
	case q.From < 1 || q.From > s.pages || q.To > s.pages:
		return fmt.Errorf("%w: pages %d to %d of %d", errFrame, q.From, q.To, s.pages)
	case q.Op == "read":
		return s.serveRead(s.doc, q, out)
	case q.Op == "render":
		return s.serveRender(s.doc, q, out)
	}
	return fmt.Errorf("%w: operation %q", errFrame, q.Op)
}

// close closes the file and replaces the engine. The old engine's memory goes back
// to the system, because a child that waits for a file should hold little memory.
func (s *server) close() (err error) {
	s.doc, s.pages, s.engine = 0, 0, nil
	if s.engine, err = s.library.fresh(); err != nil {
		return err
	}
	debug.FreeOSMemory()
	return nil
}

func (e *engine) serveRead(doc uint64, q request, out *bufio.Writer) error {
	for n := q.From; n <= q.To; n++ {
		p := e.read(doc, n)
		if err := errors.Join(writePage(out, p), out.Flush()); err != nil {
			return err
		}
	}
	return nil
}

func (e *engine) serveRender(doc uint64, q request, out *bufio.Writer) error {
	size, pixels, err := e.render(doc, q.From, q.DPI)
	if err != nil {
		size, pixels = size.Sub(size), nil
	}
	return errors.Join(writeJSON(out, reply{Width: size.X, Height: size.Y}),
		writeFrame(out, kindImage, pixels), out.Flush())
}

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

// What the parent puts into the child's environment, which holds nothing else
// but what Go itself reads.
const (
	envChild = "VIGUEUR_PDFTEXT_CHILD" // "1"
	envCache = "VIGUEUR_PDFTEXT_CACHE" // folder of compiled code, may be empty
)

// policy is what the child may do. It writes the compiled code to its cache, and reads no other
// file. The address space holds the engine's memory, its copy while it grows, a picture and its
// frame, besides what the process had at its start.
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
	exitProtocol = 70 // the parent spoke nonsense, or is gone
	exitTrap     = 71 // PDFium failed
)

// Main runs the child and ends the process, when this process was started as
// one; else it returns at once. Call it first in the main of every program, and
// in the TestMain of every package, that opens documents.
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

// errConfine is the error of a process that could not be confined, and must read no foreign byte.
var errConfine = errors.New("confine")

// prepare confines this process and starts the engine, after which the process can open no file at all. The cache
// holds code that other children execute, so it is out of reach before the first foreign byte is read.
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

// server reads one file after the other, each in an engine of its own.
type server struct {
	*engine // of the file that is open, or of the next one
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

// serve answers requests until in ends. Each page is sent as soon as it is
// read, so that the parent knows which one it was when the child dies.
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

// close ends the file and all that PDFium made of it, whose memory goes back to
// the system: a child that waits is to hold little.
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

package pdftext

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
)

// What the parent puts into the child's environment, which holds nothing else
// but what Go itself reads.
const (
	envChild = "VIGUEUR_PDFTEXT_CHILD" // "1"
	envCache = "VIGUEUR_PDFTEXT_CACHE" // folder of compiled code, may be empty
)

// fileFD is the descriptor on which the child finds the PDF.
const fileFD = 3

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

// runChild confines the process, opens the file and serves until the parent
// closes its end.
func runChild() (code int) {
	if err := confine(); err != nil {
		fmt.Fprintln(os.Stderr, "confine:", err)
		return exitProtocol
	}
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(os.Stderr, "%v\n%s", v, debug.Stack())
			code = exitTrap
		}
	}()
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	e, err := newEngine(context.Background(), os.Getenv(envCache))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return send(out, reply{Fault: faultEngine})
	}
	if code := send(out, reply{Ready: true}); code != 0 {
		return code
	}
	file := os.NewFile(fileFD, "pdf")
	doc, hello := e.hello(file)
	if code := send(out, hello); code != 0 || hello.Fault != "" {
		return code
	}
	if err := e.serve(doc, os.Stdin, out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitProtocol
	}
	return 0
}

func send(out *bufio.Writer, r reply) int {
	if errors.Join(writeJSON(out, r), out.Flush()) != nil {
		return exitProtocol
	}
	return 0
}

// hello opens the file and says what is in it.
func (e *engine) hello(file *os.File) (doc uint64, hello reply) {
	info, err := file.Stat()
	if err != nil {
		return 0, reply{Fault: faultDamaged}
	}
	// By position: the children of one document share the descriptor's offset.
	doc, hello.Fault = e.open(io.NewSectionReader(file, 0, info.Size()), info.Size())
	hello.Expect, hello.Cut = expected(file, info.Size()), cut(file, info.Size())
	if hello.Fault != "" {
		return 0, hello
	}
	hello.Pages = e.pages(doc)
	if hello.Pages <= 0 || hello.Cut && !e.anyPage(doc, hello.Pages) {
		hello.Fault = faultNoPages
	}
	return doc, hello
}

// anyPage tells whether at least one page can be loaded.
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
func (e *engine) serve(doc uint64, in io.Reader, out *bufio.Writer) error {
	pages := e.pages(doc)
	for {
		var q request
		if err := readJSON(in, &q); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if q.From < 1 || q.From > pages || q.To > pages {
			return fmt.Errorf("%w: pages %d to %d of %d", errFrame, q.From, q.To, pages)
		}
		var err error
		switch q.Op {
		case "read":
			err = e.serveRead(doc, q, out)
		case "render":
			err = e.serveRender(doc, q, out)
		default:
			err = fmt.Errorf("%w: operation %q", errFrame, q.Op)
		}
		if err != nil {
			return err
		}
	}
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

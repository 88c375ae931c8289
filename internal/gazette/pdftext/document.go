// Package pdftext reads PDF files as pages of positioned words, and renders pages for OCR.
//
// A PDF is untrusted: it is parsed by PDFium in WebAssembly, in a child process. The child is
// this executable started again (Main) with an empty environment, the file on standard input,
// and limits on address space, CPU time, file size and descriptors (package confine). On Linux
// (amd64, arm64) it cannot open sockets or start programs; where the kernel has Landlock it can
// open no file once its engine is compiled, and where the kernel allows it has a network
// namespace without interfaces. It dies with its parent. A child may read several files
// (Spares), each in a PDFium that shares no memory with the previous one.
//
// A child that crashes or stalls costs one page, never the caller or the file: the page gets a
// French message in Page.Fault, and another child continues after it. A crash is retried once,
// a stall is not. A file on which children crash again and again is Unprocessable.
//
// Errors of Open: Unsupported (not a PDF), Unprocessable (password, damage), NotFound,
// Internal (the child cannot be started), Unavailable (it does not start in time). All have a
// message for the operator.
package pdftext

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/pdfhead"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
)

// maxDeaths is how many pages of one file may kill or stall their child before
// the file is given up.
const maxDeaths = 12

// Document is an open PDF. Its methods may be called from several goroutines
// and run one after the other.
type Document struct {
	reader Reader
	file   *os.File

	mu     sync.Mutex
	child  *process // nil: to be started by the next call
	hello  reply
	deaths int
	closed bool

	// The child reads ahead while the caller works on the last run of pages. asked
	// is the last page that the child was asked for, 0 if no answer is outstanding;
	// next is the next page that it will send. kept holds pages that were received
	// but that no caller has asked for yet.
	next, asked int
	kept        []layout.Page
}

// Pages is how many pages the document has. Each of them can be asked for.
func (d *Document) Pages() int { return d.hello.Pages }

// Missing is how many pages are lost, as in a file that lost its end: the number of
// pages that the file claims, less Pages. It is 0 if no page is lost, or if the file
// claims no number.
func (d *Document) Missing() int { return max(0, d.hello.Expect-d.hello.Pages) }

// Read returns the pages from..to, both included and counted from 1. Their words are
// not arranged into lines. A page that cannot be read has no words, and has the
// reason in Fault. Errors: Invalid for pages that do not exist, Unprocessable when
// the file was given up, and the cause of ctx's end.
func (d *Document) Read(ctx context.Context, start, end int) ([]layout.Page, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if start < 1 || end < start || end > d.hello.Pages {
		return nil, errs.Newf(errs.Invalid, "Les pages %d à %d n’existent pas : le fichier en a %d.", start, end, d.hello.Pages)
	}
	out := make([]layout.Page, 0, end-start+1)
	retried := 0
	for start <= end {
		// Without this check, a quick child could answer in spite of a cancelled ctx.
		if err := context.Cause(ctx); err != nil {
			return out, err
		}
		got, err := d.readRun(ctx, start, end)
		out = append(out, got...)
		start += len(got)
		if err == nil {
			continue
		}
		fault, err := d.bury(ctx, start, err)
		if err != nil {
			return out, err
		}
		if fault == "" && retried != start {
			retried = start // earlier pages may have caused the crash: try this page in a new child
			continue
		}
		if fault == "" {
			fault = damagedPage(start)
		}
		out = append(out, layout.Page{Number: start, Source: layout.None, Fault: fault})
		start++
	}
	return out, nil
}

// Render paints page n in grey at dpi pixels per inch. If the picture would have
// more than maxPixels, the resolution is lower.
func (d *Document) Render(ctx context.Context, n int, dpi float64) (*image.Gray, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n < 1 || n > d.hello.Pages || dpi <= 0 {
		return nil, errs.Newf(errs.Invalid, "La page %d n’existe pas : le fichier en a %d.", n, d.hello.Pages)
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if err := d.drain(ctx); err != nil {
		return nil, err
	}
	d.dropDead()
	if err := d.start(ctx); err != nil {
		return nil, err
	}
	img, err := d.paint(ctx, n, dpi)
	if err == nil {
		return img, nil
	}
	if errors.Is(err, errRender) {
		return nil, errs.Wrap(errs.Unprocessable, fmt.Sprintf("La page %d ne peut pas être convertie en image.", n), err)
	}
	fault, err := d.bury(ctx, n, err)
	if err != nil {
		return nil, err
	}
	if fault == "" {
		fault = damagedPage(n)
	}
	return nil, errs.New(errs.Unprocessable, fault)
}

// paint asks the child for one picture.
func (d *Document) paint(ctx context.Context, n int, dpi float64) (*image.Gray, error) {
	var img *image.Gray
	d.child.pages++
	err := d.child.guard(ctx, d.reader.PageTimeout, func() error {
		if err := d.child.ask(request{Op: "render", From: n, DPI: dpi}); err != nil {
			return err
		}
		var r reply
		if err := readJSON(d.child.read, &r); err != nil {
			return err
		}
		if r.Width < 0 || r.Height < 0 || r.Width > maxFrame || r.Height > maxFrame {
			return fmt.Errorf("%w: picture of %d by %d", errFrame, r.Width, r.Height)
		}
		pixels, err := readFrame(d.child.read, kindImage, maxFrame)
		if err != nil {
			return err
		}
		if len(pixels) != r.Width*r.Height {
			return fmt.Errorf("%w: %d pixels for %d by %d", errFrame, len(pixels), r.Width, r.Height)
		}
		img = &image.Gray{Pix: pixels, Stride: r.Width, Rect: image.Rect(0, 0, r.Width, r.Height)}
		return nil
	})
	if err == nil && img.Rect.Empty() {
		return nil, errRender
	}
	return img, err
}

// bury ends the child that failed on page n, and returns the French sentence for
// that page. The sentence is empty if the child crashed: then the page can be tried
// again. An error means that no further page can be read.
func (d *Document) bury(ctx context.Context, n int, cause error) (fault string, err error) {
	if d.child == nil {
		return "", cause // the child failed to start
	}
	child := d.child
	d.child, d.asked = nil, 0
	last := child.lastWords(cause)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if d.deaths++; d.deaths > maxDeaths {
		return "", errs.Wrap(errs.Unprocessable, "Trop de pages du PDF sont abîmées : sa lecture a été arrêtée.", last)
	}
	var slow *stall
	switch {
	case errors.As(cause, &slow):
		return fmt.Sprintf("La page %d n’a pas pu être lue en %.0f secondes.", n, slow.limit.Seconds()), nil
	case child.starved():
		return fmt.Sprintf("La page %d demande trop de mémoire pour être lue.", n), nil
	}
	return "", nil
}

// dropDead removes a child that died while nothing was asked of it, so that the page
// asked for next is not blamed for the child's death.
func (d *Document) dropDead() {
	if d.child == nil {
		return
	}
	select {
	case <-d.child.dead:
		d.child.kill()
		d.child = nil
	default:
	}
}

// start makes sure that a child runs and has the file open.
func (d *Document) start(ctx context.Context) error {
	if d.closed {
		return errors.New("document is closed")
	}
	if d.child != nil {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	child := d.reader.Spares.take()
	if child != nil {
		if err := d.greet(ctx, child); err == nil || !errors.Is(err, errBroken) {
			return err
		}
	}
	child, err := d.reader.run(ctx)
	if err != nil {
		return err
	}
	return d.greet(ctx, child)
}

// run starts a child and waits until its engine runs.
func (r Reader) run(ctx context.Context) (*process, error) {
	child, err := spawn(r)
	if err != nil {
		return nil, errs.Wrap(errs.Internal, "", fmt.Errorf("start the PDF child: %w", err))
	}
	if err := engineRuns(ctx, child, r); err != nil {
		child.kill()
		return nil, err
	}
	return child, nil
}

// engineRuns waits until the child's engine runs.
func engineRuns(ctx context.Context, child *process, r Reader) error {
	var ready reply
	err := child.guard(ctx, r.StartTimeout, func() error { return readJSON(child.read, &ready) })
	var slow *stall
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &slow):
		return errs.Wrap(errs.Unavailable, "Le lecteur de PDF n’a pas démarré à temps : la machine est sans doute surchargée. Réessayez plus tard.", child.lastWords(err))
	case err != nil || !ready.Ready: // also a program that does not call Main
		return errs.Wrap(errs.Internal, "", child.lastWords(errors.Join(errors.New("the PDF child did not start"), err)))
	}
	return nil
}

// errBroken is the error of a child that failed before it reported what is in the file.
var errBroken = errors.New("the PDF child broke")

// greet sends the file to the child and makes it the document's child. A child that
// fails is ended. A child that reports that the file cannot be opened is given to
// Spares, for another file.
func (d *Document) greet(ctx context.Context, child *process) error {
	hello, err := child.open(ctx, d.reader.OpenTimeout, d.file)
	switch {
	case err != nil && ctx.Err() != nil:
		child.kill()
		return context.Cause(ctx)
	case err != nil:
		return errs.Wrap(errs.Unprocessable, "Le PDF est endommagé : il ne peut pas être ouvert.", fmt.Errorf("%w: %w", errBroken, child.lastWords(err)))
	case hello.Fault != "":
		d.reader.Spares.put(child)
		return helloError(hello)
	}
	d.child, d.hello = child, hello
	return nil
}

// Close closes the file. It ends the child, or gives it to Spares for another
// document. It waits until a running call returns.
func (d *Document) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil
	}
	d.closed = true
	if d.child != nil && d.asked == 0 {
		d.reader.Spares.put(d.child)
		d.child = nil
	}
	d.end()
	return d.file.Close()
}

// maxChars bounds the characters read of one page; the densest real page of a
// gazette has about 12,000.
const maxChars = 400_000

// pages returns the page count of doc.
func (e *engine) pages(doc uint64) int { return e.int("FPDF_GetPageCount", doc) }

// withPage loads page n (from 1) and calls f with its handle. It reports whether the
// page could be loaded.
func (e *engine) withPage(doc uint64, n int, f func(handle uint64)) bool {
	h := uint64(uint32(e.call("FPDF_LoadPage", doc, uint64(n-1))))
	if h == 0 {
		return false
	}
	f(h)
	e.call("FPDF_ClosePage", h)
	return true
}

// read returns the words of page n and what is painted on it.
func (e *engine) read(doc uint64, n int) layout.Page {
	p := layout.Page{Number: n, Source: layout.None}
	ok := e.withPage(doc, n, func(h uint64) {
		f := e.frameOf(h)
		p.Width, p.Height = round2(f.width), round2(f.height)
		e.pictures(h, f, &p)
		e.words(h, f, &p)
	})
	if !ok {
		p.Fault = damagedPage(n)
	}
	if len(p.Words) > 0 {
		p.Source = layout.Layer
	}
	return p
}

// frame is the visible box of a page, in the page's own coordinates with the origin at
// the bottom left, and the clockwise quarter turns by which the page is displayed.
type frame struct {
	box           [4]float64 // left, top, right, bottom
	turns         int
	width, height float64 // as displayed
}

// frameOf reads the frame of a loaded page.
func (e *engine) frameOf(h uint64) frame {
	e.ok("FPDF_GetPageBoundingBox", h, e.at(0))
	f := frame{turns: e.int("FPDFPage_GetRotation", h) & 3}
	f.box = e.box()
	f.width, f.height = f.box[2]-f.box[0], f.box[1]-f.box[3]
	if f.turns%2 == 1 {
		f.width, f.height = f.height, f.width
	}
	return f
}

// place converts a box from the page's own coordinates to coordinates from the top
// left of the page as displayed.
func (f frame) place(left, top, right, bottom float64) law.Rect {
	ax, ay := f.point(left, top)
	bx, factor := f.point(right, bottom)
	return law.Rect{min(ax, bx), min(ay, factor), max(ax, bx), max(ay, factor)}
}

// point converts one point as place does.
func (f frame) point(x, y float64) (float64, float64) {
	x, y = x-f.box[0], y-f.box[3] // from the bottom left of the visible box
	w, h := f.box[2]-f.box[0], f.box[1]-f.box[3]
	switch f.turns {
	case 1:
		return y, x
	case 2:
		return w - x, y
	case 3:
		return h - y, w - x
	}
	return x, h - y
}

// words reads the characters of a loaded page, whose pictures are noted in p, groups them into words, and notes in p
// those that people can see.
func (e *engine) words(h uint64, f frame, p *layout.Page) {
	text := uint64(uint32(e.call("FPDFText_LoadPage", h)))
	if text == 0 {
		return
	}
	defer e.call("FPDFText_ClosePage", text)
	n := min(e.int("FPDFText_CountChars", text), maxChars)
	chars, beyond, cut := make([]char, 0, max(n, 0)), 0, false // beyond counts the runs of characters beyond the edge
	letter, box := e.function("FPDFText_GetUnicode"), e.function("FPDFText_GetLooseCharBox")
	for i := range n {
		r := rune(int32(uint32(e.run(letter, text, uint64(i)))))
		if i > 0 && r >= 0xDC00 && r <= 0xDFFF && len(chars) > 0 {
			if hi := chars[len(chars)-1].r; hi >= 0xD800 && hi <= 0xDBFF {
				chars[len(chars)-1].r = (hi-0xD800)<<10 + (r - 0xDC00) + 0x10000
				continue
			}
		}
		c := char{r: r, index: i}
		if !isSpace(r) && uint32(e.run(box, text, uint64(i), e.at(0))) != 0 {
			b := e.box()
			c.rect = f.place(b[0], b[1], b[2], b[3])
			if x, y := (c.rect[0]+c.rect[2])/2, (c.rect[1]+c.rect[3])/2; !none(c.rect) && (x < 0 || y < 0 || x > f.width || y > f.height) {
				c.r = ' ' // beyond the edge, such as what a printer notes beside the page that is cut out of the sheet
				beyond += oneIf(!cut)
			}
			cut = c.r == ' '
		}
		chars = append(chars, c)
	}
	set, ink := styles{engine: e, text: text, frame: f}, e.inkOf(h, f, p.Scan())
	words, unseen := group(chars, set.of, ink.look)
	p.Unseen = unseen + beyond
	p.Words = MendCodes(words)
}

// Reader opens documents. Its zero value is ready to use.
type Reader struct {
	CacheDir     string        // PDFium's compiled code; empty: the user's cache folder
	StartTimeout time.Duration // limit for the start of the engine, which is slow without compiled code; 0: five minutes
	OpenTimeout  time.Duration // limit for opening the file; 0: a minute
	PageTimeout  time.Duration // limit for reading or painting one page; 0: 20 seconds
	// Spares keeps the children of closed documents for later documents, which saves
	// the start of an engine. nil: each document starts a new child.
	Spares *Spares
}

// Defaults of a Reader.
const (
	defaultStartTimeout = 5 * time.Minute
	defaultOpenTimeout  = time.Minute
	defaultPageTimeout  = 20 * time.Second
)

// Open opens the file in a child. ctx bounds only the opening. The caller must call
// Close on the document.
func (r Reader) Open(ctx context.Context, path string) (*Document, error) {
	if os.Getenv(envChild) != "" {
		return nil, errors.New("open a PDF in the PDF child: Main was not called first")
	}
	r.setDefaults()
	f, err := pdfhead.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	d := &Document{reader: r, file: f}
	if err := d.start(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), d.Close())
	}
	return d, nil
}

// Warm starts the engine once and stops it, so that its compiled code is in the cache
// before the first document is opened: to compile takes seconds, and under the race
// detector minutes. Errors as for Open.
func (r Reader) Warm(ctx context.Context) error {
	r.setDefaults()
	child, err := r.run(ctx)
	if err != nil {
		return err
	}
	child.kill()
	return nil
}

func (r *Reader) setDefaults() {
	if r.StartTimeout <= 0 {
		r.StartTimeout = defaultStartTimeout
	}
	if r.OpenTimeout <= 0 {
		r.OpenTimeout = defaultOpenTimeout
	}
	if r.PageTimeout <= 0 {
		r.PageTimeout = defaultPageTimeout
	}
	r.CacheDir = cacheDir(r.CacheDir)
}

// cacheDir makes the folder for compiled code and returns its absolute path, empty if
// the folder cannot be made. Other users have no access to a new folder, because the
// code in it is executed.
func cacheDir(dir string) string {
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(user, "vigueur", "pdfium")
	}
	abs, err := filepath.Abs(dir)
	if err != nil || os.MkdirAll(abs, 0o700) != nil {
		return ""
	}
	return abs
}

// helloError turns a child's report of why there are no pages into an error.
func helloError(h reply) error {
	switch h.Fault {
	case faultPassword:
		return errs.New(errs.Unprocessable, "Le PDF est protégé par un mot de passe : enregistrez-en une copie sans mot de passe, puis réessayez.")
	case faultSecurity:
		return errs.New(errs.Unprocessable, "Le PDF est chiffré d’une manière qui n’est pas prise en charge : enregistrez-en une copie sans protection.")
	case faultEngine:
		return errs.New(errs.Internal, "")
	}
	pages := " page"
	if h.Expect > 1 {
		pages = fmt.Sprintf(" de ses %d pages", h.Expect)
	}
	if h.Cut {
		return errs.Newf(errs.Unprocessable, "Le PDF est incomplet, la fin du fichier manque : aucune%s ne peut être lue.", pages)
	}
	return errs.Newf(errs.Unprocessable, "Le PDF est endommagé : aucune%s ne peut être lue.", pages)
}

func damagedPage(n int) string {
	return fmt.Sprintf("La page %d est abîmée et n’a pas pu être lue.", n)
}

var (
	linearized = lazyre.New(`/Linearized\b[^>]{0,200}?/N\s+(\d{1,7})\b`)
	treeCount  = lazyre.New(`/Count\s+(\d{1,7})\b`)
	treeKind   = lazyre.New(`/Type\s*/Pages\b`)
)

// expectPages is how many pages the file claims to have, 0 if no claim is found: the
// number in the head of a linearized file, else the largest count of an uncompressed
// page tree. It is a hint for files that lost their end. It is searched by pattern,
// because such a file has no structure left to follow.
func expectPages(r io.ReaderAt, size int64) int {
	const head, step, overlap = 2048, 1 << 20, 512
	buf := make([]byte, min(size, step))
	n, _ := r.ReadAt(buf[:min(head, len(buf))], 0)
	if m := linearized.FindSubmatch(buf[:n]); m != nil {
		return number(m[1])
	}
	most := 0
	for offset := int64(0); offset < size; offset += step - overlap {
		n, err := r.ReadAt(buf, offset)
		most = max(most, largestCount(buf[:n]))
		if err != nil {
			break
		}
	}
	return most
}

// largestCount is the largest /Count of the objects in b that have the /Type /Pages.
func largestCount(b []byte) int {
	most := 0
	for _, positions := range treeKind.FindAllIndex(b, -1) {
		start := max(0, bytes.LastIndex(b[:positions[0]], []byte("obj")))
		last := len(b)
		if end := bytes.Index(b[positions[1]:], []byte("endobj")); end >= 0 {
			last = positions[1] + end
		}
		if last-start > 1<<16 {
			continue
		}
		if m := treeCount.FindSubmatch(b[start:last]); m != nil {
			most = max(most, number(m[1]))
		}
	}
	return most
}

func number(b []byte) int {
	n, err := strconv.Atoi(string(b))
	if err != nil {
		return 0
	}
	return n
}

// lacksEnd reports whether the file lacks the mark that ends every PDF.
func lacksEnd(r io.ReaderAt, size int64) bool {
	buf := make([]byte, min(size, 2048))
	n, _ := r.ReadAt(buf, size-int64(len(buf)))
	return !bytes.Contains(buf[:n], []byte("%%EOF"))
}

// repairBytes is how many bytes are reserved after a file for a new trailer.
const repairBytes = 256

var (
	catalogue = lazyre.New(`(\d{1,9})\s+(\d{1,5})\s+obj\s*<<[^>]{0,500}?/Type\s*/Catalog\b`)
	encrypted = lazyre.New(`/Encrypt\s+\d`)
)

// trailer makes a trailer for the file b, which lost its end: PDFium finds the objects
// of such a file by itself, but not which of them is the root. The result is empty if
// b has no uncompressed catalogue, or if b is encrypted, because then the lost trailer
// said how.
func trailer(b []byte) []byte {
	all := catalogue.FindAllSubmatch(b, -1)
	if len(all) == 0 || encrypted.Match(b) {
		return nil
	}
	root := all[len(all)-1] // the last one counts, as after an update
	return fmt.Appendf(nil, "\nendobj\ntrailer\n<< /Root %s %s R /Size 1000000 >>\nstartxref\n0\n%%%%EOF\n", root[1], root[2])
}

package pdftext

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/confine"
)

// process is one running child.
type process struct {
	cmd  *exec.Cmd
	in   *os.File
	out  *os.File
	read *bufio.Reader
	said *tail
	dead chan struct{} // closed once the child was reaped

	files, pages int // files opened, and pages read or painted, so far
}

// childProgram returns the path of the program that is started as a child. Tests replace it.
var childProgram = confine.Self

// spawn starts a child, in a network namespace without interfaces where the kernel allows this.
func spawn(r Reader) (*process, error) {
	p, err := spawnWith(r, true)
	if err != nil {
		p, err = spawnWith(r, false)
	}
	return p, err
}

func spawnWith(r Reader, alone bool) (*process, error) {
	exe, err := childProgram()
	if err != nil {
		return nil, err
	}
	childIn, input, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, childIn.Close(), input.Close())
	}
	widen(out)
	p := &process{in: input, out: out, read: bufio.NewReaderSize(out, 1<<16), said: &tail{}, dead: make(chan struct{})}
	p.cmd = &exec.Cmd{
		Path: exe, Args: []string{"vigueur-pdftext"}, Dir: "/",
		Env: []string{envChild + "=1", envCache + "=" + r.CacheDir,
			"GOMAXPROCS=" + threads(), "GOGC=400", "GOMEMLIMIT=1GiB", "GOTRACEBACK=single"},
		Stdin: childIn, Stdout: childOut, Stderr: p.said,
		SysProcAttr: confine.Attributes(alone), WaitDelay: 5 * time.Second,
	}
	err = p.cmd.Start()
	err = errors.Join(err, childIn.Close(), childOut.Close())
	if err != nil {
		return nil, errors.Join(err, input.Close(), out.Close())
	}
	go func() {
		_ = p.cmd.Wait() // how it ended is in cmd.ProcessState
		close(p.dead)
	}()
	return p, nil
}

// threads is the child's GOMAXPROCS.
func threads() string { return strconv.Itoa(min(2, runtime.NumCPU())) }

// kill ends the child at once and waits until it is gone. It may be called again.
func (p *process) kill() {
	confine.KillGroup(p.cmd)
	_ = p.in.Close()
	_ = p.out.Close()
	<-p.dead
}

// ask sends a request.
func (p *process) ask(q request) error { return writeJSON(p.in, q) }

// open sends a file to the child and returns the child's report of what is in the
// file. After an error the child cannot be used any more.
func (p *process) open(ctx context.Context, limit time.Duration, file *os.File) (hello reply, err error) {
	info, err := file.Stat()
	if err != nil {
		return hello, err
	}
	p.files++
	err = p.guard(ctx, limit, func() error {
		if err := p.ask(request{Op: "open", Size: info.Size()}); err != nil {
			return err
		}
		// By position: the children of one document share the descriptor's offset.
		if _, err := io.CopyN(p.in, io.NewSectionReader(file, 0, info.Size()), info.Size()); err != nil {
			return err
		}
		return readJSON(p.read, &hello)
	})
	return hello, err
}

// guard runs f, which talks to the child, for at most limit or until ctx ends. If f
// failed for one of these two, guard returns a *stall or the cause of ctx's end.
func (p *process) guard(ctx context.Context, limit time.Duration, f func() error) error {
	deadline := time.Now().Add(limit)
	if err := errors.Join(p.out.SetReadDeadline(deadline), p.in.SetWriteDeadline(deadline)); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() {
		_ = errors.Join(p.out.SetReadDeadline(time.Unix(1, 0)), p.in.SetWriteDeadline(time.Unix(1, 0)))
	})
	defer stop()
	err := f()
	// A later request that is sent outside of guard has no deadline.
	_ = errors.Join(p.out.SetReadDeadline(time.Time{}), p.in.SetWriteDeadline(time.Time{}))
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &stall{limit}
	}
	return err
}

// stall says that the child did not answer in time.
type stall struct{ limit time.Duration }

func (s *stall) Error() string { return fmt.Sprintf("no answer in %s", s.limit) }

// lastWords kills the child and describes its end for the log.
func (p *process) lastWords(cause error) error {
	p.kill()
	return fmt.Errorf("%w (child: %s; %s)", cause, p.cmd.ProcessState, p.said)
}

// starved reports whether the child, which is dead by now, ran out of memory.
func (p *process) starved() bool {
	s := p.said.String()
	return strings.Contains(s, "out of memory") || strings.Contains(s, "cannot allocate memory")
}

// tail keeps the first and the last kilobyte written to it. The first one is kept
// because the report of a Go crash begins with its reason.
type tail struct {
	mu    sync.Mutex
	first []byte
	last  []byte
}

const tailBytes = 1 << 10

// Write never fails.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	if room := tailBytes - len(t.first); room > 0 {
		k := min(room, len(b))
		t.first, b = append(t.first, b[:k]...), b[k:]
	}
	t.last = append(t.last, b...)
	if excess := len(t.last) - tailBytes; excess > 0 {
		t.last = append(t.last[:0], t.last[excess:]...)
	}
	return n, nil
}

// String returns the kept text on one line.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := strings.Join(strings.Fields(string(t.first)+" … "+string(t.last)), " ")
	return strings.TrimSuffix(s, " …")
}

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
func (s *server) serve(r io.Reader, out *bufio.Writer) error {
	for {
		var q request
		if err := readJSON(r, &q); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if err := s.answer(q, r, out); err != nil {
			return err
		}
	}
}

func (s *server) answer(q request, r io.Reader, out *bufio.Writer) error {
	switch {
	case q.Op == "open" && s.pages == 0:
		doc, hello := s.open(r, q.Size)
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

// Limits on spare children.
const (
	sparesKept = 2                // children that wait for a file; by default, a worker reads as many files at once
	spareFiles = 50               // files that one child reads before it is ended
	sparePages = 3000             // pages that one child reads or paints before it is ended, because its CPU time is limited
	spareIdle  = 10 * time.Second // time that a child waits for a file before it is ended
)

// Spares keeps the children of closed documents for later documents. To start an
// engine takes as long as to read a dozen pages. The zero value is ready to use, and
// is safe for concurrent use. A nil Spares keeps no children.
type Spares struct {
	patience time.Duration // time that a child waits for a file; 0: spareIdle. Tests set it

	mu   sync.Mutex
	idle []spare
}

type spare struct {
	*process
	end *time.Timer
}

// take returns a child that waits for a file, or nil.
func (s *Spares) take() *process {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.idle) > 0 {
		last := s.idle[len(s.idle)-1]
		s.idle = s.idle[:len(s.idle)-1]
		if !last.end.Stop() {
			continue // its time is up: drop ends the child
		}
		select {
		case <-last.dead:
			last.kill() // closes the dead child's pipes
		default:
			return last.process
		}
	}
	return nil
}

// put keeps a child. It ends the child instead if the child has reached a limit or
// enough children wait.
func (s *Spares) put(p *process) {
	if s == nil || p.files >= spareFiles || p.pages >= sparePages || p.ask(request{Op: "close"}) != nil {
		p.kill()
		return
	}
	if !s.keep(p) {
		p.kill() // without holding the lock, because kill waits until the child is gone
	}
}

// keep lets a child wait for a file, and reports false if sparesKept children wait
// already.
func (s *Spares) keep(p *process) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.idle) >= sparesKept {
		return false
	}
	s.idle = append(s.idle, spare{p, time.AfterFunc(cmp.Or(s.patience, spareIdle), func() { s.drop(p) })})
	return true
}

// drop ends a child that nobody took.
func (s *Spares) drop(p *process) {
	s.mu.Lock()
	s.idle = slices.DeleteFunc(s.idle, func(i spare) bool { return i.process == p })
	s.mu.Unlock()
	p.kill()
}

// Close ends the children that wait for a file. A child that has a file does not end:
// when its document is closed, the child is kept as if Close had not been called.
func (s *Spares) Close() {
	for p := s.take(); p != nil; p = s.take() {
		p.kill()
	}
}

// readRun reads the pages from..to from one child, until the child fails. At the
// end it asks the child to read the next run of as many pages ahead, because a
// caller that reads one run usually reads the next.
func (d *Document) readRun(ctx context.Context, start, end int) ([]layout.Page, error) {
	out := d.takeKept(start, end)
	if start += len(out); start > end {
		return out, nil
	}
	if d.asked != 0 && d.next != start {
		if err := d.drain(ctx); err != nil {
			return out, err
		}
		d.kept = nil
	}
	if err := d.start(ctx); err != nil {
		return out, err
	}
	if err := d.ask(start, end); err != nil {
		return out, err
	}
	for n := start; n <= end; n++ {
		p, err := d.receive(ctx)
		if err != nil {
			return out, err
		}
		out = append(out, p)
	}
	if run := end - start; run > 0 && end < d.hello.Pages {
		if err := d.ask(end+1, min(end+1+run, d.hello.Pages)); err != nil {
			d.end() // no error for the caller, who has not asked for these pages yet
		}
	}
	return out, nil
}

// takeKept returns the kept pages from page from on, up to the first page that is
// not kept, and no page after page to.
func (d *Document) takeKept(start, end int) (out []layout.Page) {
	for len(d.kept) > 0 && d.kept[0].Number == start && start <= end {
		out = append(out, d.kept[0])
		d.kept = d.kept[1:]
		start++
	}
	return out
}

// ask asks the child for the pages from..to, except pages that were asked for
// before.
func (d *Document) ask(start, end int) error {
	if d.asked == 0 {
		d.next = start
	}
	start = max(start, d.asked+1)
	if start > end {
		return nil
	}
	d.asked = end
	return d.child.ask(request{Op: "read", From: start, To: end})
}

// receive takes the next page that the child was asked for.
func (d *Document) receive(ctx context.Context) (layout.Page, error) {
	var p *layout.Page
	d.child.pages++
	err := d.child.guard(ctx, d.reader.PageTimeout, func() (err error) {
		p, err = readPage(d.child.read)
		return err
	})
	if err == nil && (p == nil || p.Number != d.next) {
		err = fmt.Errorf("%w: not page %d", errFrame, d.next)
	}
	if err != nil {
		return layout.Page{}, err
	}
	if d.next++; d.next > d.asked {
		d.asked = 0
	}
	return *p, nil
}

// drain receives and keeps the pages that the child was asked to read ahead. If the
// child fails on a page, drain ends the child and returns no error: the failure is
// reported when that page is asked for.
func (d *Document) drain(ctx context.Context) error {
	for d.asked != 0 {
		p, err := d.receive(ctx)
		if err == nil {
			d.kept = append(d.kept, p)
			continue
		}
		d.end()
		return ctx.Err()
	}
	return nil
}

// end ends the child and forgets the pages that were asked of the child.
func (d *Document) end() {
	if d.child != nil {
		d.child.kill()
	}
	d.child, d.asked = nil, 0
}

// writePage sends a page: first the page without its words, then the words.
func writePage(w io.Writer, p layout.Page) error {
	words := p.Words
	p.Words = nil
	if err := writeJSON(w, reply{Page: &p}); err != nil {
		return err
	}
	return writeFrame(w, kindWords, layout.AppendWords(nil, words))
}

// readPage receives a page that writePage sent. It returns nil for a reply without a
// page.
func readPage(r io.Reader) (*layout.Page, error) {
	var got reply
	if err := readJSON(r, &got); err != nil || got.Page == nil {
		return nil, err
	}
	b, err := readFrame(r, kindWords, maxFrame)
	if err != nil {
		return nil, err
	}
	if got.Page.Words, err = layout.ReadWords(b); err != nil {
		return nil, fmt.Errorf("%w: %w", errFrame, err)
	}
	return got.Page, nil
}

// The parent and its child exchange frames. A frame is a kind of one byte, a length
// of four bytes (big endian) and a body of that length. Requests and replies are
// JSON; the words of a page and the pixels of a picture follow in a second frame.
//
//	                           child: ready
//	parent: open, its bytes    child: hello
//	parent: read 3..5          child: page 3, page 4, page 5
//	parent: render 3 at 200    child: picture's size, then its pixels
//	parent: close
//
// The child sends ready once its engine runs, before any request. It answers open with
// hello, which has the page count, or the reason why the file has no pages. The two
// have separate time limits: a late ready is the machine's fault, a late hello the
// file's. After close the parent can open another file.
const (
	kindJSON  = 'j'
	kindWords = 'w'
	kindImage = 'i'
)

// maxFrame is the longest body, in bytes, that parent and child accept: enough for a
// page of a million words, or a picture of maxPixels.
const maxFrame = 96 << 20

var errFrame = errors.New("malformed frame")

// request is what the parent sends to the child.
type request struct {
	Op   string  `json:"op"`             // "open", "read", "render", "close"
	Size int64   `json:"size,omitempty"` // open: bytes of the file; they follow the request without a frame
	From int     `json:"from,omitempty"`
	To   int     `json:"to,omitempty"`
	DPI  float64 `json:"dpi,omitempty"`
}

// reply is what the child answers.
type reply struct {
	Ready  bool         `json:"ready,omitempty"`  // ready
	Pages  int          `json:"pages,omitempty"`  // hello: how many pages there are
	Expect int          `json:"expect,omitempty"` // hello: how many pages the file claims to have, 0 if it claims none
	Cut    bool         `json:"cut,omitempty"`    // hello: the file lacks its end
	Fault  string       `json:"fault,omitempty"`  // hello: one of the fault* codes
	Page   *layout.Page `json:"page,omitempty"`   // read: the page without its words
	Width  int          `json:"width,omitempty"`  // render: in pixels
	Height int          `json:"height,omitempty"`
}

// Why a file could not be opened.
const (
	faultPassword = "password"
	faultSecurity = "security"
	faultDamaged  = "damaged"
	faultNoPages  = "nopages"
	faultEngine   = "engine" // the PDF engine itself did not start
)

func writeFrame(w io.Writer, kind byte, body []byte) error {
	if len(body) > maxFrame {
		return fmt.Errorf("%w: %d bytes to send", errFrame, len(body))
	}
	var head [5]byte
	head[0] = kind
	binary.BigEndian.PutUint32(head[1:], uint32(len(body)))
	if _, err := w.Write(head[:]); err != nil {
		return err
	}
	_, err := w.Write(body)
	return err
}

// writeJSON writes v as one frame.
func writeJSON(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return writeFrame(w, kindJSON, b)
}

// readFrame reads one frame and returns its body. A frame of another kind, or with a
// body longer than most bytes, is an error. Memory grows with the bytes that arrive,
// not with the length that the frame claims.
func readFrame(r io.Reader, kind byte, most int) ([]byte, error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := int(binary.BigEndian.Uint32(head[1:]))
	if head[0] != kind || n > min(most, maxFrame) {
		return nil, fmt.Errorf("%w: kind %q, %d bytes", errFrame, head[0], n)
	}
	body, err := readUpTo(r, n)
	if err != nil {
		return nil, fmt.Errorf("frame cut after %d of %d bytes: %w", len(body), n, err)
	}
	return body, nil
}

// readUpTo reads n bytes, a megabyte at a time.
func readUpTo(r io.Reader, n int) ([]byte, error) {
	const step = 1 << 20
	body := make([]byte, 0, min(n, step))
	for len(body) < n {
		pos := len(body)
		body = append(body, make([]byte, min(step, n-pos))...)
		if k, err := io.ReadFull(r, body[pos:]); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return body[:pos+k], err
		}
	}
	return body, nil
}

// readJSON reads one frame into v.
func readJSON(r io.Reader, v any) error {
	b, err := readFrame(r, kindJSON, maxFrame)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("%w: %w", errFrame, err)
	}
	return nil
}

package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law"
)

const (
	refusalLimit  = 4 << 10 // maximum bytes of an error's body
	responseLimit = 8 << 20 // maximum bytes of a whole response
)

var (
	errSilent  = errors.New("openai: the server went silent")
	errTooLong = errors.New("openai: the response is too long")
)

// response is a response that is read with a size limit. Whoever reads it calls alive at
// each sign of progress. If alive is not called for the client's Silence, reading fails
// with errSilent.
type response struct {
	head    http.Header
	body    io.ReadCloser
	read    int
	watch   *time.Timer
	silence time.Duration
	cancel  context.CancelCauseFunc
	cause   func() error
}

func (r *response) Read(p []byte) (int, error) {
	n, err := r.body.Read(p)
	if r.read += n; r.read > responseLimit {
		return n, errTooLong
	}
	return n, err
}

// alive restarts the silence timer.
func (r *response) alive() {
	if r.watch.Stop() {
		r.watch.Reset(r.silence)
	}
}

// why replaces an error that the silence timer caused.
func (r *response) why(err error) error {
	if cause := r.cause(); err != nil && errors.Is(cause, errSilent) {
		return cause
	}
	return err
}

func (r *response) close() {
	r.watch.Stop()
	r.cancel(nil)
	if r.body != nil {
		_ = r.body.Close()
	}
}

// is reports whether the response has the given content type.
func (r *response) is(kind string) bool {
	return strings.HasPrefix(strings.ToLower(r.head.Get("Content-Type")), kind)
}

// refusal is a response with a status other than 200.
type refusal struct {
	status int
	after  string // Retry-After
	text   string
}

func (r *refusal) Error() string { return fmt.Sprintf("openai: status %d: %q", r.status, r.text) }

// passing reports whether the same request may succeed later.
func (r *refusal) passing() bool {
	switch r.status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return r.status >= http.StatusInternalServerError && r.status != http.StatusNotImplemented
}

// eventLimit is the maximum length of a line, in bytes.
const eventLimit = 1 << 20

// events reads the data of server-sent events: the joined « data: … » lines of each event.
// Comments, names, ids and unknown fields are ignored, and so is a last event without a
// blank line after it.
func events(r io.Reader, yield func(data []byte) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, eventLimit)
	lines.Split(anyLine)
	var data []byte
	has := false
	for lines.Scan() {
		line := lines.Bytes()
		if len(line) == 0 {
			if has {
				if err := yield(data); err != nil {
					return err
				}
			}
			data, has = data[:0], false
			continue
		}
		value, ok := bytes.CutPrefix(line, []byte("data"))
		if !ok || len(value) > 0 && value[0] != ':' {
			continue
		}
		if has {
			data = append(data, '\n')
		}
		value = bytes.TrimPrefix(value, []byte(":"))
		data, has = append(data, bytes.TrimPrefix(value, []byte(" "))...), true
		if len(data) > eventLimit {
			return errTooLong
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return errTooLong
	}
	return lines.Err()
}

// anyLine splits at \n, \r\n and \r. A \r at the end of the data waits for the next byte,
// which may be its \n.
func anyLine(data []byte, atEOF bool) (advance int, token []byte, err error) {
	i := bytes.IndexAny(data, "\r\n")
	switch {
	case i < 0 && atEOF && len(data) > 0:
		return len(data), data, nil
	case i < 0:
		return 0, nil, nil
	case data[i] == '\n':
		return i + 1, data[:i], nil
	case i+1 < len(data) && data[i+1] == '\n':
		return i + 2, data[:i], nil
	case i+1 < len(data) || atEOF:
		return i + 1, data[:i], nil
	}
	return 0, nil, nil
}

const (
	markLimit    = 48  // maximum length of a citation in bytes
	longestRange = 100 // maximum number of passages in a range such as « [2-5] »
)

var (
	// wholeMark matches a citation in the forms that models write: « [3] », « [1, 4] », «
	// [^2] », « [Passage 3] », « 【3†source】 ».
	wholeMark = regexp.MustCompile(`^[\[【]\s*\^?(?:(?i:sources?|passages?|extraits?|documents?|docs?|n°)\s*)?(\d+(?:\s*(?:[,;–-]|et)\s*\d+)*)\s*(?:†[^\]】]*)?[\]】]$`)
	// begunMark matches a text that may be the beginning of a citation.
	begunMark = regexp.MustCompile(`^[\[【]\s*\^?\p{L}*°?\s*[\d,;–\s-]*(?:et?)?[\d,;–\s-]*(?:†[^\]】]*)?$`)
	number    = regexp.MustCompile(`\d+|[–-]`)
)

// marker normalizes citations to « [3] » in a text that arrives in pieces, and removes
// citations of unknown passages. An incomplete citation is held back, with the white space
// before it.
type marker struct {
	known map[int]int // by the number in the request, that in the prompt
	held  string
}

func (m *marker) write(piece string) string {
	m.held += piece
	var out strings.Builder
	for m.held != "" {
		open := strings.IndexAny(m.held, "[【")
		if open < 0 {
			m.release(&out, len(strings.TrimRight(m.held, " \n\t\u00a0\u202f")))
			break
		}
		end, wait := mark(m.held[open:])
		if wait {
			m.release(&out, len(strings.TrimRight(m.held[:open], " \n\t\u00a0\u202f")))
			break
		}
		if end == 0 { // a bracket that is part of the text
			_, size := utf8.DecodeRuneInString(m.held[open:])
			if next := strings.IndexAny(m.held[open+size:], "[【"); next >= 0 && begunMark.MatchString(m.held[open:open+size+next]) {
				// Removing the inner citation of « [1[99]2] » must not make a new one.
				m.held = m.held[:open] + m.held[open+size:]
				continue
			}
			m.release(&out, open+size)
			continue
		}
		text, marks := m.held[:open], m.marks(m.held[open:open+end])
		if marks == "" {
			text = strings.TrimRight(text, " \u00a0\u202f")
		}
		out.WriteString(text + marks)
		m.held = m.held[open+end:]
	}
	return out.String()
}

// end returns the text that was held back, without trailing white space and without a
// citation that was never closed.
func (m *marker) end() string {
	rest := m.held
	m.held = ""
	if open := strings.IndexAny(rest, "[【"); open >= 0 && begunMark.MatchString(rest[open:]) {
		rest = rest[:open]
	}
	return strings.TrimRight(rest, " \n\t\u00a0\u202f")
}

func (m *marker) release(out *strings.Builder, n int) {
	out.WriteString(m.held[:n])
	m.held = m.held[n:]
}

// mark returns the end of the citation at the beginning of text, 0 if there is none; wait
// reports that more text is needed to decide.
func mark(text string) (end int, wait bool) {
	shut := strings.IndexAny(text[:min(len(text), markLimit)], "]】")
	if shut < 0 {
		return 0, len(text) < markLimit && begunMark.MatchString(text)
	}
	_, size := utf8.DecodeRuneInString(text[shut:])
	if !wholeMark.MatchString(text[:shut+size]) {
		return 0, false
	}
	return shut + size, false
}

// marks returns the known numbers of a citation, ranges expanded, each in brackets.
func (m *marker) marks(text string) string {
	var out []string
	last, through := 0, false
	for _, part := range number.FindAllString(wholeMark.FindStringSubmatch(text)[1], -1) {
		n, err := strconv.Atoi(part)
		if err != nil { // a dash, or an overflow
			through = last > 0
			continue
		}
		start := n
		if through && n-last < longestRange {
			start = last + 1
		}
		for i := start; i <= n; i++ {
			if given := m.known[i]; given > 0 {
				out = append(out, fmt.Sprintf("[%d]", given))
			}
		}
		last, through = n, false
	}
	return strings.Join(out, " ")
}

// unquote returns the bytes of a JSON string unchanged: invalid UTF-8 and single surrogates
// are kept, because the rest may come with the next event. raw is valid JSON; unquote
// returns nil if it is not a string.
func unquote(raw json.RawMessage) []byte {
	raw = bytes.TrimSpace(raw)
	if len(raw) < 2 || raw[0] != '"' {
		return nil
	}
	raw = raw[1 : len(raw)-1]
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' || i+1 == len(raw) {
			out = append(out, raw[i])
			continue
		}
		i++
		if raw[i] == 'u' && i+4 < len(raw) {
			n, _ := strconv.ParseUint(string(raw[i+1:i+5]), 16, 16)
			out = appendUnit(out, uint16(n))
			i += 4
			continue
		}
		if pos := strings.IndexByte(`"\/bfnrt`, raw[i]); pos >= 0 {
			out = append(out, "\"\\/\b\f\n\r\t"[pos])
		}
	}
	return out
}

// appendUnit appends a UTF-16 unit in the three bytes that UTF-8 would use if it allowed
// surrogates.
func appendUnit(out []byte, unit uint16) []byte {
	if unit < 0xD800 || unit > 0xDFFF {
		return utf8.AppendRune(out, rune(unit))
	}
	return append(out, 0xE0|byte(unit>>12), 0x80|byte(unit>>6)&0xBF, 0x80|byte(unit)&0xBF)
}

// joiner makes valid text of pieces that may be cut anywhere. Broken bytes become U+FFFD;
// invisible and unstorable characters are removed.
type joiner struct{ rest []byte }

func (j *joiner) write(piece []byte) string {
	j.rest = append(j.rest, piece...)
	return j.take(false)
}

func (j *joiner) end() string { return j.take(true) }

func (j *joiner) take(last bool) string {
	var b strings.Builder
	for len(j.rest) > 0 {
		r, size := decode(j.rest)
		if size == 0 {
			if !last {
				break
			}
			r, size = utf8.RuneError, 1
			if surrogate(j.rest) {
				size = min(3, len(j.rest))
			}
		}
		if visible(r) {
			b.WriteRune(r)
		}
		j.rest = j.rest[size:]
	}
	return b.String()
}

// decode returns the first rune; size 0 if more bytes are needed.
func decode(b []byte) (r rune, size int) {
	if surrogate(b) {
		return decodePair(b)
	}
	r, size = utf8.DecodeRune(b)
	if r == utf8.RuneError && !utf8.FullRune(b) {
		return 0, 0
	}
	return r, size
}

// surrogate reports whether b may begin with a surrogate.
func surrogate(b []byte) bool { return b[0] == 0xED && (len(b) == 1 || b[1] >= 0xA0 && b[1] <= 0xBF) }

func decodePair(b []byte) (rune, int) {
	const unit = 3
	high := func(i int) rune { return rune(b[i+1]&0x3F)<<6 | rune(b[i+2]&0x3F) }
	switch {
	case len(b) < unit:
		return 0, 0
	case b[1] >= 0xB0: // a low surrogate alone
		return utf8.RuneError, unit
	case len(b) == unit || len(b) < 2*unit && b[unit] == 0xED:
		return 0, 0
	case len(b) >= 2*unit && b[3] == 0xED && b[4] >= 0xB0 && b[4] <= 0xBF:
		return 0x10000 + (high(0)&0x3FF)<<10 + high(unit)&0x3FF, 2 * unit
	}
	return utf8.RuneError, unit
}

// visible reports whether a rune is allowed in an answer: no control characters except line
// ends and tabs, no marks that change the direction of text or have no width.
func visible(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return true
	case r < ' ' || r >= 0x7F && r < 0xA0:
		return false
	case r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F, r == 0xFEFF:
		return false
	}
	return true
}

// headLength is the number of code points that are held back at the beginning, to check
// that they are an answer and in French.
const headLength = 60

var (
	errForeign = errors.New("openai: the answer is not in French")
	errNothing = errors.New("openai: the model found no answer")
	errEmpty   = errors.New("openai: the model wrote nothing")
)

// writer passes an answer from the server to its reader through the filters.
type writer struct {
	joiner
	reasoning
	marker
	denial denial
	loops
	yield   func(string) error
	limit   int // maximum bytes of an answer
	head    string
	begun   bool
	wrote   int
	stopped error // error of yield
	in, out int   // tokens as reported by the server; 0: not reported
	raw     int   // estimated tokens received
}

// setUsage records the server's token counts. It limits them, because the server is not
// trusted.
func (w *writer) setUsage(input, out int) {
	const limit = 10_000_000
	w.in, w.out = min(max(input, 0), limit), min(max(out, 0), limit)
}

// usage returns the usage of an answer, estimated if the server did not report it.
func (w *writer) usage(asked []message) llm.Usage {
	if w.in+w.out > 0 {
		return llm.Usage{In: w.in, Out: w.out}
	}
	return llm.Usage{In: cost(asked), Out: w.raw, Estimated: true}
}

// ended reports whether err is the writer's own verdict on the answer.
func (w *writer) ended(err error) bool {
	return w.stopped != nil || slices.ContainsFunc([]error{llm.ErrCut, errForeign, errNothing, errThoughtAloud},
		func(own error) bool { return errors.Is(err, own) })
}

// write processes the next bytes.
func (w *writer) write(piece []byte) error {
	w.raw += tokens(string(piece))
	text, err := w.reasoning.write(w.joiner.write(piece))
	if pass := w.text(text); pass != nil {
		return pass
	}
	return err
}

// text processes text without reasoning.
func (w *writer) text(piece string) error {
	if !w.begun {
		w.head = strings.TrimLeft(w.head+piece, " \n\t")
		if utf8.RuneCountInString(w.head) < headLength {
			return nil
		}
		return w.begin()
	}
	return w.judge(w.marker.write(piece))
}

// judge passes text on unless the model takes its answer back.
func (w *writer) judge(text string) error {
	text, denied := w.denial.write(text)
	if err := w.pass(text); err != nil || !denied {
		return err
	}
	return llm.ErrCut
}

// begin checks the head of the answer and releases it.
func (w *writer) begin() error {
	switch {
	case strings.HasPrefix(law.Fold(strings.TrimLeft(w.head, "«*\"' \u00a0")), law.Fold(nothing)):
		return errNothing
	case foreign(w.head):
		return errForeign
	}
	w.begun = true
	head := w.head
	w.head = ""
	return w.judge(w.marker.write(head))
}

// pass passes text to the reader, within the limits of an answer.
func (w *writer) pass(text string) error {
	if text == "" {
		return nil
	}
	if w.wrote += len(text); w.wrote > w.limit {
		return llm.ErrCut
	}
	if err := w.yield(text); err != nil {
		w.stopped = err
		return err
	}
	if w.loops.write(text) {
		return llm.ErrCut
	}
	return nil
}

// finish releases the text that was held back, and decides by the server's finish reason
// whether the answer is complete.
func (w *writer) finish(reason string) error {
	rest, err := w.reasoning.write(w.joiner.end())
	if err != nil {
		return err
	}
	if err := w.text(rest + w.reasoning.end()); err != nil {
		return err
	}
	if !w.begun {
		if strings.TrimSpace(w.head) == "" {
			return errEmpty
		}
		if err := w.begin(); err != nil {
			return err
		}
	}
	if err := w.judge(w.marker.end()); err != nil {
		return err
	}
	if err := w.pass(w.denial.end()); err != nil {
		return err
	}
	switch reason {
	case "stop", "eos", "end_turn", "":
		return nil
	}
	return llm.ErrCut // length, content_filter and any other reason
}

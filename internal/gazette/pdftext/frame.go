package pdftext

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"vigueur/internal/gazette/layout"
)

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

// writeFrame writes one frame.
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
		at := len(body)
		body = append(body, make([]byte, min(step, n-at))...)
		if k, err := io.ReadFull(r, body[at:]); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return body[:at+k], err
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

package memindex

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"vigueur/internal/kit/parallel"
	"vigueur/internal/search/postings"
)

// File is where an index stores what it has read, so that the next start only reads what has changed since. Any
// number of processes may share a folder, because a new file is written aside and renamed.
//
// A file contains the program that made it, since another one may analyze text differently; the version of the
// catalogue and the time of that version, which distinguish the catalogue from another catalogue with the same
// version numbers; and a checksum. A file that is broken, or belongs to another program or catalogue, is logged
// and ignored.
type File struct {
	Dir string // "" stores nothing
	// Moment returns the time of a version of the catalogue, or an error if there is no such version.
	Moment func(ctx context.Context, version int64) (time.Time, error)

	register bool // the file is that of a register
	spill    *spill
}

// name returns the name of the file in its folder.
func (f File) name() string {
	if f.register {
		return registerName
	}
	return fileName
}

const (
	fileName     = "passages.index"
	registerName = "register.index"
	magic        = "vigueur index 1\n"
	// The file is written again after this many changed texts, at least saveAfter texts and at least one in
	// saveShares of all texts. A file is always written completely, while a start quickly reads what has changed
	// since.
	saveAfter  = 50
	saveShares = 100
)

// worthSaving returns the number of changed texts after which the file is written again.
func (s *snapshot) worthSaving() int {
	texts := 0
	for _, v := range s.views {
		texts += v.DocCount() - len(v.Deleted)
	}
	return max(saveAfter, texts/saveShares)
}

// Reasons for ignoring a file.
var (
	errBroken  = errors.New("memindex: the file is broken")
	errProgram = errors.New("memindex: the file was made by another program")
	errSource  = errors.New("memindex: the file belongs to another catalogue")
)

// header precedes the segments.
type header struct {
	program [sha256.Size]byte
	version int64
	moment  int64 // microseconds, the database's precision
}

const headerSize = len(magic) + 2*sha256.Size + 16

// seal returns the bytes of a file.
func seal(h header, body []byte) []byte {
	out := make([]byte, 0, headerSize+len(body))
	out = append(out, magic...)
	out = append(out, make([]byte, sha256.Size)...) // filled in below
	out = append(out, h.program[:]...)
	out = binary.LittleEndian.AppendUint64(out, uint64(h.version))
	out = binary.LittleEndian.AppendUint64(out, uint64(h.moment))
	out = append(out, body...)
	sum := sha256.Sum256(out[len(magic)+sha256.Size:])
	copy(out[len(magic):], sum[:])
	return out
}

// unseal parses the bytes of a file. whole checks their checksum.
func unseal(raw []byte) (h header, body []byte, whole func() bool, err error) {
	if len(raw) < headerSize || string(raw[:len(magic)]) != magic {
		return h, nil, nil, errBroken
	}
	stored, rest := raw[len(magic):len(magic)+sha256.Size], raw[len(magic)+sha256.Size:]
	whole = func() bool {
		sum := sha256.Sum256(rest)
		return bytes.Equal(sum[:], stored)
	}
	copy(h.program[:], rest)
	numbers := rest[sha256.Size:]
	h.version = int64(binary.LittleEndian.Uint64(numbers))
	h.moment = int64(binary.LittleEndian.Uint64(numbers[8:]))
	return h, numbers[16:], whole, nil
}

// program returns the checksum of the running program.
func program() (sum [sha256.Size]byte, err error) {
	path, err := os.Executable()
	if err != nil {
		return sum, err
	}
	f, err := os.Open(path)
	if err != nil {
		return sum, err
	}
	defer f.Close() // errors do not matter after reading
	h := sha256.New()
	_, err = io.Copy(h, f)
	copy(sum[:], h.Sum(nil))
	return sum, err
}

// load returns the snapshot in the folder's file, fs.ErrNotExist if there is none.
func (f File) load(ctx context.Context) (*snapshot, error) {
	if f.Dir == "" {
		return nil, fs.ErrNotExist
	}
	raw, done, err := f.open()
	if err != nil {
		return nil, err
	}
	defer done()
	h, body, whole, err := unseal(raw)
	if err != nil {
		return nil, err
	}
	if own, err := program(); err != nil || own != h.program {
		return nil, errors.Join(errProgram, err)
	}
	if moment, err := f.Moment(ctx, h.version); err != nil || moment.UnixMicro() != h.moment {
		return nil, errors.Join(errSource, err)
	}
	intact := false
	summed := parallel.Go(func() { intact = whole() })
	all, err := f.segments(body) // safe for invalid bytes, and takes as long as the checksum
	summed()
	if err != nil || !intact {
		return nil, errBroken
	}
	return (&snapshot{spill: f.spill}).replace(h.version, nil, all...), nil
}

// open returns the bytes of the file, which are valid until done is called. The file of a spilled register is mapped,
// because it is large and what is made of it is stored elsewhere.
func (f File) open() (raw []byte, done func(), err error) {
	path := filepath.Join(f.Dir, f.name())
	if f.spill != nil {
		return postings.MapFile(path)
	}
	raw, err = os.ReadFile(path)
	return raw, func() {}, err
}

// lengthSize is the size of the length before each segment.
const lengthSize = 8

// segments reads what write wrote.
func (f File) segments(body []byte) (all []*postings.Segment, err error) {
	for len(body) > 0 {
		if len(body) < lengthSize {
			return nil, errBroken
		}
		n := binary.LittleEndian.Uint64(body)
		if body = body[lengthSize:]; n > uint64(len(body)) {
			return nil, errBroken
		}
		s, err := postings.Decode(body[:n:n])
		if err != nil || s.TermCount() > 0 && s.Registered() != f.register {
			return nil, errBroken
		}
		if f.register {
			s = f.spill.write(s.Register())
		}
		all, body = append(all, s), body[n:]
	}
	return all, nil
}

// save writes a snapshot to the folder. An empty catalogue gets no file.
func (f File) save(ctx context.Context, s *snapshot) error {
	if f.Dir == "" || s.version == 0 {
		return nil
	}
	moment, err := f.Moment(ctx, s.version)
	if err != nil {
		return err
	}
	h := header{version: s.version, moment: moment.UnixMicro()}
	if h.program, err = program(); err != nil {
		return err
	}
	if err := os.MkdirAll(f.Dir, 0o700); err != nil {
		return err
	}
	return f.write(h, s)
}

// write replaces the file atomically. The segments of a spilled register are written one by one; all others are
// merged into one.
func (f File) write(h header, s *snapshot) error {
	aside, err := os.CreateTemp(f.Dir, f.name()+".*")
	if err != nil {
		return err
	}
	head := seal(h, nil)
	_, err = aside.Write(head)
	sum := sha256.New()
	sum.Write(head[len(magic)+sha256.Size:]) // never fails
	parts := [][]view{s.views}
	if f.spill != nil {
		parts = parts[:0]
		for _, v := range s.views {
			parts = append(parts, []view{v})
		}
	}
	for _, part := range parts {
		body := (&snapshot{views: part}).merge().Encode()
		body = append(binary.LittleEndian.AppendUint64(nil, uint64(len(body))), body...)
		_, failed := aside.Write(body)
		err = errors.Join(err, failed)
		sum.Write(body)
	}
	_, failed := aside.WriteAt(sum.Sum(nil), int64(len(magic)))
	err = errors.Join(err, failed, aside.Sync(), aside.Close())
	if err == nil {
		err = os.Rename(aside.Name(), filepath.Join(f.Dir, f.name()))
	}
	if err != nil {
		return errors.Join(err, os.Remove(aside.Name()))
	}
	return nil
}

// merge returns the live texts of the snapshot as one segment.
func (s *snapshot) merge() *postings.Segment {
	if len(s.views) == 1 && s.views[0].DeletedPassages == 0 {
		return s.views[0].Segment
	}
	return postings.Merge(liveOf(s.views))
}

// Spill says where a register stores texts, passages and words, so that the process's own memory does not grow with
// the catalogue: in mapped files that have no name after they are mapped. The system keeps in memory what is used,
// and frees the rest when it needs room. The folder must be on a disk; with one in memory (tmpfs) nothing is gained.
type Spill struct {
	Dir  string // "" keeps everything in memory
	Full int    // passages of a segment that is complete, and merged with no other; 0 means fullSegment
}

const (
	// fullSegment is the default of Spill.Full: a segment of so many passages takes some 150 MB while it is built.
	fullSegment = 250_000
	// spilledShare is the share of a full segment that is enough for a file: of the default a hundredth, which takes
	// 2 MB of memory. Of the smaller ones there are mostSegments at the most.
	spilledShare = 100
)

// spill is where the snapshots of a register are stored; nil means in memory.
type spill struct {
	dir         string
	most, least int // passages of a full segment, and of the smallest one that is stored there
	log         *slog.Logger
}

func (o *Options) spill() *spill {
	if !o.Register || o.Spill.Dir == "" {
		return nil
	}
	most := cmp.Or(o.Spill.Full, fullSegment)
	return &spill{dir: o.Spill.Dir, most: most, least: max(1, most/spilledShare), log: o.Log}
}

// full reports whether a segment should be finished after the current text.
func (s *spill) full(passages int) bool { return s != nil && passages >= s.most }

// write moves a segment of a register to a file if it is large enough. A segment that cannot be written stays in
// memory, and this is logged.
func (s *spill) write(x *postings.Segment) *postings.Segment {
	if s == nil || len(x.Passages) < s.least || x.InFile() {
		return x
	}
	if err := x.MoveToFile(s.dir); err != nil {
		s.log.Warn("register stays in memory", "folder", s.dir, "passages", len(x.Passages), "error", err)
	}
	return x
}

package memindex

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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

// seal returns what precedes the body of a file.
func seal(h header, body []byte) []byte {
	rest := binary.LittleEndian.AppendUint64(h.program[:], uint64(h.version))
	rest = binary.LittleEndian.AppendUint64(rest, uint64(h.moment))
	sum := sha256.New()
	sum.Write(rest) // never fails, nor does the next one
	sum.Write(body)
	return slices.Concat([]byte(magic), sum.Sum(nil), rest)
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
	raw, err := os.ReadFile(filepath.Join(f.Dir, f.name()))
	if err != nil {
		return nil, err
	}
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
	x, err := postings.Decode(body) // safe for invalid bytes, and takes as long as the checksum
	summed()
	if err != nil || !intact || x.TermCount() > 0 && x.Registered() != f.register {
		return nil, errBroken
	}
	return new(snapshot).replace(h.version, nil, x), nil
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

// write replaces the file atomically.
func (f File) write(h header, s *snapshot) error {
	aside, err := os.CreateTemp(f.Dir, f.name()+".*")
	if err != nil {
		return err
	}
	body := s.merge().Encode()
	for _, part := range [][]byte{seal(h, body), body} {
		_, failed := aside.Write(part)
		err = errors.Join(err, failed)
	}
	if err = errors.Join(err, aside.Sync(), aside.Close()); err == nil {
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

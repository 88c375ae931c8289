package learn

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// ErrOther says that a file keeps what was learned of other texts, or otherwise.
var ErrOther = errors.New("learn: the file was kept of another corpus or with other options")

// mark tells learners apart that may not go on from each other's law stage.
func (l *Learner) mark() []byte {
	o := l.Options
	o.LaySteps, o.LayRate = 0, 0
	sum := sha256.Sum256(fmt.Appendf(nil, "law stage 1 %+v %d %s", o, len(l.Articles), strings.Join(l.words.words, " ")))
	return sum[:]
}

// Keep writes what has been learned so far to a file, for Recall.
func (l *Learner) Keep(path string) error {
	b := bytes.NewBuffer(l.mark())
	_ = binary.Write(b, binary.LittleEndian, l.model.rows) // a buffer takes all
	_ = binary.Write(b, binary.LittleEndian, l.model.weights)
	return os.WriteFile(path, b.Bytes(), 0o600)
}

// Recall returns a learner that has the law stage behind it, from a file.
func Recall(c *Corpus, o Options, path string) (*Learner, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	n := len(c.words.words)
	l := &Learner{Corpus: c, Options: o, model: newModel(make([]float32, n*o.Dimensions), c.words.idf, o.Dimensions)}
	mark, rest, ok := l.mark(), data, len(data) == sha256.Size+4*(n*o.Dimensions+n)
	if !ok || !bytes.Equal(rest[:len(mark)], mark) {
		return nil, ErrOther
	}
	r := bytes.NewReader(rest[len(mark):])
	return l, errors.Join(binary.Read(r, binary.LittleEndian, l.model.rows), binary.Read(r, binary.LittleEndian, l.model.weights))
}

// AfterLaw returns a learner that has the first stage behind it, from the file when it
// fits.
func AfterLaw(c *Corpus, o Options, file string, tell func(string, int, int, float64)) (*Learner, error) {
	if file != "" {
		l, err := Recall(c, o, file)
		if err == nil {
			l.Tell = tell
			return l, nil
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrOther) {
			return nil, err
		}
	}
	l := New(c, o)
	l.Tell = tell
	l.Law()
	if file != "" {
		if err := l.Keep(file); err != nil {
			return nil, err
		}
	}
	return l, nil
}

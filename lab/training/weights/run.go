package weights

import (
	"fmt"
	"path/filepath"
	"time"
)

// Run is what is learned in one run of a program: from which folder, and since when.
type Run struct {
	Data  string // the folder of the files that are learned from
	Began time.Time
}

// Path is that of a file or folder of the data.
func (r *Run) Path(name string) string { return filepath.Join(r.Data, name) }

// Printf writes a line to standard output behind the seconds that the run has taken.
func (r *Run) Printf(format string, a ...any) {
	fmt.Printf("%6.0f s  "+format+"\n", append([]any{time.Since(r.Began).Seconds()}, a...)...)
}

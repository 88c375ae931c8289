package gazettes

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Columns reads a CSV file of what is known of files, as a manifest is. It gives each line's
// values of the columns named, in their order. Errors wrap what the file system says.
func Columns(path string, columns ...string) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the manifest: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: the CSV file is empty", path)
	}
	at := make([]int, len(columns))
	for i, name := range columns {
		if at[i] = slices.Index(rows[0], name); at[i] < 0 {
			return nil, fmt.Errorf("%s: the column %q is missing", path, name)
		}
	}
	var out [][]string
	for _, row := range rows[1:] {
		values := make([]string, len(at))
		for i, column := range at {
			values[i] = row[column]
		}
		out = append(out, values)
	}
	return out, nil
}

// There refuses a manifest that names a file which its folder does not have: who finds
// out at the end of the work has waited for nothing.
func There(dir string, files []string) error {
	for _, name := range files {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return fmt.Errorf("the manifest names %s: %w", name, err)
		}
	}
	return nil
}

package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"

	"vigueur/internal/errs"
)

// manifest reads a CSV file of what is known of gazettes. It gives each line's
// values of the columns named, in their order; errors are of kind Invalid and
// wrap what the file system says.
func manifest(path string, columns ...string) ([][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, errs.Wrap(errs.Invalid, "Le manifeste « "+path+" » ne peut pas être lu.", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, errs.Wrap(errs.Invalid, "Le manifeste « "+path+" » n’est pas du CSV.", err)
	}
	at := make([]int, len(columns))
	for i, name := range columns {
		if at[i] = slices.Index(rows[0], name); at[i] < 0 {
			return nil, errs.Newf(errs.Invalid, "Il manque au manifeste « %s » la colonne « %s ».", path, name)
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

// there refuses a manifest that names a file which its folder has not: who finds
// out at the end of the work has waited for nothing.
func there(dir string, files []string) error {
	for _, name := range files {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return errs.Wrap(errs.Invalid, "Le manifeste nomme « "+name+" », qui ne peut pas être lu dans « "+dir+" ».", err)
		}
	}
	return nil
}

// Command fuzzed prints the statements that a fuzz test reaches in the files of the functions that it calls:
//
//	fuzzed FOLDER TARGET PROFILE
//
// FOLDER holds the package, PROFILE is what « go test -run '^TARGET$' -coverprofile » wrote. Functions are found by
// their names in the body of the test, in the package's own files; if it calls none of them, the file with the most
// reached statements is printed.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: fuzzed FOLDER TARGET PROFILE")
		os.Exit(2)
	}
	if err := run(os.Stdout, os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(w io.Writer, folder, target, profile string) error {
	called, err := filesCalled(folder, target)
	if err != nil {
		return err
	}
	f, err := os.Open(profile)
	if err != nil {
		return err
	}
	defer f.Close()
	reached, err := parseProfile(f)
	if err != nil {
		return fmt.Errorf("%s: %w", profile, err)
	}
	if len(called) == 0 {
		called = most(reached)
	}
	for _, name := range called {
		c := reached[name]
		fmt.Fprintf(w, "%s %s: %d of %d statements\n", target, filepath.Join(folder, name), c.reached, c.all)
	}
	return nil
}

// filesCalled returns the names of the package's files, without tests, that declare a function or method whose name
// the body of the fuzz test calls, in order.
func filesCalled(folder, target string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	declared := map[string]string{} // file by function
	var body *ast.BlockStmt
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			switch {
			case !ok:
			case !strings.HasSuffix(e.Name(), "_test.go"):
				declared[f.Name.Name] = e.Name()
			case f.Name.Name == target:
				body = f.Body
			}
		}
	}
	if body == nil {
		return nil, fmt.Errorf("%s has no %s", folder, target)
	}
	files := map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			switch f := call.Fun.(type) {
			case *ast.Ident:
				files[declared[f.Name]] = true
			case *ast.SelectorExpr:
				files[declared[f.Sel.Name]] = true
			}
		}
		return true
	})
	delete(files, "") // functions of other packages
	return slices.Sorted(maps.Keys(files)), nil
}

// count is how many statements a file has, and how many of them were reached.
type count struct{ all, reached int }

// errProfile is the error for a line that is not of a profile.
var errProfile = errors.New("not a coverage profile")

// parseProfile counts the statements of a coverage profile by the file's name without its folder: it is of one package.
func parseProfile(r io.Reader) (map[string]count, error) {
	counts := map[string]count{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "mode:") {
			continue
		}
		fields := strings.Fields(line) // FILE:FROM,TO STATEMENTS TIMES
		if len(fields) != 3 {
			return nil, fmt.Errorf("%w: %q", errProfile, line)
		}
		file, _, ok := strings.Cut(fields[0], ".go:")
		n, err1 := strconv.Atoi(fields[1])
		times, err2 := strconv.Atoi(fields[2])
		if !ok || err1 != nil || err2 != nil {
			return nil, fmt.Errorf("%w: %q", errProfile, line)
		}
		c := counts[filepath.Base(file)+".go"]
		c.all += n
		if times > 0 {
			c.reached += n
		}
		counts[filepath.Base(file)+".go"] = c
	}
	return counts, lines.Err()
}

// most returns the name of the file with the most reached statements, none if nothing was reached.
func most(counts map[string]count) (files []string) {
	best := 0
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if c := counts[name]; c.reached > best {
			best, files = c.reached, []string{name}
		}
	}
	return files
}

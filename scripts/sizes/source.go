package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strings"
	"unicode/utf8"
)

// source is one Go file.
type source struct {
	path      string // from the repository's root
	room      string // the package's folder
	test      bool
	lines     int // that hold code
	functions []function
	exported  int      // names
	bare      []string // exported names without a doc comment, as path:line name
	longest   longest
}

// function is a declared function or method.
type function struct {
	where string // path:line
	name  string
	lines int // from its first to its last, whatever they hold
}

// longest is the longest line of a file.
type longest struct {
	where string
	runes int
}

// readSources reads the Go files below root. Folders that the Go command passes over (.name, _name, testdata) and
// node_modules are left out, and so are generated files.
func readSources(root string) (all []source, err error) {
	tree := os.DirFS(root)
	err = fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != "." && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		content, err := fs.ReadFile(tree, path)
		if err != nil {
			return err
		}
		s, generated, err := readSource(path, content)
		if err == nil && !generated {
			all = append(all, s)
		}
		return err
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("there are no Go files in %s", root)
	}
	return all, err
}

// readSource measures one file. The error is the parser's.
func readSource(name string, content []byte) (s source, generated bool, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return s, false, err
	}
	s = source{path: name, room: path.Dir(name), test: strings.HasSuffix(name, "_test.go"), lines: codeLines(content)}
	for n, line := range strings.Split(string(content), "\n") {
		if runes := utf8.RuneCountInString(line); runes > s.longest.runes {
			s.longest = longest{fmt.Sprintf("%s:%d", name, n+1), runes}
		}
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			from, to := set.Position(f.Pos()), set.Position(f.End())
			s.functions = append(s.functions, function{fmt.Sprintf("%s:%d", name, from.Line), f.Name.Name, to.Line - from.Line + 1})
		}
	}
	for _, n := range exportedNames(file) {
		s.exported++
		if n.doc == nil && !s.test && !n.known {
			s.bare = append(s.bare, fmt.Sprintf("%s:%d %s", name, set.Position(n.ident.Pos()).Line, n.ident.Name))
		}
	}
	return s, ast.IsGenerated(file), nil
}

// codeLines returns how many lines hold a token other than a comment.
func codeLines(content []byte) int {
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(content))
	var s scanner.Scanner
	s.Init(file, content, nil, 0) // without comments
	held := make(map[int]bool)
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return len(held)
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue // put in by the scanner
		}
		first := file.Line(pos)
		for n := range 1 + strings.Count(literal, "\n") { // a raw string has several
			held[first+n] = true
		}
	}
}

// named is an exported name with its doc comment.
type named struct {
	ident *ast.Ident
	doc   *ast.CommentGroup
	known bool // a method that Go's own interfaces document: what errors and fmt call
}

// exportedNames are the exported names of a file: functions, methods of exported types, types, and constants and
// variables of a package, which may share the comment of their group.
func exportedNames(file *ast.File) (all []named) {
	add := func(ident *ast.Ident, docs ...*ast.CommentGroup) {
		if !ident.IsExported() {
			return
		}
		n := named{ident: ident}
		for _, d := range docs {
			if n.doc == nil {
				n.doc = d
			}
		}
		all = append(all, n)
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil || ofExported(d.Recv) {
				add(d.Name, d.Doc)
				if name := d.Name.Name; d.Recv != nil && d.Name.IsExported() {
					all[len(all)-1].known = name == "Error" || name == "Unwrap" || name == "String"
				}
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name, spec.Doc, d.Doc, spec.Comment)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						add(name, spec.Doc, d.Doc, spec.Comment)
					}
				}
			}
		}
	}
	return all
}

// ofExported reports whether a method's type is exported.
func ofExported(receiver *ast.FieldList) bool {
	exported := false
	ast.Inspect(receiver.List[0].Type, func(n ast.Node) bool {
		if ident, ok := n.(*ast.Ident); ok {
			exported = ident.IsExported()
			return false
		}
		_, index := n.(*ast.IndexListExpr)
		return !index
	})
	return exported
}

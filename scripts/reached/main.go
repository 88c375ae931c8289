// Command reached lists the functions and methods of internal that no program of the service reaches. It fails if one
// is neither in a file named laboratory.go, which holds what training, evaluation and benchmarks need of a package's
// inside, nor among the exceptions, each of which has a reason.
//
// It follows references: a function is reached if a reached function, an initialization or a program mentions it. A
// method is also reached if its type, or one that embeds its type, implements an interface that has it. The deadcode
// command of golang.org/x/tools would assume that every exported method of a type that becomes an interface value is
// called, which is most of them.
package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// exceptions are the functions that only tests of several packages call, and why they are where they are.
var exceptions = map[string]string{
	"vigueur/internal/kit/lazyre.CompileAll":            "each package with expressions tests that they compile",
	"vigueur/internal/ops/observe.Names":                "tests compare the dashboard and the alerts with the names of the metrics",
	"vigueur/internal/store/postgres.MigrationsHash":    "pgtest names its template database by it",
	"(vigueur/internal/web/lawpage.Article).Paragraphs": "the page of an article calls it",
	"(*vigueur/internal/web/idp.Provider).Close":        "tests close connections before they look for goroutines left behind",
}

// laboratory is the name of the files that may hold what no program reaches.
const laboratory = "laboratory.go"

func main() {
	log.SetFlags(0)
	root, err := filepath.Abs(".")
	if err != nil {
		log.Fatal(err)
	}
	found, err := unreached(root, "./api", "./worker", "./ingest")
	if err != nil {
		log.Fatal(err)
	}
	bad := false
	for _, f := range found {
		if _, excepted := exceptions[f.name]; !excepted && filepath.Base(f.file) != laboratory {
			fmt.Printf("%s: no program reaches %s\n", f.file, f.name)
			bad = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(exceptions)) {
		if !slices.ContainsFunc(found, func(f function) bool { return f.name == name }) {
			fmt.Printf("%s is reached, or is gone: it is no exception any more\n", name)
			bad = true
		}
	}
	if bad {
		os.Exit(1)
	}
}

// function is a function or method, by its full name and the file that declares it.
type function struct{ name, file string }

// graph says which functions mention which.
type graph struct {
	mentions   map[*types.Func][]*types.Func
	file       map[*types.Func]string
	roots      []*types.Func
	interfaces map[string][]*types.Interface // by the name of a method
}

// unreached returns the functions of internal packages that the programs do not reach, by file and name.
func unreached(root string, programs ...string) ([]function, error) {
	names, err := own(root, programs)
	if err != nil {
		return nil, err
	}
	mode := packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedSyntax | packages.NeedModule
	list, err := packages.Load(&packages.Config{Mode: mode, Dir: root}, names...)
	if err != nil {
		return nil, err
	}
	g := graph{mentions: map[*types.Func][]*types.Func{}, file: map[*types.Func]string{}, interfaces: map[string][]*types.Interface{}}
	packages.Visit(list, nil, func(p *packages.Package) { g.addInterfaces(p) })
	for _, p := range list {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s: %w", p.PkgPath, errors.New(p.Errors[0].Msg))
		}
		for _, file := range p.Syntax {
			g.add(p, file)
		}
		g.addPromoted(p)
	}
	return g.unreached(root), nil
}

// own returns the packages of the programs' module that the programs consist of.
func own(root string, programs []string) (names []string, err error) {
	list, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule, Dir: root}, programs...)
	if err != nil {
		return nil, err
	}
	packages.Visit(list, nil, func(p *packages.Package) {
		if p.Module != nil && p.Module.Main {
			names = append(names, p.PkgPath)
		}
	})
	return names, nil
}

// addInterfaces adds the interfaces that a package declares or mentions.
func (g *graph) addInterfaces(p *packages.Package) {
	add := func(t types.Type) {
		if i, ok := t.Underlying().(*types.Interface); ok {
			for m := range i.Methods() {
				if !slices.Contains(g.interfaces[m.Name()], i) {
					g.interfaces[m.Name()] = append(g.interfaces[m.Name()], i)
				}
			}
		}
	}
	for _, name := range p.Types.Scope().Names() {
		if t, ok := p.Types.Scope().Lookup(name).(*types.TypeName); ok {
			add(t.Type())
		}
	}
	if p.TypesInfo != nil && p.Module != nil && p.Module.Main {
		for _, t := range p.TypesInfo.Types {
			if i, ok := t.Type.(*types.Interface); ok {
				add(i)
			}
		}
	}
}

// add adds the functions of a file. What is mentioned outside of functions, and all of a program's, is a root.
func (g *graph) add(p *packages.Package, file *ast.File) {
	for _, d := range file.Decls {
		f, isFunc := d.(*ast.FuncDecl)
		var from *types.Func
		if isFunc {
			from = p.TypesInfo.Defs[f.Name].(*types.Func) //nolint:errcheck,forcetypeassert // a declared function is one
			if g.isRoot(p, from) {
				g.roots = append(g.roots, from)
			}
			if strings.Contains(p.PkgPath, "/internal/") {
				g.file[from] = p.Fset.Position(f.Pos()).Filename
			}
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok {
				if to, ok := p.TypesInfo.Uses[name].(*types.Func); ok && isFunc {
					g.mentions[from] = append(g.mentions[from], to.Origin())
				} else if ok {
					g.roots = append(g.roots, to.Origin())
				}
			}
			return true
		})
	}
}

// addPromoted makes roots of the methods by which a type implements an interface and which it has from an embedded type.
func (g *graph) addPromoted(p *packages.Package) {
	for _, name := range p.Types.Scope().Names() {
		t, ok := p.Types.Scope().Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(t.Type()) {
			continue
		}
		pointer := types.NewPointer(t.Type())
		for m := range types.NewMethodSet(pointer).Methods() {
			f, ok := m.Obj().(*types.Func)
			if ok && len(m.Index()) > 1 && slices.ContainsFunc(g.interfaces[f.Name()], func(i *types.Interface) bool { return types.Implements(pointer, i) }) {
				g.roots = append(g.roots, f.Origin())
			}
		}
	}
}

// isRoot reports whether a function is called by what this program does not read.
func (g *graph) isRoot(p *packages.Package, f *types.Func) bool {
	recv := f.Signature().Recv()
	if recv == nil {
		return f.Name() == "init" || !strings.Contains(p.PkgPath, "/internal/")
	}
	t := recv.Type()
	if _, pointer := t.(*types.Pointer); !pointer {
		t = types.NewPointer(t)
	}
	return slices.ContainsFunc(g.interfaces[f.Name()], func(i *types.Interface) bool { return types.Implements(t, i) })
}

func (g *graph) unreached(root string) (out []function) {
	reached := map[*types.Func]bool{}
	for next := g.roots; len(next) > 0; {
		f := next[len(next)-1]
		next = next[:len(next)-1]
		if !reached[f] {
			reached[f] = true
			next = append(next, g.mentions[f]...)
		}
	}
	for f, file := range g.file {
		if !reached[f] {
			if short, err := filepath.Rel(root, file); err == nil {
				file = short
			}
			out = append(out, function{f.FullName(), file})
		}
	}
	slices.SortFunc(out, func(a, b function) int { return strings.Compare(a.file+a.name, b.file+b.name) })
	return out
}

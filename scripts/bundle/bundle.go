package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// readerVersion is the name of the folder of files that the PDF reader loads by URL.
func readerVersion(web string) (string, error) {
	data, err := os.ReadFile(filepath.Join(web, "node_modules", "pdfjs-dist", "package.json"))
	if err != nil {
		return "", err
	}
	var about struct{ Version string }
	err = json.Unmarshal(data, &about)
	return about.Version, err
}

// output is a bundle in memory.
type output struct {
	files  []file // in the folder assets
	main   string // files in assets that the page loads first
	styles string
	icon   string
	touch  string   // the icon of iOS, which takes no SVG
	early  []string // chunks that main imports
	inputs []string // what was bundled, relative to web
}

type file struct {
	name string // relative to assets
	body []byte
}

// metafile is the part of esbuild's metafile that is read.
type metafile struct {
	Inputs  map[string]struct{}
	Outputs map[string]struct {
		EntryPoint string
		CSSBundle  string `json:"cssBundle"`
		Imports    []struct{ Path, Kind string }
	}
}

// oldest are the browsers that the page is made for: newer syntax, of scripts and styles, is
// lowered, or fails the build where it cannot be. docs/page.md says what sets the versions.
var oldest = []api.Engine{{Name: api.EngineChrome, Version: "110"}, {Name: api.EngineFirefox, Version: "121"}, {Name: api.EngineSafari, Version: "16.4"}}

// common are the settings of every bundle.
func common(web string) api.BuildOptions {
	return api.BuildOptions{
		AbsWorkingDir: web, Bundle: true, Format: api.FormatESModule, JSX: api.JSXAutomatic, JSXImportSource: "preact",
		LogLevel: api.LogLevelSilent, Plugins: []api.Plugin{whole()}, Charset: api.CharsetUTF8,
	}
}

// whole is a plugin for « import url from "x?file" »: the URL of a copy of x.
func whole() api.Plugin {
	return api.Plugin{Name: "file", Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: `\?file$`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			found := b.Resolve(strings.TrimSuffix(a.Path, "?file"), api.ResolveOptions{ResolveDir: a.ResolveDir, Kind: a.Kind})
			if len(found.Errors) > 0 {
				return api.OnResolveResult{Errors: found.Errors}, nil
			}
			return api.OnResolveResult{Path: found.Path, Namespace: "whole"}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: "whole"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			data, err := os.ReadFile(a.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			text := string(data)
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderFile}, nil
		})
	}}
}

// beside is a plugin that has each of some modules, which the page loads later, import what it loads first. All that is
// loaded first is then one file: otherwise each set of modules that the same later ones share is a file of its own, and a
// browser fetches twenty of them over six connections.
func beside(web string, later []string) api.Plugin {
	return api.Plugin{Name: "beside", Setup: func(b api.PluginBuild) {
		b.OnLoad(api.OnLoadOptions{Filter: `\.tsx?$`, Namespace: "file"}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			name, err := filepath.Rel(web, a.Path)
			if err != nil || !slices.Contains(later, filepath.ToSlash(name)) {
				return api.OnLoadResult{}, err
			}
			data, err := os.ReadFile(a.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			text := fmt.Sprintf("%s\nimport %q\n", data, filepath.Join(web, filepath.FromSlash(first)))
			loader := api.LoaderTS
			if strings.HasSuffix(name, "x") {
				loader = api.LoaderTSX
			}
			return api.OnLoadResult{Contents: &text, Loader: loader}, nil
		})
	}}
}

// first is what the page loads first.
const first = "src/main.tsx"

// failure returns esbuild's errors.
func failure(result api.BuildResult) error {
	if len(result.Errors) == 0 {
		return nil
	}
	return errors.New(strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), "\n"))
}

func bundle(web string) (*output, error) {
	version, err := readerVersion(web)
	if err != nil {
		return nil, err
	}
	options := common(web)
	options.EntryPoints = []string{first, "src/icon.svg", "src/touch.png"}
	options.Outdir = "dist/assets"
	options.EntryNames, options.ChunkNames, options.AssetNames = "[name]-[hash]", "[name]-[hash]", "[name]-[hash]"
	options.Splitting, options.Metafile = true, true
	options.MinifySyntax, options.MinifyWhitespace, options.MinifyIdentifiers = true, true, true
	options.Target, options.Engines = api.ES2022, oldest
	options.LegalComments = api.LegalCommentsNone // they are in a file of their own
	options.PublicPath = "/assets/"
	options.Loader = map[string]api.Loader{".svg": api.LoaderCopy, ".png": api.LoaderCopy}
	options.Define = map[string]string{"READER_FILES": fmt.Sprintf("%q", "/assets/pdfjs-"+version+"/")}
	_, apart, err := build(options)
	if err != nil {
		return nil, err
	}
	var later []string
	for _, made := range apart.Outputs {
		if made.EntryPoint != "" && made.EntryPoint != first {
			later = append(later, made.EntryPoint)
		}
	}
	options.Plugins = append(options.Plugins, beside(web, later))
	result, meta, err := build(options)
	if err != nil {
		return nil, err
	}
	out := &output{}
	for _, f := range result.OutputFiles {
		out.files = append(out.files, file{filepath.Base(f.Path), f.Contents})
	}
	out.know(meta)
	err = out.addReader(web, "pdfjs-"+version)
	return out, err
}

func build(options api.BuildOptions) (result api.BuildResult, meta metafile, err error) {
	result = api.Build(options)
	if err = failure(result); err == nil {
		err = json.Unmarshal([]byte(result.Metafile), &meta)
	}
	return result, meta, err
}

// know records the files that the page refers to.
func (o *output) know(meta metafile) {
	for name := range meta.Inputs {
		o.inputs = append(o.inputs, strings.TrimPrefix(name, "whole:"))
	}
	slices.Sort(o.inputs)
	for name, made := range meta.Outputs {
		if made.EntryPoint != first {
			continue
		}
		o.main, o.styles = filepath.Base(name), filepath.Base(made.CSSBundle)
		for _, i := range made.Imports {
			if i.Kind == "import-statement" {
				o.early = append(o.early, filepath.Base(i.Path))
			}
		}
	}
	o.files = slices.DeleteFunc(o.files, func(f file) bool { // the page's have those of all screens
		return strings.HasSuffix(f.name, ".css") && f.name != o.styles
	})
	for _, f := range o.files { // a copied file is not an entry point in the metafile
		switch {
		case strings.HasPrefix(f.name, "icon-"):
			o.icon = f.name
		case strings.HasPrefix(f.name, "touch-"):
			o.touch = f.name
		}
	}
	slices.Sort(o.early)
}

// addReader adds the files that the PDF reader loads by URL: image decoders, and the fonts
// that a PDF need not embed.
func (o *output) addReader(web, name string) error {
	for _, part := range []string{"wasm", "standard_fonts"} {
		paths, err := filepath.Glob(filepath.Join(web, "node_modules", "pdfjs-dist", part, "*"))
		if err != nil {
			return err
		}
		for _, path := range paths {
			base := filepath.Base(path)
			if strings.HasPrefix(base, "quickjs") || strings.HasPrefix(base, "LICENSE") || strings.HasSuffix(base, ".js") {
				continue // scripts in PDFs are not run; the licenses are listed elsewhere
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			o.files = append(o.files, file{filepath.Join(name, part, base), data})
		}
	}
	return nil
}

// bundleTests bundles each test of the logic separately.
func bundleTests(web, into string) error {
	into, err := filepath.Abs(into)
	if err != nil {
		return err
	}
	var tests []string
	err = filepath.WalkDir(filepath.Join(web, "src"), func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".test.ts") || strings.HasSuffix(path, ".test.tsx") {
			tests = append(tests, path)
		}
		return err
	})
	if err != nil {
		return err
	}
	options := common(web)
	options.EntryPoints, options.Outdir, options.Write = tests, into, true
	options.Platform, options.Sourcemap = api.PlatformNode, api.SourceMapInline
	options.OutExtension = map[string]string{".js": ".mjs"}
	options.EntryNames = "[name]"
	return failure(api.Build(options))
}

package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"
)

const index = `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Le droit en vigueur, article par article.">
<title>Vigueur</title>
<meta name="theme-color" content="#1f3a5f">
<link rel="icon" href="/assets/%[1]s" type="image/svg+xml">
<link rel="apple-touch-icon" href="/assets/%[6]s">
<link rel="manifest" href="/assets/%[5]s">
<link rel="stylesheet" href="/assets/%[2]s">
%[4]s<script type="module" src="/assets/%[3]s"></script>
</head>
<body>
<div id="app"></div>
<noscript>Cette page a besoin de JavaScript. L’interface HTTP est décrite à l’adresse <a href="/docs">/docs</a>.</noscript>
</body>
</html>
`

// manifest says how the page is installed.
const manifest = `{"name":"Vigueur","short_name":"Vigueur","description":"Le droit en vigueur, article par article.","lang":"fr","id":"/","start_url":"/","scope":"/","display":"standalone","background_color":"#ffffff","theme_color":"#1f3a5f","icons":[{"src":"/assets/%s","type":"image/svg+xml","sizes":"any","purpose":"any"}],"shortcuts":[{"name":"Textes gardés","url":"/hors-ligne"}]}
`

// sumOf is a hash of the bundle's inputs: the sources, the packages' versions and this
// program.
func sumOf(web string) (string, error) {
	sum := sha256.New()
	source := os.DirFS(filepath.Join(web, "..", ".."))
	for _, part := range []string{"api/web/src", "scripts/bundle", "api/web/package-lock.json"} {
		err := fs.WalkDir(source, part, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			data, err := fs.ReadFile(source, path)
			fmt.Fprintln(sum, path, len(data))
			sum.Write(data)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// empty deletes the output of an earlier run.
func empty(dist string) error {
	entries, err := os.ReadDir(dist)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.Name() == ".gitignore" {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dist, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}

// write writes the bundle, with a compressed copy of each file if that is smaller.
func (o *output) write(web, dist string) error {
	told, err := licenses(web, o.inputs)
	if err != nil {
		return err
	}
	o.files = append(o.files, file{"licences.txt", told})
	var early strings.Builder
	for _, name := range o.early {
		fmt.Fprintf(&early, "<link rel=\"modulepreload\" href=\"/assets/%s\">\n", name)
	}
	installed := fmt.Appendf(nil, manifest, o.icon)
	sum := sha256.Sum256(installed)
	name := "manifest-" + hex.EncodeToString(sum[:4]) + ".webmanifest"
	o.files = append(o.files, file{name, installed})
	page := fmt.Appendf(nil, index, o.icon, o.styles, o.main, early.String(), name, o.touch)
	for _, f := range append(o.files, file{"../index.html", page}) {
		path := filepath.Join(dist, "assets", f.name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := writeAll(path, f.body, o.level(f.name)); err != nil {
			return err
		}
	}
	return nil
}

func writeAll(path string, body []byte, level int) error {
	if err := os.WriteFile(path, body, 0o644); err != nil {
		return err
	}
	br, err := brotliOf(body, level)
	if err != nil {
		return err
	}
	if len(br) > len(body)*9/10 {
		return nil
	}
	var gz bytes.Buffer
	w, err := gzip.NewWriterLevel(&gz, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := pour(w, body); err != nil {
		return err
	}
	if err := os.WriteFile(path+".gz", gz.Bytes(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(path+".br", br, 0o644)
}

// level is the compression level of a file: the best takes thirty times as long and saves a
// twentieth, which is worth it for the files of a first visit, but not for the megabytes of
// the PDF reader.
func (o *output) level(name string) int {
	if name == o.main || name == o.styles || slices.Contains(o.early, name) {
		return brotli.BestCompression
	}
	return 9
}

func brotliOf(body []byte, level int) ([]byte, error) {
	var out bytes.Buffer
	err := pour(brotli.NewWriterLevel(&out, level), body)
	return out.Bytes(), err
}

func pour(w io.WriteCloser, body []byte) error {
	if _, err := w.Write(body); err != nil {
		return err
	}
	return w.Close()
}

// sizes reports the compressed size of a first visit, in kilobytes of 1,000 bytes.
func (o *output) sizes() string {
	weigh := func(names ...string) float64 {
		total := 0
		for _, f := range o.files {
			if slices.Contains(names, f.name) {
				if br, err := brotliOf(f.body, o.level(f.name)); err == nil {
					total += len(br)
				}
			}
		}
		return float64(total) / 1000
	}
	return fmt.Sprintf("The page: %.1f KB of scripts at first in %d files, %.1f KB of styles.", weigh(append(o.early, o.main)...), len(o.early)+1, weigh(o.styles))
}

// licenses joins the licenses of the packages in the bundle.
func licenses(web string, inputs []string) ([]byte, error) {
	var packages []string
	for _, input := range inputs {
		_, inside, found := strings.Cut(input, "node_modules/")
		if !found {
			continue
		}
		parts := strings.SplitN(inside, "/", 3)
		name := parts[0]
		if strings.HasPrefix(name, "@") && len(parts) > 1 {
			name += "/" + parts[1]
		}
		if !slices.Contains(packages, name) {
			packages = append(packages, name)
		}
	}
	slices.Sort(packages)
	var out bytes.Buffer
	for _, name := range packages {
		paths, err := filepath.Glob(filepath.Join(web, "node_modules", name, "[Ll][Ii][Cc][Ee][Nn][Ss][Ee]*"))
		if err != nil {
			return nil, err
		}
		if name == "pdfjs-dist" {
			for _, part := range []string{"wasm", "standard_fonts"} {
				more, err := filepath.Glob(filepath.Join(web, "node_modules", name, part, "LICENSE*"))
				if err != nil {
					return nil, err
				}
				paths = append(paths, more...)
			}
		}
		if len(paths) == 0 {
			return nil, fmt.Errorf("the package %s tells no licence", name)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&out, "%s (%s)\n\n%s\n\n", name, filepath.Base(path), strings.TrimSpace(string(text)))
		}
	}
	return out.Bytes(), nil
}

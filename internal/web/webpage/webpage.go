// Package webpage holds the files of the web page and knows which URLs belong to it.
//
// A bundle is a folder with index.html and a folder assets. Names in assets contain a hash of
// the content, or are in a folder whose name does. Each file may have compressed variants,
// NAME.br and NAME.gz.
package webpage

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Policy is the Content-Security-Policy of the page and its files: nothing from
// another host, no script or style in the page itself. WebAssembly decodes the
// pictures of scanned gazettes in the PDF reader.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; " +
	"font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// Missing is what a program that was built without the page says in its place.
const Missing = "La page web n’est pas dans ce programme : il a été compilé sans elle (« go -C scripts run ./bundle », puis « go build »). " +
	"L’interface HTTP est décrite à l’adresse /docs.\n"

// File is one file of the page.
type File struct {
	Type string // as Content-Type has it
	ETag string // quoted
	Body []byte
	br   []byte
	gz   []byte
}

// Encoded returns the file's bytes in the best encoding that an Accept-Encoding
// admits, and its name, "" for the bytes as they are.
func (f *File) Encoded(accept string) (body []byte, encoding string) {
	switch {
	case f.br != nil && admits(accept, "br"):
		return f.br, "br"
	case f.gz != nil && admits(accept, "gzip"):
		return f.gz, "gzip"
	}
	return f.Body, ""
}

// admits reports whether an Accept-Encoding names a coding, and not to refuse it.
func admits(accept, coding string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		name, weight, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), coding) {
			continue
		}
		q := strings.TrimPrefix(strings.TrimSpace(weight), "q=")
		return strings.Trim(q, "0.") != "" || q == ""
	}
	return false
}

// Site is the page.
type Site struct {
	index  *File
	assets map[string]*File
}

// Read reads a bundle. One without index.html is a site without a page.
func Read(bundle fs.FS) (*Site, error) {
	s := &Site{assets: map[string]*File{}}
	index, err := read(bundle, "index.html")
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	s.index = index
	err = fs.WalkDir(bundle, "assets", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(name, ".br") || strings.HasSuffix(name, ".gz") {
			return err
		}
		s.assets["/"+name], err = read(bundle, name)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("webpage: %w", err)
	}
	return s, nil
}

// types are the kinds of files that a bundle has, by their ending.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".wasm": "application/wasm", ".txt": "text/plain; charset=utf-8",
	".pfb": "application/octet-stream", ".ttf": "font/ttf",
}

func read(bundle fs.FS, name string) (*File, error) {
	body, err := fs.ReadFile(bundle, name)
	if err != nil {
		return nil, err
	}
	kind := types[path.Ext(name)]
	if kind == "" {
		return nil, fmt.Errorf("webpage: %s is of no known type", name)
	}
	sum := sha256.Sum256(body)
	f := &File{Type: kind, Body: body, ETag: `"` + hex.EncodeToString(sum[:16]) + `"`}
	for ending, into := range map[string]*[]byte{".br": &f.br, ".gz": &f.gz} {
		*into, err = fs.ReadFile(bundle, name+ending)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("webpage: %w", err)
		}
	}
	return f, nil
}

// Index is the page itself, nil when the program has none.
func (s *Site) Index() *File { return s.index }

// Asset returns the file at an address, nil where there is none.
func (s *Site) Asset(address string) *File { return s.assets[address] }

// Owns reports whether the page answers at an address that no file has: it does at
// any but those of the API, of the files, and of what looks like a file's.
func Owns(address string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(address, "/"), "/")
	switch strings.ToLower(first) {
	case "api", "assets", "docs", "healthz", "readyz", "metrics":
		return false
	}
	return !strings.Contains(path.Base(address), ".") && !strings.ContainsAny(address, "\x00\\")
}

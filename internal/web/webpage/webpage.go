// Package webpage holds the files of the web page and knows which URLs belong to it.
//
// A bundle is a folder with index.html and a folder assets. Names in assets contain a hash of
// the content, or are in a folder whose name does. Each file may have compressed variants,
// NAME.br and NAME.gz.
package webpage

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/andybalholm/brotli"
)

// Policy is the Content-Security-Policy of the page and its files: nothing from another
// host, and no inline script or style. The PDF reader decodes the images of scanned
// gazettes with WebAssembly.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; " +
	"font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// Missing is the text that a program that was built without the page serves instead.
const Missing = "La page web n’est pas dans ce programme : il a été compilé sans elle (« go -C scripts run ./bundle », puis « go build »). " +
	"L’interface HTTP est décrite à l’adresse /docs.\n"

// File is one file of the page.
type File struct {
	Type string // value of Content-Type
	ETag string // value of ETag, in quotation marks
	Body []byte
	br   []byte
	gz   []byte
}

// quality is the level at which brotli compresses: higher ones take seconds for what is only
// a tenth smaller.
const quality = 9

// Compressed returns a file of the given content with its compressed variants. All three are
// the same to a client that revalidates it, hence the weak ETag.
func Compressed(kind string, body []byte) (*File, error) {
	sum := sha256.Sum256(body)
	f := &File{Type: kind, Body: body, ETag: `W/"` + hex.EncodeToString(sum[:16]) + `"`}
	var br, gz bytes.Buffer
	for _, w := range []io.WriteCloser{brotli.NewWriterLevel(&br, quality), gzip.NewWriter(&gz)} {
		_, err := w.Write(body)
		if err := errors.Join(err, w.Close()); err != nil {
			return nil, fmt.Errorf("webpage: compress: %w", err)
		}
	}
	f.br, f.gz = br.Bytes(), gz.Bytes()
	return f, nil
}

// Encoded returns the file's bytes in the best encoding that the header Accept-Encoding
// allows, and the name of the encoding, "" for none.
func (f *File) Encoded(accept string) (body []byte, encoding string) {
	switch {
	case f.br != nil && admits(accept, "br"):
		return f.br, "br"
	case f.gz != nil && admits(accept, "gzip"):
		return f.gz, "gzip"
	}
	return f.Body, ""
}

// admits reports whether a header Accept-Encoding names a coding with a weight above 0.
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

// Site holds the files of the page.
type Site struct {
	index  *File
	assets map[string]*File
}

// Read reads a bundle. A bundle without index.html gives a Site without a page.
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

// types maps the file name extensions of a bundle to content types.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".wasm": "application/wasm", ".txt": "text/plain; charset=utf-8",
	".png": "image/png", ".webmanifest": "application/manifest+json", ".pfb": "application/octet-stream", ".ttf": "font/ttf",
}

func read(bundle fs.FS, name string) (*File, error) {
	body, err := fs.ReadFile(bundle, name)
	if err != nil {
		return nil, err
	}
	kind := types[path.Ext(name)]
	if kind == "" {
		return nil, fmt.Errorf("webpage: the type of %s is unknown", name)
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

// Index returns the file index.html, nil if the program was built without the page.
func (s *Site) Index() *File { return s.index }

// Icon returns the address of the page's icon, "" if it has none. Without one in a page,
// browsers ask for /favicon.ico.
func (s *Site) Icon() string {
	for address := range s.assets {
		if strings.HasPrefix(address, "/assets/icon-") {
			return address
		}
	}
	return ""
}

// Worker reports whether a file at an address is the service worker, which may serve every address of the page.
func Worker(address string) bool { return strings.HasPrefix(address, "/assets/offline-worker-") }

// Asset returns the file at an address, nil if there is none.
func (s *Site) Asset(address string) *File { return s.assets[address] }

// Owns reports whether the page is served at an address at which there is no file. It is,
// except at addresses of the API and of other protocols, their documentation and health checks, of assets, and of
// anything that looks like a file.
func Owns(address string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(address, "/"), "/")
	switch strings.ToLower(first) {
	case ".well-known", "api", "assets", "docs", "healthz", "mcp", "metrics", "oauth", "readyz", "v1":
		return false
	}
	return !strings.Contains(path.Base(address), ".") && !strings.ContainsAny(address, "\x00\\")
}

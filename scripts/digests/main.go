// Command digests pins the images that the deployment fetches: it asks each registry what the tag means now, and writes
// name:tag@sha256:… into compose.yaml, the Dockerfile and the chart's values. A tag may mean another image tomorrow; a
// digest names the bytes. Images that are built here have none before they are built.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"time"
)

func main() {
	root := flag.String("root", ".", "folder of the repository")
	check := flag.Bool("check", false, "writes nothing; tells which images are not pinned, or whose tag means another one now")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	p := pinner{root: *root, check: *check, out: os.Stdout, registries: registries{client: &http.Client{Timeout: 30 * time.Second}}}
	behind, err := p.run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if *check && behind > 0 {
		os.Exit(1)
	}
}

// pinner pins the images of one repository.
type pinner struct {
	registries

	root  string
	check bool
	out   io.Writer

	known map[string]string // digest of each name that was asked about
}

// run pins every image, or none when one cannot be resolved; it gives how many were not
// pinned to what their tag means now.
func (p *pinner) run(ctx context.Context) (behind int, err error) {
	p.known = map[string]string{}
	fresh := map[string]string{}
	for _, path := range slices.Sorted(maps.Keys(named)) {
		text, err := os.ReadFile(filepath.Join(p.root, path))
		if err != nil {
			return behind, err
		}
		pinned, err := rewrite(string(text), named[path], func(name string) (string, error) {
			now, err := p.pinned(ctx, name)
			if err == nil && now != name {
				behind++
				_, err = fmt.Fprintf(p.out, "%s: %s, now %s\n", path, name, now)
			}
			return now, err
		})
		if err != nil {
			return behind, err
		}
		if pinned != string(text) {
			fresh[path] = pinned
		}
	}
	if p.check {
		return behind, nil
	}
	for path, text := range fresh {
		if err := replace(filepath.Join(p.root, path), text); err != nil {
			return behind, err
		}
	}
	return behind, nil
}

// pinned returns an image's name with the digest that its tag means now. An image that
// several files name is the same in all of them.
func (p *pinner) pinned(ctx context.Context, name string) (string, error) {
	ref, err := parse(name)
	if err != nil {
		return "", err
	}
	if p.known[ref.written] == "" {
		if p.known[ref.written], err = p.digest(ctx, ref); err != nil {
			return "", err
		}
	}
	return ref.written + "@" + p.known[ref.written], nil
}

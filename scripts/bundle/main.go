// Command bundle bundles the web page that the API embeds: api/web/src into api/web/dist.
//
// It needs the packages that « npm ci » installs in api/web/node_modules, but not node.
// With -tests DIR it bundles the tests of the page's logic into DIR instead, for « node
// --test ». It does nothing if nothing has changed since the last run.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	tests := flag.String("tests", "", "bundle the tests into this folder instead")
	flag.Parse()
	web, err := folder()
	if err == nil {
		err = run(web, *tests)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

// folder is api/web of the repository that the working directory is in. The location of this
// source is not used, because a program built with -trimpath, as in the images, does not know it.
func folder() (string, error) {
	at, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		web := filepath.Join(at, "api", "web")
		if _, err := os.Stat(filepath.Join(web, "package.json")); err == nil {
			return web, nil
		}
		above := filepath.Dir(at)
		if above == at {
			return "", errors.New("called outside the repository: no api/web/package.json here or above")
		}
		at = above
	}
}

func run(web, tests string) error {
	if _, err := os.Stat(filepath.Join(web, "node_modules", "preact")); err != nil {
		return fmt.Errorf("the page's packages are not there: npm ci in %s", web)
	}
	if tests != "" {
		return bundleTests(web, tests)
	}
	stamp, err := sumOf(web)
	if err != nil {
		return err
	}
	dist := filepath.Join(web, "dist")
	if had, err := os.ReadFile(filepath.Join(dist, "stamp")); err == nil && string(had) == stamp {
		return nil
	}
	if err := empty(dist); err != nil {
		return err
	}
	out, err := bundle(web)
	if err != nil {
		return err
	}
	if err := out.write(web, dist); err != nil {
		return err
	}
	fmt.Println(out.sizes())
	return os.WriteFile(filepath.Join(dist, "stamp"), []byte(stamp), 0o644)
}

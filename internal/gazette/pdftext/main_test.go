package pdftext

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// envOrphan makes this test binary open a document, say its child's process id,
// and wait to be killed.
const envOrphan = "VIGUEUR_PDFTEXT_TEST_ORPHAN"

// envConfined makes this test binary confine itself as a child does, with the cache that it names, and print what it
// still can do; with envEngine it starts the engine first. envSettings names a file that it must not read.
const (
	envEngine   = "VIGUEUR_PDFTEXT_TEST_ENGINE"
	envConfined = "VIGUEUR_PDFTEXT_TEST_CONFINED"
	envSettings = "VIGUEUR_PDFTEXT_TEST_SETTINGS"
)

func TestMain(m *testing.M) {
	Main()
	if cache := os.Getenv(envConfined); cache != "" {
		confined(cache, os.Getenv(envEngine) != "")
	}
	if path := os.Getenv(envOrphan); path != "" {
		orphan(path)
	}
	os.Exit(run(m))
}

// raced is whether this is the test binary of the race detector.
var raced = false

// run runs the tests. The children are not watched for races: each works in one goroutine, and
// under the detector one takes a second of the processor to start.
func run(m *testing.M) int {
	if !raced {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "pdftext-child-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	child := filepath.Join(dir, "child")
	if out, err := exec.Command("go", "build", "-o", child, "./testdata/child").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		return 1
	}
	childProgram = func() (string, error) { return child, nil }
	return m.Run()
}

func orphan(path string) {
	d, err := Reader{}.Open(context.Background(), path)
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	fmt.Println(d.child.cmd.Process.Pid)
	select {}
}

// confined tries what a child must not, and prints what it could do. With engine it is a child that waits for its
// first file, else one that starts, which can use its cache. The exit code is 1 if it could not be confined.
func confined(cache string, engine bool) {
	var err error
	if engine {
		_, err = prepare(cache)
	} else {
		err = policy(cache).Apply()
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	code := filepath.Join(cache, "code")
	if engine {
		tryFiles(code)
	} else if err := errors.Join(errOf(os.ReadFile(code)), os.WriteFile(code+"2", nil, 0o600), os.Rename(code+"2", code+"3")); err != nil {
		fmt.Println("it cannot use its cache:", err)
	}
	tryFiles(os.Getenv(envSettings))
	if l, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		fmt.Println("it opened a socket:", l.Addr())
	}
	if out, err := exec.Command("/bin/echo", "hello").CombinedOutput(); err == nil {
		fmt.Printf("it started a program, which said %q\n", out)
	}
	os.Exit(0)
}

// tryFiles prints which of some files, of the given one and of new ones it could open.
func tryFiles(path string) {
	for _, path := range []string{path, "/etc/passwd", "/proc/1/environ", "/proc/self/environ"} {
		if _, err := os.ReadFile(path); !errors.Is(err, os.ErrPermission) {
			fmt.Printf("reading %s: %v\n", path, err)
		}
	}
	if err := os.WriteFile(filepath.Join(os.TempDir(), "pdftext-confined"), nil, 0o600); !errors.Is(err, os.ErrPermission) {
		fmt.Println("writing:", err)
	}
}

func errOf(_ []byte, err error) error { return err }

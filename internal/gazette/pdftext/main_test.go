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

// envOrphan makes this test binary open a document, print the process id of the child,
// and wait to be killed.
const envOrphan = "VIGUEUR_PDFTEXT_TEST_ORPHAN"

// envConfined names a cache folder, and makes this test binary confine itself as a child with this cache does and print
// what it still can do. With envEngine, it starts the engine before it tries. envSettings names a file that it must not
// be able to read.
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

// raced is true if the race detector is compiled in.
var raced = false

// run runs the tests, with children that are built without the race detector: a child works in one goroutine, and
// with the detector its start takes a second of CPU time.
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

// confined tries what a child must not be able to do, and prints what succeeded. With engine, the process is confined
// like a child that waits for its first file; without, like a child that is starting and can use its cache. The exit
// code is 1 if the process could not be confined.
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

// tryFiles tries to open some system files, the file at path and new files, and prints which of them it could open.
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

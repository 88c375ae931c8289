package pdftext

import (
	"context"
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

// envConfined makes this test binary confine itself as a child does and say what
// it still can do.
const envConfined = "VIGUEUR_PDFTEXT_TEST_CONFINED"

func TestMain(m *testing.M) {
	Main()
	if os.Getenv(envConfined) != "" {
		confined()
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

func confined() {
	if err := confine(); err != nil {
		fmt.Println("confine:", err)
		os.Exit(1)
	}
	if l, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		fmt.Println("it opened a socket:", l.Addr())
	}
	if out, err := exec.Command("/bin/echo", "hello").CombinedOutput(); err == nil {
		fmt.Printf("it started a program, which said %q\n", out)
	}
	if _, err := os.ReadFile("/proc/self/statm"); err != nil {
		fmt.Println("it cannot read a file:", err)
	}
	os.Exit(0)
}

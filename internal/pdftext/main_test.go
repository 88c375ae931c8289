package pdftext

import (
	"context"
	"fmt"
	"os"
	"testing"
)

// envOrphan makes this test binary open a document, say its child's process id,
// and wait to be killed.
const envOrphan = "VIGUEUR_PDFTEXT_TEST_ORPHAN"

func TestMain(m *testing.M) {
	Main()
	if path := os.Getenv(envOrphan); path != "" {
		orphan(path)
	}
	os.Exit(m.Run())
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

package port

import (
	"fmt"
	"net"
	"testing"
)

func TestFreePortsBelongToOneProcess(t *testing.T) {
	t.Parallel()
	seen := map[int]bool{}
	for range 200 {
		n, err := Free()
		if err != nil {
			t.Fatal(err)
		}
		if seen[n] {
			t.Fatalf("port %d was given twice", n)
		}
		seen[n] = true
		if _, err := hold(n); err == nil {
			t.Errorf("another process may take port %d", n)
		}
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", n))
		if err != nil {
			t.Fatalf("port %d is not free: %v", n, err)
		}
		if isFree(n) {
			t.Errorf("port %d is free although somebody listens", n)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestTestsEndWhenTheDiskIsFull(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		// A tick orders nothing between the watcher that reads and the test that writes, so the bytes are atomic.
		left := map[string]*atomic.Int64{"/a": {}, "/b": {}}
		for _, bytes := range left {
			bytes.Store(900 << 20)
		}
		free := func(folder string) (int64, error) {
			if bytes, ok := left[folder]; ok {
				return bytes.Load(), nil
			}
			return 0, os.ErrNotExist
		}
		ctx, stop := watchRoom(t.Context(), []string{"/gone", "/a", "/b"}, 512<<20, free, time.Second)
		defer stop()
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if ctx.Err() != nil {
			t.Fatalf("ended with room enough: %v", context.Cause(ctx))
		}
		left["/b"].Store(100 << 20)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if err := context.Cause(ctx); !errors.Is(err, errNoRoom) || !strings.Contains(err.Error(), "100 MiB left at /b") {
			t.Fatalf("the cause is %v", err)
		}
	})
}

// TestNoRoomIsSaid: the run ends before go test is started, says why and fails.
func TestNoRoomIsSaid(t *testing.T) {
	t.Parallel()
	var out, errs strings.Builder
	code := run(t.Context(), []string{"-dir", t.TempDir(), "-room", "1000000000", "--", "-run", "Nothing", "."}, &out, &errs)
	if code != 1 {
		t.Errorf("exit code %d", code)
	}
	if !strings.Contains(out.String(), "failed: no room on the disk: ") || !strings.HasSuffix(out.String(), "0 passed, 1 failed, 0 skipped\n") {
		t.Errorf("it said %q", out.String())
	}
}

func TestFreeBytes(t *testing.T) {
	t.Parallel()
	if n, err := freeBytes(t.TempDir()); err != nil || n <= 0 {
		t.Errorf("%d bytes, %v", n, err)
	}
	if _, err := freeBytes("/no/such/folder"); err == nil {
		t.Error("a folder that is not there has room")
	}
}

package pdftext

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"vigueur/internal/kit/confine"
)

// TestNoOrphan kills a parent with SIGKILL and checks that its child ends too.
func TestNoOrphan(t *testing.T) {
	t.Parallel()
	path := file(t, "un.pdf", numbered(1).bytes())
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe")
	cmd.Env = append(os.Environ(), envOrphan+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatalf("the parent says %q", line)
	}
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		t.Skipf("no process descriptors here: %v", err)
	}
	defer unix.Close(fd)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	const patience = 10_000 // milliseconds
	for {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, patience)
		if err == unix.EINTR {
			continue
		}
		if n != 1 || err != nil {
			t.Errorf("the child outlived its parent: %d, %v", n, err)
		}
		return
	}
}

// TestConfinement looks at a running child from outside.
func TestConfinement(t *testing.T) {
	t.Parallel()
	d := opened(t, Reader{}, file(t, "un.pdf", numbered(1).bytes()))
	proc := fmt.Sprintf("/proc/%d/", d.child.cmd.Process.Pid)
	environ, err := os.ReadFile(proc + "environ")
	if err != nil {
		t.Skipf("the child's environment cannot be seen here: %v", err)
	}
	allowed := map[string]bool{envChild: true, envCache: true, "GOGC": true, "GOMAXPROCS": true, "GOMEMLIMIT": true, "GOTRACEBACK": true}
	for v := range strings.SplitSeq(strings.Trim(string(environ), "\x00"), "\x00") {
		if name, _, _ := strings.Cut(v, "="); !allowed[name] {
			t.Errorf("the child was given %s", name)
		}
	}
	limits, err := os.ReadFile(proc + "limits")
	if err != nil {
		t.Fatal(err)
	}
	p := policy("")
	want := map[string]string{"Max cpu time": strconv.FormatUint(p.CPUSeconds, 10), "Max open files": strconv.FormatUint(p.OpenFiles, 10),
		"Max file size": strconv.FormatUint(p.FileBytes, 10), "Max core file size": "0"}
	for line := range strings.Lines(string(limits)) {
		name := strings.TrimSpace(line[:min(25, len(line))])
		fields := strings.Fields(line[min(25, len(line)):])
		if name == "Max address space" && fields[0] == "unlimited" {
			t.Error("address space is unlimited")
		}
		if w, ok := want[name]; ok && (fields[0] != w || fields[1] != w) {
			t.Errorf("%s is %v, want %s", name, fields[:2], w)
		}
	}
	ours, err1 := os.Readlink("/proc/self/ns/net")
	theirs, err2 := os.Readlink(proc + "ns/net")
	if err1 != nil || err2 != nil || ours == theirs {
		t.Skip("this kernel does not let a process leave the network")
	}
}

// TestForbidden starts two confined processes, one like a child that is starting and one like a child whose engine is
// ready. Both try what a child must not be able to do.
func TestForbidden(t *testing.T) {
	t.Parallel()
	if confine.Landlock() == 0 {
		t.Skip("files are not limited by this kernel")
	}
	cache := t.TempDir()
	settings := filepath.Join(t.TempDir(), "worker.env")
	for _, path := range []string{settings, filepath.Join(cache, "code")} {
		if err := os.WriteFile(path, []byte("VIGUEUR_DATABASE_URL=secret"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, engine := range []string{"", "1"} {
		cmd := exec.CommandContext(t.Context(), "/proc/self/exe")
		cmd.Env = append(os.Environ(), envConfined+"="+cache, envSettings+"="+settings, envEngine+"="+engine)
		out, err := cmd.CombinedOutput()
		if err != nil || len(out) != 0 {
			t.Errorf("engine %q: %v: %s", engine, err, out)
		}
	}
}

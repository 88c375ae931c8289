package ocr

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"vigueur/internal/kit/confine"
	"vigueur/internal/kit/errs"
)

// envConfined makes this test binary, which then stands for tesseract, try what a confined program must not do. It
// names a file with settings. envTry is the same for the child that becomes it.
const (
	envConfined = "VIGUEUR_OCR_TEST_CONFINED"
	envTry      = "VIGUEUR_OCR_TEST_TRY"
)

// TestForbiddenToTesseract confines a process as a child does, replaces it by this test binary instead of tesseract,
// and lets that try to read files, to open a socket, and to start a program.
func TestForbiddenToTesseract(t *testing.T) {
	t.Parallel()
	if confine.Landlock() == 0 {
		t.Skip("files are not limited by this kernel")
	}
	settings := filepath.Join(t.TempDir(), "worker.env")
	if err := os.WriteFile(settings, []byte("VIGUEUR_DATABASE_URL=secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe")
	cmd.Env = append(os.Environ(), envTry+"="+settings)
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "tried\n" {
		t.Errorf("%v: %s", err, out)
	}
}

// tryConfined does what the environment asks of this test binary, and ends it then.
func tryConfined() {
	if settings := os.Getenv(envTry); settings != "" {
		become(settings)
	}
	if settings := os.Getenv(envConfined); settings != "" {
		confined(settings)
	}
}

// become confines this process as for tesseract and replaces it by this test binary.
func become(settings string) {
	program, err := os.Executable()
	if err == nil {
		p := policy(program)
		p.AddressSpace = 0 // the race detector needs more than there is
		if err = p.Apply(); err == nil {
			err = p.Start(nil, append(environ(), envConfined+"="+settings))
		}
	}
	fmt.Println(err)
	os.Exit(1)
}

// confined prints what it could do that it must not, and « tried ».
func confined(settings string) {
	for _, path := range []string{settings, "/etc/passwd", "/proc/1/environ", "/proc/self/environ", "/etc", os.TempDir()} {
		if f, err := os.Open(path); !errors.Is(err, os.ErrPermission) {
			fmt.Printf("opening %s: %v %v\n", path, f, err)
		}
	}
	if err := os.WriteFile(filepath.Join(os.TempDir(), "ocr-confined"), nil, 0o600); !errors.Is(err, os.ErrPermission) {
		fmt.Println("writing:", err)
	}
	if l, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		fmt.Println("it opened a socket:", l.Addr())
	}
	if c, err := net.Dial("unix", "/run/docker.sock"); !errors.Is(err, os.ErrPermission) {
		fmt.Println("a socket:", c, err)
	}
	if out, err := exec.Command("/bin/echo", "hello").CombinedOutput(); err == nil {
		fmt.Printf("it started a program, which said %q\n", out)
	}
	if parent, err := os.FindProcess(os.Getppid()); err == nil && parent.Signal(os.Interrupt) == nil {
		fmt.Println("it sent its parent a signal")
	}
	fmt.Println("tried")
	os.Exit(0)
}

// TestLimitsOfTesseract looks at the limits and the environment that a confined program has.
func TestLimitsOfTesseract(t *testing.T) {
	t.Parallel()
	if err := (Reader{}).Available(t.Context()); err != nil {
		t.Skip(errs.Public(err))
	}
	program, err := Reader{}.program()
	if err != nil {
		t.Fatal(err)
	}
	cmd, err := Reader{}.command(t.Context(), program, "stdin", "stdout")
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe() // tesseract waits for its picture
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended, result := make(chan struct{}), error(nil)
	go func() {
		result = cmd.Wait()
		close(ended)
	}()
	defer func() {
		_ = in.Close()
		<-ended // it had no picture
	}()
	proc := fmt.Sprintf("/proc/%d/", cmd.Process.Pid)
	var name, environ []byte
	for string(name) != "tesseract\n" || len(environ) == 0 { // until the child has become tesseract
		var err1, err2 error
		name, err1 = os.ReadFile(proc + "comm")
		environ, err2 = os.ReadFile(proc + "environ")
		if errors.Join(err1, err2) == nil {
			continue
		}
		// A process that is just becoming another has no memory to read, as one that has ended.
		select {
		case <-ended:
			t.Fatalf("the child ended before it became tesseract: %v", result)
		default:
			runtime.Gosched()
		}
	}
	for v := range strings.SplitSeq(strings.Trim(string(environ), "\x00"), "\x00") {
		if name, _, _ := strings.Cut(v, "="); name != "OMP_THREAD_LIMIT" && name != "LC_ALL" && name != envData {
			t.Errorf("tesseract was given %s", name)
		}
	}
	limits, err := os.ReadFile(proc + "limits")
	if err != nil {
		t.Fatal(err)
	}
	p := policy(program)
	number := func(n uint64) string { return strconv.FormatUint(n, 10) }
	want := map[string]string{"Max cpu time": number(p.CPUSeconds), "Max open files": number(p.OpenFiles), "Max file size": "0",
		"Max core file size": "0", "Max address space": number(p.AddressSpace)}
	for line := range strings.Lines(string(limits)) {
		name := strings.TrimSpace(line[:min(25, len(line))])
		fields := strings.Fields(line[min(25, len(line)):])
		if w, ok := want[name]; ok && (fields[0] != w || fields[1] != w) {
			t.Errorf("%s is %v, want %s", name, fields[:2], w)
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("no limits: %v", want)
	}
}

// TestAProgramThatCannotBeConfined is not started.
func TestAProgramThatCannotBeConfined(t *testing.T) {
	t.Parallel()
	r := Reader{Program: program(t, "echo fra")}
	if err := r.Available(t.Context()); !errs.Is(err, errs.Unavailable) || !strings.Contains(err.Error(), "no ELF program") {
		t.Errorf("a script: %v", err)
	}
}

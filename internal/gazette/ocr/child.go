package ocr

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"vigueur/internal/kit/confine"
)

// envProgram tells a child the program to become: tesseract's path. Its arguments are the program's.
const envProgram = "VIGUEUR_OCR_CHILD"

// exitConfine is the exit code of a child that could not be confined or become tesseract.
const exitConfine = 72

// Main confines this process and replaces it by tesseract, when it was started for that; else it
// returns at once. Call it first in the main of every program, and in the TestMain of every
// package, that recognizes pages.
func Main() {
	program := os.Getenv(envProgram)
	if program == "" {
		return
	}
	p := policy(program)
	err := p.Apply()
	if err == nil {
		err = p.Start(os.Args[1:], environ())
	}
	fmt.Fprintln(os.Stderr, "confine tesseract:", err)
	os.Exit(exitConfine)
}

// policy is what tesseract may do: read its libraries, which are below its own prefix (/usr of
// /usr/bin/tesseract) or the system's, and its language data; write to no file. The picture comes
// by a pipe, the words go by another.
func policy(program string) confine.Policy {
	if real, err := filepath.EvalSymlinks(program); err == nil {
		program = real
	}
	prefix := filepath.Dir(filepath.Dir(program))
	read := []string{"/etc/ld.so.cache", "/sys/devices/system/cpu", "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib"}
	for _, folder := range []string{"lib", "lib64", "share/tessdata", "share/tesseract-ocr"} {
		read = append(read, filepath.Join(prefix, folder))
	}
	if data := os.Getenv(envData); data != "" {
		read = append(read, data)
	}
	return confine.Policy{
		Read: read, Program: program,
		AddressSpace: 3 << 30, // three times what the largest picture, full of noise, needs
		CPUSeconds:   900,     // more than the longest timeout of a page
		OpenFiles:    64,
	}
}

// envData names the folder with tesseract's languages, if it is not the one that was compiled in.
const envData = "TESSDATA_PREFIX"

// environ is the environment of tesseract, and of the child that becomes it.
func environ() []string {
	env := []string{"OMP_THREAD_LIMIT=1", "LC_ALL=C"}
	if v := os.Getenv(envData); v != "" {
		env = append(env, envData+"="+v)
	}
	return env
}

// command returns a command that starts tesseract, confined where the system can do so.
func (r Reader) command(ctx context.Context, program string, args ...string) (*exec.Cmd, error) {
	if os.Getenv(envProgram) != "" {
		return nil, errors.New("start tesseract in the child for it: Main was not called first")
	}
	if r.free || runtime.GOOS != "linux" {
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Env, cmd.WaitDelay = append(environ(), "PATH="+os.Getenv("PATH")), lastOutput
		return cmd, nil
	}
	program, err := filepath.Abs(program)
	if err != nil {
		return nil, err
	}
	self, err := confine.Self()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Env, cmd.WaitDelay = append(environ(), envProgram+"="+program, "GOMAXPROCS=1"), lastOutput
	cmd.Dir, cmd.SysProcAttr = "/", confine.Attributes(false)
	return cmd, nil
}

// lastOutput is how long the output of an ended tesseract is waited for.
const lastOutput = 5 * time.Second

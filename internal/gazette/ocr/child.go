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

// envProgram names the variable with the path of tesseract, the program that a child becomes. The
// child passes its own arguments to tesseract.
const envProgram = "VIGUEUR_OCR_CHILD"

// exitConfine is the exit code of a child that could not be confined or become tesseract.
const exitConfine = 72

// Main confines this process and replaces it by tesseract, if the process was started for that.
// Otherwise Main returns at once. Every program that recognizes pages must call Main first in its
// main function, and every package that does, in its TestMain.
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

// policy is what tesseract may do. It may read its language data and its libraries, which are below
// the prefix of program (/usr for /usr/bin/tesseract) or in the system's folders. It may not write
// to any file: it gets the picture from one pipe and writes the words to another.
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

// envData is the variable with the folder of tesseract's language data, if this is not the folder
// that was compiled into tesseract.
const envData = "TESSDATA_PREFIX"

// environ is the environment of tesseract. The child that becomes tesseract has it too.
func environ() []string {
	env := []string{"OMP_THREAD_LIMIT=1", "LC_ALL=C"}
	if v := os.Getenv(envData); v != "" {
		env = append(env, envData+"="+v)
	}
	return env
}

// command returns a command that starts tesseract. On Linux, tesseract is confined.
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

// lastOutput is how long the parent waits for the rest of the output after tesseract has ended.
const lastOutput = 5 * time.Second

// Package officetext reads the words of files of word processors: .docx (Office Open XML) and
// .odt (OpenDocument).
//
// A file goes in; its paragraphs come out, separated by blank lines, with footnotes at the end.
// What was deleted and remarks in the margin are left out. The file is untrusted: it is read in
// a child process, which is this program again (Main), confined before it sees the first byte
// (package confine), with bounds on entries, sizes, compression and nesting. Errors have French
// sentences: Unprocessable for files that are damaged or not of these kinds, TooLarge for those
// beyond a bound, Unavailable if the child does not answer in time.
package officetext

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"vigueur/internal/kit/confine"
	"vigueur/internal/kit/errs"
)

const (
	// envChild is the variable that tells a child what it is.
	envChild = "VIGUEUR_OFFICETEXT_CHILD"
	// readTime is the time that a child may take.
	readTime = 30 * time.Second
	// mostFile is the maximum size of a file, in bytes.
	mostFile = 32 << 20
	// mostText is the maximum length of what is read, in bytes.
	mostText = 8 << 20
)

// policy is what the child may do: no file, no network, 20 s of processor time, and memory for
// the file, its largest part and the text.
var policy = confine.Policy{MoreAddressSpace: 1 << 30, CPUSeconds: 20, FileBytes: 1, OpenFiles: 16}

// reply is what the child answers.
type reply struct {
	Text  string `json:"text"`
	Fault string `json:"fault"` // French sentence; "" if the text was read
	Large bool   `json:"large"` // the fault is a bound
}

// Main runs the child and then ends the process, if this process was started as a child.
// Otherwise Main returns at once. Every program that reads files must call Main first in its
// main function, and every package that does, in its TestMain.
func Main() {
	if os.Getenv(envChild) == "" {
		return
	}
	if err := policy.Apply(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	data, err := io.ReadAll(io.LimitReader(os.Stdin, mostFile+1))
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(answer(data))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// answer reads the bytes of a file.
func answer(data []byte) reply {
	text, err := extract(data)
	var known *errs.Error
	switch {
	case errors.As(err, &known):
		return reply{Fault: known.Public, Large: known.Kind == errs.TooLarge}
	case err != nil:
		return reply{Fault: "Le document est endommagé ou incomplet : il ne peut pas être lu."}
	}
	return reply{Text: text}
}

// Read returns the text of a file, which is read from its beginning.
func Read(ctx context.Context, file *os.File) (string, error) {
	if os.Getenv(envChild) != "" {
		return "", errors.New("read a document in the child: Main was not called first")
	}
	exe, err := confine.Self()
	if err != nil {
		return "", err
	}
	limited, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	out, failed := run(limited, exe, file, true)
	if failed != nil && limited.Err() == nil {
		out, failed = run(limited, exe, file, false) // a kernel without namespaces for everybody
	}
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case limited.Err() != nil:
		return "", errs.New(errs.Unprocessable, "Le document demande trop de temps pour être lu.")
	case failed != nil:
		return "", errs.Wrap(errs.Unprocessable, "Le document ne peut pas être lu : il est endommagé, ou demande trop de mémoire.", failed)
	case out.Fault != "" && out.Large:
		return "", errs.New(errs.TooLarge, out.Fault)
	case out.Fault != "":
		return "", errs.New(errs.Unprocessable, out.Fault)
	}
	return out.Text, nil
}

// run runs one child on a file. alone puts it into a network namespace without interfaces.
func run(ctx context.Context, exe string, file *os.File, alone bool) (out reply, err error) {
	var said, told bytes.Buffer
	cmd := exec.CommandContext(ctx, exe)
	cmd.Args, cmd.Dir = []string{"vigueur-officetext"}, "/"
	cmd.Env = []string{envChild + "=1", "GOMAXPROCS=1", "GOMEMLIMIT=512MiB", "GOTRACEBACK=single"}
	cmd.SysProcAttr, cmd.WaitDelay = confine.Attributes(alone), 5*time.Second
	cmd.Cancel = func() error { confine.KillGroup(cmd); return nil }
	// By position, because a second child reads the file again.
	cmd.Stdin = io.NewSectionReader(file, 0, mostFile+1)
	cmd.Stdout, cmd.Stderr = &bounded{to: &said, left: 8 * mostText}, &bounded{to: &told, left: 4 << 10}
	if err := cmd.Run(); err != nil {
		return out, fmt.Errorf("child that reads documents: %w: %.500s", err, told.Bytes())
	}
	err = json.Unmarshal(said.Bytes(), &out)
	return out, err
}

// bounded writes up to left bytes and drops the rest.
type bounded struct {
	to   *bytes.Buffer
	left int
}

func (b *bounded) Write(p []byte) (int, error) {
	n := min(len(p), b.left)
	b.left -= n
	b.to.Write(p[:n])
	return len(p), nil
}

package embedding_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"vigueur/internal/llm/openai"
)

// startEncoder starts the program's own encoder and gives a client of it, and
// the process that embeds passages.
func startEncoder(t *testing.T) (e *openai.Embedder, child int) {
	t.Helper()
	python, err := filepath.Abs("../../.state/encoder/venv/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(python); err != nil {
		t.Skip("the encoder is not installed: ", err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(free.Addr().String())
	if err := errors.Join(err, free.Close()); err != nil {
		t.Fatal(err)
	}
	tells, told, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), python, "-I", "../../scripts/encoder/serve.py", "--port", port, "--pid", "/dev/fd/3")
	c.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1", "PYTHONDONTWRITEBYTECODE=1")
	c.Stderr, c.ExtraFiles = os.Stderr, []*os.File{told}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Wait() }) // killed when the test ends
	_ = told.Close()
	if _, err := bufio.NewReader(tells).ReadString('\n'); err != nil { // it writes its id once it listens
		t.Fatal("the encoder did not start: ", err)
	}
	_ = tells.Close()
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", c.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(string(children), &child); err != nil {
		t.Fatalf("the encoder has no child: %v", err)
	}
	url := fmt.Sprintf("http://127.0.0.1:%s/v1", port)
	return &openai.Embedder{Client: &openai.Client{URL: url}, Model: "use-multilingual-3"}, child
}

// Passages are embedded by a process that stands back, questions by another; both
// make the same vectors, and the second makes those of passages too when the
// first is gone.
func TestEncoder(t *testing.T) {
	t.Parallel()
	e, child := startEncoder(t)
	text := "Le salarié respecte un préavis."
	question := embed(t, e, text)[0]
	passages := embed(t, e, text, "Le contrat est écrit.", "La durée du travail est de quarante heures.")
	// It stands back before it embeds, not before it is there.
	if own, its := niceness(t, os.Getpid()), niceness(t, child); its != own+5 {
		t.Errorf("passages are embedded at niceness %d beside %d", its, own)
	}
	if like := cosine(question, passages[0]); like < 0.9999 {
		t.Errorf("a text alone and among others: cosine %v", like)
	}
	if like := cosine(passages[0], passages[2]); like > 0.9 {
		t.Errorf("two texts: cosine %v", like)
	}
	if err := syscall.Kill(child, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	again := embed(t, e, text, "Le contrat est écrit.", "La durée du travail est de quarante heures.")
	if like := cosine(again[1], passages[1]); like < 0.9999 {
		t.Errorf("without the child: cosine %v", like)
	}
}

func niceness(t *testing.T, pid int) (n int) {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	const nice = 16 // the field, counted after the name
	stat := string(raw)
	if n, err = strconv.Atoi(strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])[nice]); err != nil {
		t.Fatal(err)
	}
	return n
}

func embed(t *testing.T, e *openai.Embedder, texts ...string) [][]float32 {
	t.Helper()
	v, err := e.Embed(context.WithoutCancel(t.Context()), texts)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func cosine(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return math.Abs(sum)
}

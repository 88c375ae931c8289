package pdftext

import (
	"fmt"
	"testing"
	"time"

	"vigueur/internal/kit/confine"
	"vigueur/internal/kit/errs"
)

// pidOf reads the pages of a file and returns the id of the process that read them.
func pidOf(t *testing.T, r Reader, path string, pages int) int {
	t.Helper()
	d, err := r.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	pid := d.child.cmd.Process.Pid
	got, err := d.Read(t.Context(), 1, pages)
	if err != nil || len(got) != pages {
		t.Fatalf("%d pages of %d: %v", len(got), pages, err)
	}
	for i, p := range got {
		if want := fmt.Sprintf("Page %d du fichier", i+1); words(p) != want {
			t.Errorf("page %d says %q", i+1, words(p))
		}
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	return pid
}

// One child reads several files after each other, also after a file that is not a PDF.
func TestSpares(t *testing.T) {
	t.Parallel()
	spares := &Spares{patience: time.Hour}
	defer spares.Close()
	r := patient(spares)
	first := pidOf(t, r, file(t, "un.pdf", numbered(3).bytes()), 3)
	if _, err := r.Open(t.Context(), file(t, "vide.pdf", []byte("%PDF-1.4\n%%EOF\n"))); !errs.Is(err, errs.Unprocessable) {
		t.Errorf("a file without pages: %v", err)
	}
	if second := pidOf(t, r, file(t, "deux.pdf", numbered(2).bytes()), 2); second != first {
		t.Errorf("read by %d, then by %d", first, second)
	}
	d := opened(t, r, file(t, "long.pdf", numbered(90).bytes()))
	if _, err := d.Read(t.Context(), 1, 20); err != nil { // now the child reads ahead
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if len(spares.idle) != 0 {
		t.Error("a child that still reads is kept for another file")
	}
}

// No page is lost if a spare child dies while it waits for a file.
func TestDeadSpare(t *testing.T) {
	t.Parallel()
	for name, kill := range map[string]func(*process){
		"and is known to be dead": func(p *process) { confine.KillGroup(p.cmd); <-p.dead },
		"as it is given a file":   func(p *process) { _ = p.ask(request{Op: "read", From: 7, To: 9}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spares := &Spares{patience: time.Hour}
			defer spares.Close()
			r := patient(spares)
			path := file(t, "un.pdf", numbered(1).bytes())
			first := pidOf(t, r, path, 1)
			kill(spares.idle[0].process)
			if again := pidOf(t, r, path, 1); again == first {
				t.Error("the same child read on")
			}
		})
	}
}

// A spare child is ended if it has reached its limit of files or pages, if enough
// children wait already, or if no document takes it in time.
func TestSparesEnd(t *testing.T) {
	t.Parallel()
	spares := &Spares{patience: time.Hour}
	r := patient(spares)
	path := file(t, "un.pdf", numbered(1).bytes())
	d := opened(t, r, path)
	d.child.files = spareFiles
	worn := d.child
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	<-worn.dead
	var all []*Document
	for range sparesKept + 1 {
		all = append(all, opened(t, r, path))
	}
	one := all[0].child
	for _, d := range all {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(spares.idle) != sparesKept {
		t.Errorf("%d children wait", len(spares.idle))
	}
	spares.drop(one)
	<-one.dead
	rest := spares.idle[0].process
	spares.Close()
	<-rest.dead
	if len(spares.idle) != 0 {
		t.Errorf("%d children wait after all", len(spares.idle))
	}
}

// The deadline of one call does not apply to the next request, which may be sent much
// later, for example after OCR of the pages in between.
func TestTimeEndsWithItsCall(t *testing.T) {
	t.Parallel()
	d := opened(t, Reader{}, file(t, "deux.pdf", numbered(2).bytes()))
	if err := d.child.guard(t.Context(), time.Nanosecond, func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	if pages, err := d.Read(t.Context(), 1, 2); err != nil || len(pages) != 2 || d.deaths != 0 {
		t.Errorf("%d pages, %v, %d children ended", len(pages), err, d.deaths)
	}
}

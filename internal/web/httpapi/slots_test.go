package httpapi

import (
	"context"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
)

// A client that has all that one may have waits, and keeps out nobody else.
func TestNobodyHasAllSlots(t *testing.T) {
	t.Parallel()
	s := &slots{most: 2}
	ctx := t.Context()
	first, err := s.take(ctx, "a", 1, true)
	ok(t, err)
	got := make(chan func())
	go func() {
		release, err := s.take(ctx, "a", 1, true)
		if err != nil {
			t.Error(err)
		}
		got <- release
	}()
	for s.mu.Lock(); len(s.waiting) == 0; s.mu.Lock() { // until it waits
		s.mu.Unlock()
		time.Sleep(time.Millisecond)
	}
	s.mu.Unlock()
	other, err := s.take(ctx, "b", 1, true)
	ok(t, err)
	_, err = s.take(ctx, "c", 1, false)
	if !errs.Is(errs.New(errs.KindOf(err), ""), errs.Unavailable) {
		t.Errorf("without a slot: %v", err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err = s.take(gone, "c", 1, true); err == nil {
		t.Error("a slot for one that is gone")
	}
	first()
	first() // once
	second := <-got
	second()
	other()
	if s.all != 0 || len(s.of) != 0 || len(s.waiting) != 0 {
		t.Errorf("left: %d, %v, %d", s.all, s.of, len(s.waiting))
	}
}

// An account has one check at a time, and exports are made meanwhile.
func TestChecksLeaveRoomForOthers(t *testing.T) {
	b := setup(t)
	release, err := b.checks.take(t.Context(), b.user.ID.String(), 1, false)
	ok(t, err)
	const text = `{"text":"Vu la loi n° 1999-01."}`
	again := b.do(t, "POST", verifyRoute, text)
	equal(t, "a second check of the account", again.status, http.StatusServiceUnavailable)
	if again.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	other := b.tokenOf(t, b.addUser(t, "autre@example.org"))
	equal(t, "one of another account", b.do(t, "POST", verifyRoute, text, "Authorization", "Bearer "+other).status, http.StatusOK)
	conversation, _ := b.answered(t, "Combien ?", "Dix jours.")
	equal(t, "an export", b.get(t, conversationsPath+"/"+conversation.String()+"/export?format=docx").status, http.StatusOK)
	release()
	equal(t, "afterwards", b.do(t, "POST", verifyRoute, text).status, http.StatusOK)
}

func TestFilesThatArrive(t *testing.T) {
	t.Parallel()
	var u uploads
	one, other := uuid.New(), uuid.New()
	first, err := u.enter(one, 3, 2)
	ok(t, err)
	second, err := u.enter(one, 3, 2)
	ok(t, err)
	if _, err := u.enter(one, 3, 2); err == nil {
		t.Error("an account has all places")
	}
	third, err := u.enter(other, 3, 2)
	ok(t, err)
	if _, err := u.enter(other, 3, 2); err == nil {
		t.Error("more files than places")
	}
	for _, leave := range []func(){first, second, third} {
		leave()
	}
	if u.all != 0 || len(u.of) != 0 {
		t.Errorf("left: %d, %v", u.all, u.of)
	}
}

// A file that comes a byte at a time is given up, also if no byte is late.
func TestFilesMustKeepThePace(t *testing.T) {
	t.Parallel()
	server, client := net.Pipe()
	defer server.Close()
	defer client.Close()
	began := time.Now()
	a := &arriving{conn: server, body: server, began: began.Add(-uploadIdle + 200*time.Millisecond), most: time.Hour, left: 1 << 20}
	go func() {
		for {
			if _, err := client.Write([]byte("a")); err != nil {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	var err error
	for err == nil {
		_, err = a.Read(make([]byte, 1))
	}
	if !os.IsTimeout(err) && !strings.Contains(err.Error(), "deadline") {
		t.Errorf("ended with %v", err)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("given up after %v", took)
	}
	a = &arriving{conn: server, body: server, began: time.Now().Add(-time.Minute), most: 30 * time.Second, read: 1 << 30, left: 1 << 20}
	if _, err := a.Read(make([]byte, 1)); !os.IsTimeout(err) {
		t.Errorf("a file that arrived for too long: %v", err)
	}
}

// Days of one version have one page, at the day on which the version begins.
func TestDaysOfAVersionHaveOnePage(t *testing.T) {
	b := setup(t, public)
	b.amended(t)
	const path = "/akn/xx/act/2023-05-02/2024-01"
	for day, begins := range map[string]string{"1999-01-01": "2023-05-02", "2023-05-31": "2023-05-02", "2023-06-03": "2023-06-02", "2024-06-30": "2023-06-02", "2024-07-02": "2024-07-01", "2100-01-01": "2024-07-01"} {
		for _, rest := range []string{"", "/!main~art_2"} {
			r := b.guest(t, path+"/fra@"+day+rest)
			equal(t, day+rest, []any{r.status, r.header.Get("Location")}, []any{http.StatusFound, path + "/fra@" + begins + rest})
		}
		r := b.guest(t, path+"/fra@"+day+"?format=pdf")
		equal(t, day+" as PDF", []any{r.status, r.header.Get("Location")}, []any{http.StatusFound, path + "/fra@" + begins + "?format=pdf"})
	}
	equal(t, "the version itself", b.guest(t, path+"/fra@2023-06-02").status, http.StatusOK)
}

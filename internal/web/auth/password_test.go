package auth

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"vigueur/internal/kit/errs"
)

func TestPasswordIsRecognised(t *testing.T) {
	t.Parallel()
	p := NewPasswords()
	hash, err := p.Hash(t.Context(), "café crème 🔑")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("hash %q is not of the stated cost", hash)
	}
	for password, want := range map[string]bool{"café crème 🔑": true, "cafe crème 🔑": false, "": false, "café crème 🔑 ": false} {
		if ok, err := p.Verify(t.Context(), password, hash); ok != want || err != nil {
			t.Errorf("Verify(%q) = %v, %v; want %v", password, ok, err, want)
		}
	}
	again, err := p.Hash(t.Context(), "café crème 🔑")
	if err != nil || again == hash {
		t.Errorf("the same password twice: %q and %q (%v), want other salts", hash, again, err)
	}
}

// The same password matches however a system composes its letters, and so does one that was
// hashed as it was typed.
func TestPasswordsAreComparedInNFC(t *testing.T) {
	t.Parallel()
	p := NewPasswords()
	const composed, apart = "caf\u00e9 cr\u00e8me br\u00fbl\u00e9e", "cafe\u0301 cre\u0300me bru\u0302le\u0301e"
	for name, typed := range map[string]string{"composed": composed, "apart": apart} {
		hash, err := p.Hash(t.Context(), typed)
		if err != nil {
			t.Fatal(err)
		}
		for _, again := range []string{composed, apart} {
			if ok, err := p.Verify(t.Context(), again, hash); !ok || err != nil {
				t.Errorf("hashed %s, typed %+q: %v, %v", name, again, ok, err)
			}
		}
	}
	old := phc{params: cost, salt: make([]byte, saltBytes)}
	var err error
	if old.key, err = p.derive(t.Context(), apart, old.params, old.salt, keyBytes); err != nil {
		t.Fatal(err)
	}
	if ok, err := p.Verify(t.Context(), apart, old.String()); !ok || err != nil {
		t.Errorf("hashed as it was typed: %v, %v", ok, err)
	}
}

func TestNobodysPasswordNeverMatches(t *testing.T) {
	t.Parallel()
	p := NewPasswords()
	for _, password := range []string{"", "anything"} {
		if ok, err := p.Verify(t.Context(), password, ""); ok || err != nil {
			t.Errorf("Verify(%q, no account) = %v, %v; want false", password, ok, err)
		}
	}
	if p.dummy.params != cost {
		t.Errorf("an unknown account costs %+v, a known one %+v: the time tells them apart", p.dummy.params, cost)
	}
}

func TestHashingWaitsForATurnAndNoLonger(t *testing.T) {
	t.Parallel()
	p := NewPasswords()
	for range cap(p.slots) {
		p.slots <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Hash(ctx, "x"); !errs.Is(err, errs.Unavailable) {
		t.Errorf("with every slot taken: %v, want Unavailable", err)
	}
	if _, err := p.Verify(ctx, "x", ""); !errs.Is(err, errs.Unavailable) {
		t.Errorf("with every slot taken: %v, want Unavailable", err)
	}
	<-p.slots
	if _, err := p.Hash(t.Context(), "x"); err != nil {
		t.Errorf("with one slot free: %v", err)
	}
}

func TestHashingRefusesWhenTooManyWait(t *testing.T) {
	t.Parallel()
	p := NewPasswords()
	if most := max(1, runtime.GOMAXPROCS(0)-1); cap(p.slots) != most {
		t.Errorf("%d hashes at once on %d processors, want one left to the rest", cap(p.slots), runtime.GOMAXPROCS(0))
	}
	for range cap(p.slots) {
		p.slots <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error)
	hash := p.dummy.String()
	for range cap(p.queue) + 1 { // no slot becomes free, so the calls that return were refused
		go func() {
			_, err := p.Verify(ctx, "x", hash)
			ended <- err
		}()
	}
	if err := <-ended; !errs.Is(err, errs.Unavailable) || ctx.Err() != nil {
		t.Errorf("one too many: %v", err)
	}
	cancel()
	for range cap(p.queue) {
		if err := <-ended; !errs.Is(err, errs.Unavailable) {
			t.Errorf("one whose client left: %v", err)
		}
	}
	<-p.slots
	if _, err := p.Verify(t.Context(), "x", ""); err != nil {
		t.Errorf("after the rush: %v", err)
	}
}

// However many requests have invented addresses, people with an account can sign in, and a
// request with an invented address takes as long as one with an account.
func TestMadeUpAddressesKeepNobodyOut(t *testing.T) {
	t.Parallel()
	p := NewPasswords()
	hash, err := p.Hash(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Verify(t.Context(), "x", hash); err != nil {
		t.Fatal(err)
	}
	for range cap(p.slots) {
		p.slots <- struct{}{} // hashes wait
	}
	ctx, cancel := context.WithCancel(t.Context())
	var crowd sync.WaitGroup
	for range cap(p.nobody) {
		crowd.Go(func() { _, _ = p.Verify(ctx, "x", "") }) // ends with ctx
	}
	for len(p.nobody) < cap(p.nobody) {
		time.Sleep(time.Millisecond)
	}
	lasted := time.Duration(p.lasted.Load())
	for range 3 * cap(p.queue) { // one after the other, none of them waits for a slot
		p.lasted.Store(int64(2 * time.Millisecond))
		began := time.Now()
		if right, err := p.Verify(ctx, "x", ""); right || err != nil {
			t.Fatalf("made up: %v, %v", right, err)
		}
		if took := time.Since(began); took < time.Millisecond {
			t.Errorf("a made-up address takes %v, one with an account takes 2 ms", took)
		}
	}
	p.lasted.Store(int64(lasted))
	if free := cap(p.queue) - len(p.queue); free < cap(p.queue)/2 {
		t.Errorf("%d places of %d are left for accounts", free, cap(p.queue))
	}
	for range cap(p.slots) {
		<-p.slots
	}
	if right, err := p.Verify(ctx, "x", hash); !right || err != nil {
		t.Errorf("one with an account: %v, %v", right, err)
	}
	cancel()
	crowd.Wait()
}

func TestOnlyPHCStringsAreRead(t *testing.T) {
	t.Parallel()
	const salt, key = "AAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	for name, s := range map[string]string{
		"empty":          "",
		"bcrypt":         "$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy",
		"argon2i":        "$argon2i$v=19$m=19456,t=2,p=1$" + salt + "$" + key,
		"other version":  "$argon2id$v=16$m=19456,t=2,p=1$" + salt + "$" + key,
		"no passes":      "$argon2id$v=19$m=19456,t=0,p=1$" + salt + "$" + key,
		"no lanes":       "$argon2id$v=19$m=19456,t=2,p=0$" + salt + "$" + key,
		"too much":       "$argon2id$v=19$m=4000000000,t=2,p=1$" + salt + "$" + key,
		"no salt":        "$argon2id$v=19$m=19456,t=2,p=1$$" + key,
		"no key":         "$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$",
		"padded":         "$argon2id$v=19$m=19456,t=2,p=1$" + salt + "==$" + key,
		"trailing":       "$argon2id$v=19$m=19456,t=2,p=1x$" + salt + "$" + key,
		"another part":   "$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$" + key + "$",
		"lanes overflow": "$argon2id$v=19$m=19456,t=2,p=257$" + salt + "$" + key,
	} {
		if ok, err := NewPasswords().Verify(t.Context(), "x", s+""); s != "" && (ok || err == nil) {
			t.Errorf("%s: Verify = %v, %v; want an error", name, ok, err)
		}
		if _, err := parsePHC(s); err == nil {
			t.Errorf("%s: parsed", name)
		}
	}
}

func FuzzParsePHC(f *testing.F) {
	f.Add("$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	f.Add("$argon2id$v=19$m=,t=,p=$$")
	f.Fuzz(func(t *testing.T, s string) {
		h, err := parsePHC(s)
		if err == nil && h.String() != s {
			t.Errorf("%q reads as %q", s, h)
		}
	})
}

package errs_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"vigueur/internal/kit/errs"
)

func TestTableIsComplete(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for k := errs.Internal; k <= errs.LeaseLost; k++ {
		row := errs.Describe(k)
		if row.Name == "" || names[row.Name] || row.Status < 400 || row.Status > 599 || row.Public == "" {
			t.Errorf("kind %d has row %+v", k, row)
		}
		names[row.Name] = true
		if row.Retry && row.Status != 503 && row.Status != 429 {
			t.Errorf("%s is tried again but tells a client %d", row.Name, row.Status)
		}
	}
	if errs.Describe(200).Name != "internal" {
		t.Error("an unknown kind does not read as internal")
	}
}

func TestKindIsFoundThroughWrapping(t *testing.T) {
	t.Parallel()
	inner := errs.New(errs.NotFound, "Introuvable.")
	for _, c := range []struct {
		err    error
		kind   errs.Kind
		public string
	}{
		{fmt.Errorf("a: %w", fmt.Errorf("b: %w", inner)), errs.NotFound, "Introuvable."},
		{errs.Wrap(errs.Unavailable, "", errors.New("dial tcp 10.0.0.1")), errs.Unavailable, errs.Describe(errs.Unavailable).Public},
		{errs.Wrap(errs.Conflict, "Déjà là.", inner), errs.Conflict, "Déjà là."},
		{errors.New("pq: secret"), errs.Internal, errs.Describe(errs.Internal).Public},
		{errs.New(errs.Internal, "détail interne"), errs.Internal, errs.Describe(errs.Internal).Public},
		{fmt.Errorf("x: %w", context.Canceled), errs.Cancelled, errs.Describe(errs.Cancelled).Public},
		{context.DeadlineExceeded, errs.Unavailable, errs.Describe(errs.Unavailable).Public},
	} {
		if got := errs.KindOf(c.err); got != c.kind {
			t.Errorf("%v is %v, want %v", c.err, got, c.kind)
		}
		if got := errs.Public(c.err); got != c.public {
			t.Errorf("%v tells the public %q, want %q", c.err, got, c.public)
		}
	}
	if errs.Wrap(errs.Conflict, "", nil) != nil || errs.Is(nil, errs.Internal) {
		t.Error("nil is taken for an error")
	}
}

func TestTextForTheLogSaysKindSentenceAndCause(t *testing.T) {
	t.Parallel()
	cause := errors.New("cause")
	err := errs.Wrap(errs.TooLarge, "Trop grand.", cause)
	for _, want := range []string{"too_large", "Trop grand.", "cause"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
	if !errors.Is(err, cause) {
		t.Error("the cause is lost")
	}
	if got := errs.Newf(errs.Invalid, "page %d", 0).Error(); got != "invalid: page 0" {
		t.Errorf("got %q", got)
	}
}

func TestAway(t *testing.T) {
	t.Parallel()
	cause := errors.New("dial tcp: refused")
	for name, c := range map[string]struct{ address, want, not string }{
		"with its address": {"10.0.0.1:6379", "Redis ne répond pas (10.0.0.1:6379).", "()"},
		"without":          {"", "Redis ne répond pas. ", "("},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := errs.Away("Redis", c.address, "VIGUEUR_REDIS_URL", cause)
			said, _, _ := strings.Cut(errs.Public(err), "(dans une copie")
			if !errs.Is(err, errs.Unavailable) || !errors.Is(err, cause) {
				t.Errorf("%v", err)
			}
			if !strings.HasPrefix(said, c.want) || strings.Contains(said, c.not) || !strings.Contains(said, "VIGUEUR_REDIS_URL") {
				t.Errorf("%q", said)
			}
			if strings.Contains(errs.Public(err), cause.Error()) {
				t.Errorf("the cause is public: %q", errs.Public(err))
			}
		})
	}
	if errs.Away("Redis", "", "VIGUEUR_REDIS_URL", nil) != nil {
		t.Error("a store that responds is away")
	}
}

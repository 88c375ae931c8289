package relay

import (
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/chat"
	"vigueur/internal/work/queue/redistest"
)

func TestAnswerOverTLS(t *testing.T) {
	t.Parallel()
	r := openAt(t, redistest.NewTLS(t).URL())
	ctx, id := t.Context(), uuid.New()
	s := subscribe(t, r, id, 0)
	p := r.Publisher(ctx, id, 1)
	p.Text(ctx, "sous clé")
	p.End(ctx, chat.Final, []byte("{}"))
	if got := textOf(t, rest(t, s)); got != "sous clé" {
		t.Errorf("got %q", got)
	}
}

func TestWrongAddressIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := Open("http://ailleurs", nil); !errs.Is(err, errs.Invalid) {
		t.Errorf("%v", err)
	}
}

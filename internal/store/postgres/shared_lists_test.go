package postgres_test

import (
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/postgres/pgtest"
)

func TestListsOfLinks(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	var ids []uuid.UUID
	for _, question := range []string{"Un ?", "Deux ?", "Trois ?"} {
		id, _ := b.answered(t, question, "Un mois.")
		ids = append(ids, id)
	}
	for _, id := range ids[:2] {
		_, hash := sealed.NewToken()
		_, err := b.ShareConversation(ctx, b.user.ID, id, hash)
		ok(t, err)
	}
	own, err := b.OwnLinks(ctx, b.user.ID)
	ok(t, err)
	if len(own) != 2 || own[0].Conversation != ids[1] || own[0].Questions != 1 || own[0].Title == "" {
		t.Errorf("own links %+v", own)
	}
	stranger := b.addUser(t, "autre@exemple.org", "admin")
	if none, err := b.OwnLinks(ctx, stranger.ID); err != nil || len(none) != 0 {
		t.Errorf("a stranger's links %+v, %v", none, err)
	}
	ok(t, pgtest.SetActive(ctx, b.DB, b.user.ID, false))
	page, next, err := b.Links(ctx, nil, 1)
	ok(t, err)
	if len(page) != 1 || next == nil || page[0].Conversation != ids[1] || page[0].OwnerEmail != b.user.Email || page[0].Opens {
		t.Errorf("first page %+v, next %v", page, next)
	}
	page, next, err = b.Links(ctx, next, 2)
	ok(t, err)
	if len(page) != 1 || next != nil || page[0].Conversation != ids[0] {
		t.Errorf("second page %+v, next %v", page, next)
	}
	ok(t, b.WithdrawLink(ctx, ids[0]))
	wantKind(t, b.WithdrawLink(ctx, ids[0]), errs.NotFound)
	wantKind(t, b.WithdrawLink(ctx, ids[2]), errs.NotFound)
	var noted int
	ok(t, b.QueryRow(ctx, `SELECT count(*) FROM audit WHERE action = 'conversation.withdraw' AND object = $1 AND details->>'owner' = $2`, ids[0].String(), b.user.ID.String()).Scan(&noted))
	if noted != 1 {
		t.Errorf("%d lines of withdrawals", noted)
	}
}

package postgres_test

import (
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// answerIn adds an answered question to a conversation.
func (b bundle) answerIn(t *testing.T, conversation uuid.UUID, question, answer string) {
	t.Helper()
	_, message := b.ask(t, &conversation, question)
	w, err := b.StartAnswer(t.Context(), message)
	ok(t, err)
	_, err = b.FinishAnswer(t.Context(), message, w.Attempt, postgres.Outcome{State: chat.Done, Content: answer})
	ok(t, err)
}

func TestConversationLinks(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	id, _ := b.answered(t, "Quel préavis ?", "Un mois.")
	_, running := b.ask(t, &id, "Et pour un cadre ?")
	share := func() []byte {
		t.Helper()
		_, hash := sealed.NewToken()
		_, err := b.ShareConversation(ctx, b.user.ID, id, hash)
		ok(t, err)
		return hash
	}
	reads := func(hash []byte) (contents []string) {
		t.Helper()
		messages, _, err := b.SharedConversation(ctx, hash)
		ok(t, err)
		for _, m := range messages {
			contents = append(contents, m.Content)
		}
		return contents
	}
	link, err := b.ConversationLink(ctx, b.user.ID, id)
	ok(t, err)
	if link != nil {
		t.Errorf("a link that nobody made: %+v", link)
	}
	first := share()
	// What runs, and what is asked later, is not shared.
	w, err := b.StartAnswer(ctx, running)
	ok(t, err)
	_, err = b.FinishAnswer(ctx, running, w.Attempt, postgres.Outcome{State: chat.Done, Content: "Trois mois."})
	ok(t, err)
	b.answerIn(t, id, "Et sans écrit ?", "Rien.")
	if got := reads(first); len(got) != 2 || got[1] != "Un mois." {
		t.Errorf("the first link shows %q", got)
	}
	if link, err = b.ConversationLink(ctx, b.user.ID, id); err != nil || link == nil || link.Questions != 1 {
		t.Errorf("link %+v, %v", link, err)
	}
	// A new link ends the old one, and shows what there is by now.
	second := share()
	_, _, err = b.SharedConversation(ctx, first)
	wantKind(t, err, errs.NotFound)
	if got := reads(second); len(got) != 6 || got[5] != "Rien." {
		t.Errorf("the second link shows %q", got)
	}
	// Others can neither make, see nor withdraw it.
	stranger := b.addUser(t, "autre@exemple.org", "admin")
	_, err = b.ShareConversation(ctx, stranger.ID, id, first)
	wantKind(t, err, errs.NotFound)
	_, err = b.ConversationLink(ctx, stranger.ID, id)
	wantKind(t, err, errs.NotFound)
	wantKind(t, b.UnshareConversation(ctx, stranger.ID, id), errs.NotFound)
	reads(second)
	// A closed account shares nothing; opened again it does.
	ok(t, pgtest.SetActive(ctx, b.DB, b.user.ID, false))
	_, _, err = b.SharedConversation(ctx, second)
	wantKind(t, err, errs.NotFound)
	ok(t, pgtest.SetActive(ctx, b.DB, b.user.ID, true))
	reads(second)

	ok(t, b.UnshareConversation(ctx, b.user.ID, id))
	wantKind(t, b.UnshareConversation(ctx, b.user.ID, id), errs.NotFound)
	_, _, err = b.SharedConversation(ctx, second)
	wantKind(t, err, errs.NotFound)
	third := share()
	_, err = b.DeleteConversation(ctx, b.user.ID, id)
	ok(t, err)
	_, _, err = b.SharedConversation(ctx, third)
	wantKind(t, err, errs.NotFound)

	var made, withdrawn int
	ok(t, b.QueryRow(ctx, `SELECT count(*) FILTER (WHERE action = 'conversation.share'), count(*) FILTER (WHERE action = 'conversation.unshare')
		FROM audit WHERE object = $1`, id.String()).Scan(&made, &withdrawn))
	if made != 3 || withdrawn != 1 {
		t.Errorf("%d lines of links made, %d of links withdrawn", made, withdrawn)
	}
}

// A conversation without an answer that is done has nothing to share.
func TestNothingToShare(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	id, message := b.ask(t, nil, "Un ?")
	_, hash := sealed.NewToken()
	_, err := b.ShareConversation(ctx, b.user.ID, id, hash)
	wantKind(t, err, errs.Conflict)
	w, err := b.StartAnswer(ctx, message)
	ok(t, err)
	_, err = b.FinishAnswer(ctx, message, w.Attempt, postgres.Outcome{State: chat.Failed, Error: "Le modèle ne répond pas."})
	ok(t, err)
	_, err = b.ShareConversation(ctx, b.user.ID, id, hash)
	wantKind(t, err, errs.Conflict)
}

// Links end with the account that is erased.
func TestErasingEndsLinks(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	id, _ := b.answered(t, "Un ?", "Oui.")
	_, hash := sealed.NewToken()
	_, err := b.ShareConversation(ctx, b.user.ID, id, hash)
	ok(t, err)
	b.addUser(t, "chef@exemple.org", "admin")
	_, err = b.EraseUser(ctx, b.user.Email, false)
	ok(t, err)
	_, _, err = b.SharedConversation(ctx, hash)
	wantKind(t, err, errs.NotFound)
	var left int
	ok(t, b.QueryRow(ctx, `SELECT count(*) FROM conversation_links`).Scan(&left))
	if left != 0 {
		t.Errorf("%d links are left", left)
	}
}

package postgres_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// answered adds a conversation of one question with its stored answer.
func (b bundle) answered(t *testing.T, question, answer string) (conversation, message uuid.UUID) {
	t.Helper()
	conversation, message = b.ask(t, nil, question)
	w, err := b.StartAnswer(t.Context(), message)
	ok(t, err)
	_, err = b.FinishAnswer(t.Context(), message, w.Attempt, postgres.Outcome{State: chat.Done, Content: answer})
	ok(t, err)
	return conversation, message
}

func TestConversationsAreSearched(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	first, _ := b.answered(t, "Quel est le préavis ?", "Un mois, soit 100 % du délai_légal [1].")
	second, _ := b.answered(t, "L’œuvre d’un salarié", "Rien.")
	third, _ := b.answered(t, "Un % ?", `C:\textes`)
	stranger := b.addUser(t, "autre@exemple.org", "user")
	_, _, err := b.CreateTurn(ctx, postgres.NewTurn{UserID: stranger.ID, Question: "Mon préavis ?"})
	ok(t, err)
	_, err = b.RenameConversation(ctx, b.user.ID, second, "Droits d’auteur")
	ok(t, err)
	for text, want := range map[string][]uuid.UUID{
		"":          {third, second, first},
		"PREAVIS":   {first},
		"prE\u0301": {first}, // with a combining accent
		"l'oeuvre":  {second},
		"auteur":    {second},
		"%":         {third, first},
		"％":         {third, first}, // the full-width form of the same sign
		"délai_":    {first},
		"délai-":    nil,
		`\`:         {third},
		"＼":         {third},
		"rien.":     {second},
		"un":        {third, second, first},
		"absent":    nil,
	} {
		items, next, err := b.SearchConversations(ctx, b.user.ID, text, nil, 10)
		ok(t, err)
		var got []uuid.UUID
		for _, c := range items {
			got = append(got, c.ID)
		}
		if !slices.Equal(got, want) || next != nil {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
	items, next, err := b.SearchConversations(ctx, b.user.ID, "un", nil, 2)
	ok(t, err)
	rest, end, err := b.SearchConversations(ctx, b.user.ID, "un", next, 2)
	ok(t, err)
	if len(items) != 2 || len(rest) != 1 || rest[0].ID != first || end != nil {
		t.Errorf("pages %v and %v", items, rest)
	}
}

func TestHistory(t *testing.T) {
	b := setup(t)
	id, _ := b.answered(t, "Un ?", "Oui.")
	for range postgres.HistoryLimit / 2 {
		b.answerIn(t, id, "Encore ?", "Encore.")
	}
	history, err := b.History(t.Context(), b.user.ID, id)
	ok(t, err)
	if len(history) != postgres.HistoryLimit || history[0].Content != "Encore ?" || history[1].Content != "Encore." || history[0].Role != chat.User {
		t.Errorf("%d messages: %+v", len(history), history)
	}
	stranger := b.addUser(t, "autre@exemple.org", "user")
	if history, err = b.History(t.Context(), stranger.ID, id); err != nil || len(history) != 0 {
		t.Errorf("a stranger reads %+v, %v", history, err)
	}
}

func TestRenaming(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	id, _ := b.answered(t, "Un ?", "Oui.")
	before, _, err := b.Conversation(ctx, b.user.ID, id)
	ok(t, err)
	c, err := b.RenameConversation(ctx, b.user.ID, id, "Deux")
	ok(t, err)
	if c.Title != "Deux" || !c.LastMessageAt.Equal(before.LastMessageAt) || c.MessageCount != 2 {
		t.Errorf("renamed %+v, was %+v", c, before)
	}
	_, err = b.RenameConversation(ctx, b.addUser(t, "autre@exemple.org", "user").ID, id, "Trois")
	wantKind(t, err, errs.NotFound)
	_, err = b.RenameConversation(ctx, b.user.ID, uuid.New(), "Trois")
	wantKind(t, err, errs.NotFound)
}

func TestDeletingTakesTheRunningAnswerWithIt(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	conversation, earlier := b.answered(t, "Un ?", "Oui.")
	ok(t, b.SetFeedback(ctx, b.user.ID, earlier, postgres.Feedback{Rating: "up"}))
	_, id := b.ask(t, &conversation, "Deux ?")
	w, err := b.StartAnswer(ctx, id)
	ok(t, err)
	_, err = b.DeleteConversation(ctx, b.addUser(t, "autre@exemple.org", "user").ID, conversation)
	wantKind(t, err, errs.NotFound)
	running, err := b.DeleteConversation(ctx, b.user.ID, conversation)
	ok(t, err)
	if len(running) != 1 || running[0].ID != id || running[0].Attempt != w.Attempt+1 {
		t.Errorf("running %+v", running)
	}
	// The worker notices at its next call, whichever it is.
	_, err = b.KeepAnswer(ctx, id, w.Attempt)
	wantKind(t, err, errs.LeaseLost)
	_, err = b.FinishAnswer(ctx, id, w.Attempt, postgres.Outcome{State: chat.Done, Content: "Oui."})
	wantKind(t, err, errs.LeaseLost)
	wantKind(t, b.ReleaseAnswer(ctx, id, w.Attempt), errs.LeaseLost)
	_, err = b.StartAnswer(ctx, id)
	wantKind(t, err, errs.LeaseLost)
	_, err = b.RequestCancel(ctx, b.user.ID, id)
	wantKind(t, err, errs.NotFound)
	_, err = b.DeleteConversation(ctx, b.user.ID, conversation)
	wantKind(t, err, errs.NotFound)
	var left int
	ok(t, b.QueryRow(ctx, `SELECT (SELECT count(*) FROM messages) + (SELECT count(*) FROM feedback)`).Scan(&left))
	if left != 0 {
		t.Errorf("%d rows are left", left)
	}
}

// Deletion and end of an answer run at once: in either order, exactly one of them ends the
// answer.
func TestDeletingAndFinishingAtOnce(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	for range 20 {
		conversation, id := b.ask(t, nil, "Un ?")
		w, err := b.StartAnswer(ctx, id)
		ok(t, err)
		var finished, deleted, cancelled error
		var running []postgres.GivenUp
		var together sync.WaitGroup
		together.Go(func() {
			_, finished = b.FinishAnswer(ctx, id, w.Attempt, postgres.Outcome{State: chat.Done, Content: "Oui."})
		})
		together.Go(func() { running, deleted = b.DeleteConversation(ctx, b.user.ID, conversation) })
		together.Go(func() { _, cancelled = b.RequestCancel(ctx, b.user.ID, id) })
		together.Wait()
		ok(t, deleted)
		if finished != nil {
			wantKind(t, finished, errs.LeaseLost)
		}
		if cancelled != nil {
			wantKind(t, cancelled, errs.NotFound)
		}
		if ends := len(running); (finished == nil) == (ends == 1) {
			t.Fatalf("finished: %v, given up at the deletion: %d", finished, ends)
		}
	}
}

func TestFeedbackIsReplaced(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	conversation, id := b.answered(t, "Un ?", "Oui.")
	ok(t, b.SetFeedback(ctx, b.user.ID, id, postgres.Feedback{Rating: "up", Comment: "Bien."}))
	ok(t, b.SetFeedback(ctx, b.user.ID, id, postgres.Feedback{Rating: "down"}))
	var rating, comment string
	ok(t, b.QueryRow(ctx, `SELECT rating, comment FROM feedback WHERE message_id = $1`, id).Scan(&rating, &comment))
	if rating != "down" || comment != "" {
		t.Errorf("stored %q %q", rating, comment)
	}
	_, messages, err := b.Conversation(ctx, b.user.ID, conversation)
	ok(t, err)
	stranger := b.addUser(t, "autre@exemple.org", "user")
	for _, of := range []struct{ user, message uuid.UUID }{
		{b.user.ID, messages[0].ID}, {stranger.ID, id}, {b.user.ID, uuid.New()}, {b.user.ID, conversation},
	} {
		wantKind(t, b.SetFeedback(ctx, of.user, of.message, postgres.Feedback{Rating: "up"}), errs.NotFound)
	}
}

func TestFeedbackWhileItsAnswerIsDeleted(t *testing.T) {
	b := setup(t)
	for range 20 {
		conversation, id := b.answered(t, "Un ?", "Oui.")
		var together sync.WaitGroup
		var rated, deleted error
		ctx := context.WithoutCancel(t.Context())
		together.Go(func() { rated = b.SetFeedback(ctx, b.user.ID, id, postgres.Feedback{Rating: "up"}) })
		together.Go(func() { _, deleted = b.DeleteConversation(ctx, b.user.ID, conversation) })
		together.Wait()
		ok(t, deleted)
		if rated != nil {
			wantKind(t, rated, errs.NotFound)
		}
	}
}

// A question is stored with an earlier time than its answer.
func TestAQuestionComesBeforeItsAnswer(t *testing.T) {
	b := setup(t)
	conversation, _ := b.ask(t, nil, "Combien de jours ?")
	var before bool
	ok(t, b.QueryRow(t.Context(), `SELECT (SELECT created_at FROM messages WHERE conversation_id = $1 AND role = 'user')
		< (SELECT created_at FROM messages WHERE conversation_id = $1 AND role = 'assistant')`, conversation).Scan(&before))
	if !before {
		t.Error("the answer was made before its question")
	}
}

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

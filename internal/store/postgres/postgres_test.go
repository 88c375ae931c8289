package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// bundle is a database with one user.
type bundle struct {
	*postgres.DB
	user postgres.User
}

func setup(t *testing.T) bundle {
	t.Helper()
	t.Parallel()
	b := bundle{DB: pgtest.New(t)}
	b.user = b.addUser(t, "claire@exemple.org", "user")
	return b
}

func (b bundle) addUser(t *testing.T, email, role string) postgres.User {
	t.Helper()
	u := postgres.User{ID: postgres.NewID(), Email: email, FullName: "Claire Essai", Role: role, Active: true, PasswordHash: "x"}
	ok(t, b.CreateUser(t.Context(), u))
	return u
}

// addGazette adds a file and leases it.
func (b bundle) addGazette(t *testing.T, name string) postgres.Ingestion {
	t.Helper()
	sha := strings.Repeat("0", 64-len(name)) + strings.ToLower(name)
	i := postgres.Ingestion{ID: postgres.NewID(), SHA256: sha, Filename: name + ".pdf", Size: 10}
	ok(t, pgtest.AddFile(t.Context(), b.DB, i))
	started, err := b.StartIngestion(t.Context(), i.ID)
	ok(t, err)
	return started
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantKind(t *testing.T, err error, kind errs.Kind) {
	t.Helper()
	if !errs.Is(err, kind) {
		t.Fatalf("error %v, want kind %v", err, kind)
	}
}

func day(s string) time.Time {
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return d
}

// text makes a text with articles of the given numbers, one passage each.
func text(title, number string, in time.Time, articles ...string) postgres.StoredText {
	t := postgres.StoredText{Document: law.Document{ID: postgres.NewID(), Title: title, Type: law.Loi, Domain: "travail",
		OfficialNumber: number, Promulgated: in, EntersInForce: in, FirstPage: 1, LastPage: 2}}
	for i, n := range articles {
		a := law.Article{ID: postgres.NewID(), Position: i, Number: n, Path: []string{"TITRE I"}, Page: 1,
			Text: "Texte de l’article " + n, Spans: []law.Span{{Start: 0, End: 5, Page: 1, Rect: law.Rect{1, 2, 3, 4}}}}
		t.Articles = append(t.Articles, a)
		t.Passages = append(t.Passages, law.Passage{ID: postgres.NewID(), ArticleID: a.ID, Position: i, Page: 1, Text: a.Text, Spans: a.Spans})
	}
	return t
}

func TestOpenSaysWhichStoreIsDownAndHidesThePassword(t *testing.T) {
	t.Parallel()
	_, err := postgres.Open(t.Context(), "postgres://vigueur:tresor@127.0.0.1:1/vigueur?sslmode=disable")
	wantKind(t, err, errs.Unavailable)
	if got := errs.Public(err); !strings.Contains(got, "127.0.0.1:1") || !strings.Contains(got, "scripts/services start") {
		t.Errorf("public text %q names neither the address nor how to start", got)
	}
	if strings.Contains(err.Error(), "tresor") {
		t.Errorf("the password is in %q", err)
	}
}

func TestMigrateTwiceDoesNothingTheSecondTime(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	again, err := postgres.Migrate(t.Context(), url, nil)
	ok(t, err)
	if len(again) != 0 {
		t.Errorf("a migrated database took steps %v", again)
	}
	all, err := postgres.MigrationStatus(t.Context(), url)
	ok(t, err)
	if len(all) == 0 || slices.ContainsFunc(all, func(m postgres.Migration) bool { return m.Applied == nil }) {
		t.Errorf("status %v, want every step applied", all)
	}
}

func TestUsers(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	wantKind(t, b.CreateUser(ctx, postgres.User{ID: postgres.NewID(), Email: "CLAIRE@exemple.org", Role: "user"}), errs.Conflict)
	u, err := b.UserByEmail(ctx, "Claire@Exemple.org")
	ok(t, err)
	if u.ID != b.user.ID || u.TokenVersion != 1 {
		t.Errorf("user %+v", u)
	}
	ok(t, b.CreateRefreshToken(ctx, signIn([]byte("h1"), u, time.Now().Add(time.Hour))))
	ok(t, b.SetPassword(ctx, u.ID, "y"))
	if u, err = b.UserByID(ctx, u.ID); err != nil || u.TokenVersion != 2 || u.PasswordHash != "y" {
		t.Errorf("after a new password: %+v, %v", u, err)
	}
	_, err = b.RotateRefreshToken(ctx, postgres.Renewal{Old: []byte("h1"), Fresh: []byte("h2"), Expires: time.Now().Add(time.Hour)})
	wantKind(t, err, errs.Unauthorized)
	wantKind(t, b.SetPassword(ctx, uuid.New(), "z"), errs.NotFound)
	_, err = b.UserByEmail(ctx, "personne@exemple.org")
	wantKind(t, err, errs.NotFound)
}

func TestLastAdministratorStays(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	first, second := b.addUser(t, "a@exemple.org", "admin"), b.addUser(t, "b@exemple.org", "admin")
	// Both are closed at once: one of the calls must fail.
	results := make(chan error, 2)
	for _, id := range []uuid.UUID{first.ID, second.ID} {
		go func() { results <- pgtest.SetActive(ctx, b.DB, id, false) }()
	}
	refused := 0
	for range 2 {
		if err := <-results; err != nil {
			wantKind(t, err, errs.Conflict)
			refused++
		}
	}
	if refused != 1 {
		t.Errorf("%d of two refused, want 1", refused)
	}
}

// signIn is a session of u whose first token is valid until expires.
func signIn(hash []byte, u postgres.User, expires time.Time) postgres.SignIn {
	return postgres.SignIn{Session: uuid.New(), Hash: hash, User: u.ID, Version: max(1, u.TokenVersion), Expires: expires, Ends: expires.Add(time.Hour)}
}

// An account that signs in again and again keeps its newest sessions.
func TestSessionsOfAnAccountAreBounded(t *testing.T) {
	b := setup(t)
	ctx, later := t.Context(), time.Now().Add(time.Hour)
	other := b.addUser(t, "autre@exemple.org", "user")
	ok(t, b.CreateRefreshToken(ctx, signIn([]byte("other"), other, later)))
	token := func(i int) []byte { return fmt.Appendf(nil, "token %d", i) }
	const most, more = 100, 3
	for i := range most + more {
		ok(t, b.CreateRefreshToken(ctx, signIn(token(i), b.user, later)))
		if i == 0 { // a session that was renewed is one session, as old as its beginning
			_, err := b.RotateRefreshToken(ctx, postgres.Renewal{Old: token(0), Fresh: []byte("renewed"), Expires: later})
			ok(t, err)
		}
	}
	open := func(token []byte) bool {
		_, err := b.RotateRefreshToken(ctx, postgres.Renewal{Old: token, Fresh: append([]byte("fresh "), token...), Expires: later})
		return err == nil
	}
	for i := range most + 1 { // they end no session of the person
		program := signIn(fmt.Appendf(nil, "program %d", i), b.user, later)
		program.Grant.Program = []byte("program")
		ok(t, b.CreateRefreshToken(ctx, program))
	}
	if of, err := b.OpenSessions(ctx, b.user.ID); err != nil || len(of) != 2*most {
		t.Errorf("%d sessions, %v", len(of), err)
	}
	for i, want := range map[int]bool{1: false, 2: false, 3: true, 50: true, most + more - 1: true} {
		if got := open(token(i)); got != want {
			t.Errorf("session %d: open is %v", i, got)
		}
	}
	if open([]byte("renewed")) || !open([]byte("other")) {
		t.Error("the oldest session is open, or another account's is not")
	}
}

func TestRefreshTokenSpentTwiceRevokesItsFamily(t *testing.T) {
	b := setup(t)
	ctx, later := t.Context(), time.Now().Add(time.Hour)
	ok(t, b.CreateRefreshToken(ctx, signIn([]byte("one"), b.user, later)))
	session, err := b.RotateRefreshToken(ctx, postgres.Renewal{Old: []byte("one"), Fresh: []byte("two"), Expires: later})
	ok(t, err)
	if session.User.ID != b.user.ID {
		t.Errorf("got %v", session.User)
	}
	_, err = b.RotateRefreshToken(ctx, postgres.Renewal{Old: []byte("one"), Fresh: []byte("three"), Expires: later})
	wantKind(t, err, errs.Unauthorized)
	_, err = b.RotateRefreshToken(ctx, postgres.Renewal{Old: []byte("two"), Fresh: []byte("four"), Expires: later})
	wantKind(t, err, errs.Unauthorized)
	ok(t, b.CreateRefreshToken(ctx, signIn([]byte("old"), b.user, time.Now().Add(-time.Second))))
	_, err = b.RotateRefreshToken(ctx, postgres.Renewal{Old: []byte("old"), Fresh: []byte("new"), Expires: later})
	wantKind(t, err, errs.Unauthorized)
}

func TestRefreshTokenSpentTwiceAtOnceLeavesNoToken(t *testing.T) {
	b := setup(t)
	ctx, later := t.Context(), time.Now().Add(time.Hour)
	ok(t, b.CreateRefreshToken(ctx, signIn([]byte("one"), b.user, later)))
	const n = 8
	results := make(chan error, n)
	for i := range n {
		go func() {
			_, err := b.RotateRefreshToken(ctx, postgres.Renewal{Old: []byte("one"), Fresh: []byte{'x', byte(i)}, Expires: later})
			results <- err
		}()
	}
	won := 0
	for range n {
		if err := <-results; err == nil {
			won++
		} else {
			wantKind(t, err, errs.Unauthorized)
		}
	}
	var alive int
	ok(t, b.QueryRow(ctx, `SELECT count(*) FROM refresh_tokens WHERE used_at IS NULL AND revoked_at IS NULL`).Scan(&alive))
	if won != 1 || alive != 0 {
		t.Errorf("%d of %d won, %d tokens still open sessions", won, n, alive)
	}
}

// A renewal that began before another renewal spent the token must not take the other one for a lost reply.
func TestRefreshTokenSpentByALaterRenewalIsSpent(t *testing.T) {
	b := setup(t)
	later := time.Now().Add(time.Hour)
	ok(t, b.CreateRefreshToken(t.Context(), signIn([]byte("one"), b.user, later)))
	db, err := b.Stepped(t.Context())
	ok(t, err)
	defer db.Close()
	statements := 0
	ctx := postgres.Stepping(t.Context(), func(uint32, string) {
		if statements++; statements == 2 { // after BEGIN
			_, err := b.RotateRefreshToken(t.Context(), postgres.Renewal{Old: []byte("one"), Fresh: []byte("two"), Expires: later})
			ok(t, err)
		}
	})
	_, err = db.RotateRefreshToken(ctx, postgres.Renewal{Old: []byte("one"), Fresh: []byte("three"), Expires: later})
	wantKind(t, err, errs.Unauthorized)
}

func TestConversationsCursorVisitsEachOnce(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	other := b.addUser(t, "autre@exemple.org", "user")
	const n = 25
	errors := make(chan error, n)
	for range n { // concurrently, so that equal times are likely
		go func() {
			_, _, err := b.CreateTurn(ctx, postgres.NewTurn{UserID: b.user.ID, Question: "Quel est le préavis ?"})
			errors <- err
		}()
	}
	for range n {
		ok(t, <-errors)
	}
	seen := map[uuid.UUID]bool{}
	var cursor *time.Time
	for {
		items, next, err := b.Conversations(ctx, b.user.ID, cursor, 4)
		ok(t, err)
		for _, c := range items {
			if seen[c.ID] {
				t.Fatalf("conversation %v seen twice", c.ID)
			}
			seen[c.ID] = true
		}
		if cursor = next; next == nil {
			break
		}
	}
	if len(seen) != n {
		t.Errorf("saw %d of %d conversations", len(seen), n)
	}
	items, _, err := b.Conversations(ctx, other.ID, nil, 10)
	ok(t, err)
	if len(items) != 0 {
		t.Errorf("a stranger sees %d conversations", len(items))
	}
}

func TestTurn(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	date := day("2024-05-01")
	filters := law.Filters{Domain: "travail", Date: &date}
	conversation, answer, err := b.CreateTurn(ctx, postgres.NewTurn{UserID: b.user.ID, Question: "Combien de jours ?", Filters: filters, Model: "extractif"})
	ok(t, err)
	c, messages, err := b.Conversation(ctx, b.user.ID, conversation)
	ok(t, err)
	if c.Title != "Combien de jours ?" || *c.Domain != "travail" || *c.Model != "extractif" || c.MessageCount != 2 || len(messages) != 2 {
		t.Errorf("conversation %+v with %d messages", c, len(messages))
	}
	if messages[0].Role != chat.User || messages[1].ID != answer || messages[1].State != chat.Queued || !messages[1].Filters.Date.Equal(date) {
		t.Errorf("messages %+v", messages)
	}

	_, _, err = b.CreateTurn(ctx, postgres.NewTurn{UserID: b.user.ID, ConversationID: &conversation, Question: "Et ?"})
	wantKind(t, err, errs.Conflict)
	stranger := b.addUser(t, "autre@exemple.org", "user")
	_, _, err = b.CreateTurn(ctx, postgres.NewTurn{UserID: stranger.ID, ConversationID: &conversation, Question: "Et ?"})
	wantKind(t, err, errs.NotFound)
	for _, call := range []func() error{
		func() error { _, _, err := b.Conversation(ctx, stranger.ID, conversation); return err },
		func() error { _, err := b.Answer(ctx, stranger.ID, answer); return err },
		func() error { _, err := b.RequestCancel(ctx, stranger.ID, answer); return err },
		func() error { _, err := b.Answer(ctx, b.user.ID, messages[0].ID); return err },
	} {
		wantKind(t, call(), errs.NotFound)
	}
}

func TestConversationWasNotChangedByARefusedTurn(t *testing.T) {
	b := setup(t)
	ctx := t.Context()
	conversation, _, err := b.CreateTurn(ctx, postgres.NewTurn{UserID: b.user.ID, Question: "Un ?"})
	ok(t, err)
	before, _, err := b.Conversation(ctx, b.user.ID, conversation)
	ok(t, err)
	_, _, err = b.CreateTurn(ctx, postgres.NewTurn{UserID: b.user.ID, ConversationID: &conversation, Question: "Deux ?"})
	wantKind(t, err, errs.Conflict)
	after, _, err := b.Conversation(ctx, b.user.ID, conversation)
	ok(t, err)
	if after != before && (after.MessageCount != before.MessageCount || !after.LastMessageAt.Equal(before.LastMessageAt)) {
		t.Errorf("before %+v, after %+v", before, after)
	}
}

func cancelled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

func TestCancelledContextReadsAsCancelled(t *testing.T) {
	b := setup(t)
	_, _, err := b.UserPage(cancelled(t), "", nil, 10)
	wantKind(t, err, errs.Cancelled)
}

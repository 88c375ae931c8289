package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/answer/refer"
	"vigueur/internal/answer/why"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	search "vigueur/internal/search/question"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/relay"
	"vigueur/internal/web/client"
	"vigueur/internal/work/queue"
)

// answers is a worker that gives each question the same outcome. It publishes the given
// chunks.
func (d *desk) answers(t *testing.T, chunks []string, o postgres.Outcome) {
	t.Helper()
	db := d.db(t)
	r, err := relay.Open(d.environ["VIGUEUR_REDIS_URL"], slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	d.worker(t, queue.Answers, func(ctx context.Context, id uuid.UUID) error {
		w, err := db.StartAnswer(ctx, id)
		if errs.Is(err, errs.LeaseLost) {
			return nil
		}
		if err != nil {
			return err
		}
		p := r.Publisher(ctx, id, w.Attempt)
		for _, c := range chunks {
			p.Text(ctx, c)
			p.Flush(ctx)
		}
		m, err := db.FinishAnswer(ctx, id, w.Attempt, o)
		if err != nil {
			return err
		}
		if chunks != nil {
			kind, data := chat.End(m)
			p.End(ctx, kind, data)
		}
		return nil
	})
}

func ptr[T any](v T) *T { return &v }

// found is an answer with two sources.
func found() postgres.Outcome {
	article := uuid.MustParse("018f0000-0000-7000-8000-000000000001")
	return postgres.Outcome{State: chat.Done, Model: "extractif", LatencyMS: 1234, Validation: chat.Validation{OK: false, Warning: ptr("Le texte cité en [2] est abrogé.")},
		Content: "L’article 14 dispose : « Le préavis est d’un mois. » [1]\nIl était de quinze jours. [2]",
		Citations: []law.Citation{
			{Index: 1, Title: "Code du travail", DocType: law.Code, OfficialNumber: "2023-04", ArticleID: &article, Article: ptr("14"), Page: ptr(5), Status: law.InForce, Excerpt: "Le préavis est d’un mois."},
			{Index: 2, Title: "Décret n° 2011-7 relatif au préavis", DocType: law.Decret, OfficialNumber: "2011-7", Page: ptr(2), Status: law.Repealed},
		}}
}

func pieces(text string) (chunks []string) {
	for word := range strings.SplitAfterSeq(text, " ") {
		chunks = append(chunks, word)
	}
	return chunks
}

func TestAsk(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.answers(t, pieces(found().Content), found())
	r := d.run(t, "ask", "  Quel est le préavis ? ", "--date", "2024-01-31", "--domaine", "travail")
	r.want(t, exitDone)
	d.golden(t, "ask", r.out)
	r = d.run(t, "ask", "--json", "Quel est le préavis ?", "--date", "2024-01-31")
	r.want(t, exitDone)
	d.golden(t, "ask-json", r.out)
	if u, err := d.db(t).UserByEmail(t.Context(), operator); err != nil || u.Active {
		t.Errorf("the operator's account: %+v, error %v", u, err)
	}
}

func TestAskWithEventsLost(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	o := found()
	o.ChunkEnds = []int{len(o.Content)}
	d.answers(t, nil, o)
	d.golden(t, "ask", d.run(t, "ask", "Quel est le préavis ?").out)
}

func TestAskAbstains(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	o := postgres.Outcome{State: chat.Done, Content: "Je n’ai rien trouvé.", Model: "extractif", Validation: chat.Validation{Warning: ptr("Aucun passage pertinent.")}}
	d.answers(t, []string{o.Content}, o)
	d.run(t, "ask", "Quelle heure est-il ?").want(t, exitDone, "Sans réponse", "Attention : Aucun passage pertinent.")
	var got answered
	if err := json.Unmarshal([]byte(d.run(t, "ask", "--json", "Quelle heure est-il ?").out), &got); err != nil || !got.Abstained || got.Citations == nil {
		t.Errorf("answer %+v, error %v", got, err)
	}
}

func TestAskFails(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.answers(t, []string{"Début "}, postgres.Outcome{State: chat.Failed, Content: "Début ", Error: "Le modèle ne répond pas.",
		Validation: chat.Validation{Warning: ptr("La réponse a été interrompue avant la fin.")}})
	told := d.run(t, "ask", "Quel préavis ?")
	told.want(t, exitFailed, "Le modèle ne répond pas.")
	if strings.Contains(told.out, "avant la fin") {
		t.Errorf("the reason stands behind a warning that says less: %q", told.out)
	}
	r := d.run(t, "ask", "--json", "Quel préavis ?")
	r.want(t, exitFailed, `"error": "Le modèle ne répond pas."`)
}

func TestAskHostileAnswer(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	o := postgres.Outcome{State: chat.Done, Content: "a\x1b[2Jb", Citations: []law.Citation{{Index: 1, Title: "x\x1b]0;y\a"}}}
	d.answers(t, []string{o.Content}, o)
	if r := d.run(t, "ask", "Quoi ?"); r.code != exitDone || strings.Contains(r.out, "\x1b") {
		t.Errorf("exit code %d, out %q", r.code, r.out)
	}
}

func TestAskInterruptedWithoutWorker(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.stalled = 50 * time.Millisecond
	ctx, interrupt := context.WithCancel(t.Context())
	said := make(chan string, 100)
	go func() {
		for s := range said {
			if strings.Contains(s, "Aucun worker") {
				interrupt()
			}
		}
	}()
	r := d.runWith(ctx, "", said, "ask", "Quel préavis ?")
	close(said)
	r.want(t, exitInterrupted, "la réponse est abandonnée")
	db := d.db(t)
	u, err := db.UserByEmail(t.Context(), operator)
	if err != nil {
		t.Fatal(err)
	}
	items, _, err := db.Conversations(t.Context(), u.ID, nil, 10)
	if err != nil || len(items) != 1 {
		t.Fatalf("conversations %+v, error %v", items, err)
	}
	_, messages, err := db.Conversation(t.Context(), u.ID, items[0].ID)
	if err != nil || len(messages) != 2 {
		t.Fatalf("messages %+v, error %v", messages, err)
	}
	w, err := db.StartAnswer(t.Context(), messages[1].ID)
	if err != nil || !w.Cancel {
		t.Errorf("the answer is to be cancelled: %v, error %v", w.Cancel, err)
	}
}

// TestListen passes events directly: a reset, an event that is not of the answer, and the end.
func TestListen(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	l := &listening{app: &app{out: &out, err: &out}}
	hear := func(id string, kind chat.EventKind, data []byte, want error) {
		t.Helper()
		if err := l.hear(client.Event{ID: id, Kind: string(kind), Data: data}); !errors.Is(err, want) {
			t.Errorf("event %s: %v, want %v", id, err, want)
		}
	}
	hear("1", chat.Chunk, chat.ChunkData("Premier "), nil)
	hear("1000000", chat.Reset, []byte("{}"), nil)
	hear("1000001", chat.Chunk, chat.ChunkData("Second "), nil)
	if err := l.hear(client.Event{Kind: string(chat.ErrorKind), Data: chat.ErrorData("Le service s’arrête.")}); !errs.Is(err, errs.Unavailable) || l.failed != "" || l.last != "1000001" {
		t.Errorf("the stream alone ended: %v, %q, after %s", err, l.failed, l.last)
	}
	if err := l.hear(client.Event{Kind: string(chat.Chunk), Data: []byte("{")}); !errs.Is(err, errs.Unavailable) {
		t.Errorf("an event that cannot be read: %v", err)
	}
	hear("1000002", chat.Chunk, chat.ChunkData("essai."), nil)
	hear("1000003", chat.ErrorKind, chat.ErrorData("Le modèle ne répond pas."), errAnswered)
	want := "Premier \n[Le worker s’est arrêté ; un autre reprend la réponse du début.]\nSecond essai."
	if out.String() != want || l.failed != "Le modèle ne répond pas." {
		t.Errorf("printed %q, failed %q", out.String(), l.failed)
	}
}

func TestAskWrongUsage(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for _, c := range []struct{ want, args string }{
		{"Il manque la question", "ask"},
		{"Argument en trop : « préavis »", "ask|Quel|préavis"},
		{"question : ", "ask|   "},
		{"question : ", "ask|" + strings.Repeat("é", 4001)},
		{"--date : ", "ask|Quoi ?|--date|31/01/2024"},
		{"--date : ", "ask|Quoi ?|--date|2024-02-30"},
		{"--type : ", "ask|Quoi ?|--type|ordonnance"},
		{"--statut : ", "ask|Quoi ?|--statut|mort"},
		{"--pays : ", "ask|Quoi ?|--pays|burkina"},
		{"--domaine ne peut pas valoir « cuisine » : travail, impots", "ask|Quoi ?|--domaine|cuisine"},
	} {
		t.Run(c.want, func(t *testing.T) {
			r := d.run(t, strings.Split(c.args, "|")...)
			r.want(t, exitUsage, c.want)
			if r.out != "" {
				t.Errorf("%q writes to the standard output: %s", c.args, r.out)
			}
		})
	}
}

func TestSource(t *testing.T) {
	t.Parallel()
	for i, c := range []struct {
		c    law.Citation
		want string
	}{
		{law.Citation{Title: "T"}, "T"},
		{law.Citation{Title: "T", Article: ptr(""), OfficialNumber: "3", DocType: law.Arrete}, "T (Arrêté n° 3)"},
		{law.Citation{Title: "T", Article: ptr("26 bis"), Page: ptr(9), OfficialNumber: "3", DocType: law.Circulaire}, "T, article 26 bis, p. 9 (Circulaire n° 3)"},
		{law.Citation{Title: "Loi n° 2023-4", OfficialNumber: "2023-4", DocType: law.Loi}, "Loi n° 2023-4"},
		{law.Citation{Title: "Loi n° 2023-4", Article: ptr("3"), Page: ptr(1), Replaces: &law.Replaced{Article: "36", Title: "Code du sel", Type: law.Replaces}},
			"Code du sel, article 36 nouveau, tel que remplacé par : Loi n° 2023-4, article 3, p. 1"},
	} {
		t.Run(c.want, func(t *testing.T) {
			if got := source(c.c); got != c.want {
				t.Errorf("%s: %q, want %q", fmt.Sprint(i), got, c.want)
			}
		})
	}
}

func TestAskExplainsTheQuestion(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	o := found()
	const asked = "Au 1er janvier 2020, quel délai prévoyait l’article 5 de la loi n° 2010-05 du Sénégal ?"
	o.Why = why.Why{Question: refer.ReadingOf(search.Read(asked, search.Conversation{}), time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)),
		Candidates: []why.Candidate{{Number: "12", Probability: 0.25, Cited: 1, Features: map[string]float64{"words": 1, "covered": 0.5}}},
		Gate:       &why.Gate{Verdict: "unsure", Probability: 0.25, Sure: 0.9, Evidence: map[string]float64{"margin": 2}}}.Pack()
	d.answers(t, pieces(o.Content), o)
	d.run(t, "ask", asked, "--explain").want(t, exitDone, "Le préavis est d’un mois", `"language": "fr"`, `"verdict": "unsure"`, `"margin": 2`, `"covered": 0.5`)
	var got answered
	r := d.run(t, "ask", asked, "--explain", "--json")
	if err := json.Unmarshal([]byte(r.out), &got); err != nil || got.Why == nil || len(got.Why.Question.References) != 1 || got.Why.Question.References[0].Articles[0] != "5" ||
		got.Why.Gate.Sure != 0.9 {
		t.Errorf("%v: %s", err, r.out)
	}
}

package chat_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/kit/testkit/compare"
	"vigueur/internal/law"
	"vigueur/internal/store/chat"
)

func TestTitle(t *testing.T) {
	t.Parallel()
	long := "Quel est le délai de préavis en cas de démission d’un salarié embauché depuis plus de deux années entières ?"
	for _, c := range []struct{ question, want string }{
		{"Combien de jours ?", "Combien de jours ?"},
		{"  deux \n lignes\t! ", "deux lignes !"},
		{strings.Repeat("é", 80), strings.Repeat("é", 80)},
		{strings.Repeat("é", 81), strings.Repeat("é", 79) + "…"},
		{long, "Quel est le délai de préavis en cas de démission d’un salarié embauché depuis…"},
	} {
		if got := chat.Title(c.question); got != c.want {
			t.Errorf("title %q, want %q", got, c.want)
		}
	}
}

func FuzzTitle(f *testing.F) {
	f.Add("Quel est le délai de préavis en cas de démission d’un salarié embauché depuis plus de deux ans ?")
	f.Fuzz(func(t *testing.T, q string) {
		if !utf8.ValidString(q) {
			return
		}
		if got := chat.Title(q); utf8.RuneCountInString(got) > chat.TitleLimit || !utf8.ValidString(got) {
			t.Errorf("title %q of %q", got, q)
		}
	})
}

func TestNumbersOfAttemptsFollowOneAnother(t *testing.T) {
	t.Parallel()
	for attempt := 1; attempt < 5; attempt++ {
		first := chat.FirstSeq(attempt)
		for _, seq := range []int64{first, first + 1, first + chat.AttemptStride - 2, max(chat.ResetSeq(attempt), 1)} {
			if got := chat.AttemptOf(seq); got != attempt {
				t.Errorf("event %d is of attempt %d, want %d", seq, got, attempt)
			}
		}
	}
}

func stored(attempt int) chat.Message {
	return chat.Message{ID: uuid.New(), ConversationID: uuid.New(), Content: "Dix jours [1].", ChunkEnds: []int{4, 10, 14},
		State: chat.Done, Attempt: attempt, Validation: &chat.Validation{OK: true}}
}

func TestReplayGivesTheSameEventsFromAnywhere(t *testing.T) {
	t.Parallel()
	for _, attempt := range []int{1, 3} {
		m := stored(attempt)
		all := chat.Replay(m, chat.FirstSeq(attempt)-1)
		if len(all) != 4 || all[0].Seq != chat.FirstSeq(attempt) || !all[3].Last() {
			t.Fatalf("attempt %d: %d events", attempt, len(all))
		}
		text := ""
		for _, e := range all[:3] {
			var data struct{ Text string }
			if err := json.Unmarshal(e.Data, &data); err != nil {
				t.Fatal(err)
			}
			text += data.Text
		}
		if text != m.Content {
			t.Errorf("chunks give %q", text)
		}
		for i, e := range all {
			if diff := compare.Diff(all[i+1:], append([]chat.Event{}, chat.Replay(m, e.Seq)...)); diff != "" {
				t.Errorf("after event %d: %s", e.Seq, diff)
			}
		}
	}
}

func TestReplayToAReaderOfAnEarlierAttemptResets(t *testing.T) {
	t.Parallel()
	all := chat.Replay(stored(2), 7)
	if len(all) != 5 || all[0].Kind != chat.Reset || all[0].Seq != chat.ResetSeq(2) {
		t.Errorf("got %+v", all)
	}
	if again := chat.Replay(stored(2), all[0].Seq); len(again) != 4 || again[0].Kind != chat.Chunk {
		t.Errorf("after the reset: %+v", again)
	}
}

func TestEndOfAFailedAnswerIsAnErrorOnly(t *testing.T) {
	t.Parallel()
	m := chat.Message{State: chat.Failed, Attempt: 1, Error: "Le modèle est arrêté."}
	all := chat.Replay(m, 0)
	if len(all) != 1 || all[0].Kind != chat.ErrorKind || string(all[0].Data) != `{"detail":"Le modèle est arrêté."}` {
		t.Errorf("got %+v", all)
	}
}

func TestFinalDataIsTheContract(t *testing.T) {
	t.Parallel()
	m := stored(1)
	warning, model, latency := "Attention.", "extractif", 12
	m.Certainty = &chat.Certainty{Grade: chat.Likely, Probability: 0.75}
	m.Validation, m.Model, m.LatencyMS = &chat.Validation{Warning: &warning}, &model, &latency
	m.Citations = []law.Citation{{Index: 1, Regions: []law.Region{{Page: 2, Rect: law.Rect{1, 2, 3, 4}}}, Relations: []law.RelationRef{}}}
	var got map[string]any
	var cited struct{ Citations []map[string]any }
	for _, into := range []any{&got, &cited} {
		if err := json.Unmarshal(chat.FinalData(m), into); err != nil {
			t.Fatal(err)
		}
	}
	citation := cited.Citations[0]
	for _, field := range []string{"index", "document_id", "article_id", "title", "doc_type", "numero_officiel", "statut", "article",
		"page", "regions", "excerpt", "score", "url", "abroge_par", "relations", "replaces"} {
		if _, there := citation[field]; !there {
			t.Errorf("citation lacks %s", field)
		}
	}
	if len(citation) != 16 || len(got) != 8 || got["certainty"] != "likely" || got["probability"] != 0.75 || got["latency_ms"] != 12.0 || got["model"] != "extractif" {
		t.Errorf("final %v", got)
	}
	if diff := compare.Diff(map[string]any{"ok": false, "warning": "Attention."}, got["validation"]); diff != "" {
		t.Error(diff)
	}
	m.Filters.Country = "bj"
	if asked := string(chat.FinalData(m)); !strings.HasSuffix(asked, `,"pays":"bj"}`) {
		t.Errorf("the country that was asked for is not told: %s", asked)
	}
	if bare := string(chat.FinalData(chat.Message{})); !strings.Contains(bare, `"citations":[]`) || !strings.Contains(bare, `"certainty":null,"probability":null`) {
		t.Errorf("no citations read as %s", bare)
	}
}

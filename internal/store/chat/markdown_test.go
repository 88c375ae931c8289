package chat_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/testkit/compare"
	"vigueur/internal/law"
	"vigueur/internal/store/chat"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := compare.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	moment := time.Date(2026, 3, 1, 9, 5, 0, 0, time.FixedZone("", 3600))
	domain, article, page, warning := "travail", "L. 12", 3, "La source [1] n’est plus en vigueur."
	document := uuid.MustParse("018f0000-0000-7000-8000-000000000001")
	messages := []chat.Message{
		{Role: chat.User, Content: "# Combien de *jours* ?\n\n- dix <b>\n\n  et après", CreatedAt: moment, State: chat.Done},
		{Role: chat.Assistant, Certainty: &chat.Certainty{Grade: chat.Sure, Probability: .97}, Content: "Dix jours « ouvrables » [1], et [2] : « Annexe\n qui compte. » ![x](https://a.example/?q=secret)", State: chat.Done, CreatedAt: moment,
			Filters:    law.Filters{Country: "bj", Date: new(time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC))},
			Validation: &chat.Validation{Warning: &warning}, Citations: []law.Citation{
				{Index: 1, DocumentID: document, Title: "Loi n° 2010-05 [consolidée]", OfficialNumber: "2010-05", Status: law.Repealed, Article: &article, Page: &page,
					Excerpt: "Le congé est de dix jours.\n= Il se prend_en_une fois.", URL: "/api/v1/documents/" + document.String() + "/file#page=3"},
				{Index: 2, Title: "Code du travail", OfficialNumber: "2023-04", Status: law.InForce, AsOf: "2024-02-01", Excerpt: "Annexe  qui compte."},
				{Index: 3, Title: "Loi n° 2024-02", Status: law.InForce, Article: &article, Excerpt: "Vingt jours.",
					Replaces: &law.Replaced{Article: "7", Title: "Code *du sel*", Type: law.Inserts}},
			}},
		{Role: chat.User, Content: "Et ?", CreatedAt: moment, State: chat.Done},
		{Role: chat.Assistant, Content: "Dix", State: chat.Failed, Error: "Le modèle est arrêté.", CreatedAt: moment},
		{Role: chat.User, Content: "Encore ?", CreatedAt: moment, State: chat.Done},
		{Role: chat.Assistant, State: chat.Running, CreatedAt: moment},
	}
	c := chat.Conversation{Title: "Combien de *jours* ?", Domain: &domain, CreatedAt: moment}
	golden(t, "export.golden", chat.Markdown(c, messages, "https://vigueur.example/"))
}

func TestMarkdownOfNothing(t *testing.T) {
	t.Parallel()
	moment := time.Date(2026, 3, 1, 9, 5, 0, 0, time.UTC)
	if got := chat.Markdown(chat.Conversation{Title: "A\nB", CreatedAt: moment}, nil, ""); got != "# A B\n\nConversation du 01/03/2026 à 09:05 UTC\n" {
		t.Errorf("%q", got)
	}
}

// Any question stays within its quotation.
func FuzzMarkdown(f *testing.F) {
	f.Add("a\n# b\r\n> c\u2028d")
	f.Fuzz(func(t *testing.T, question string) {
		text := chat.Markdown(chat.Conversation{Title: "x"}, []chat.Message{{Role: chat.User, Content: question}}, "")
		_, right, _ := strings.Cut(text, "\n## Question du ")
		_, quoted, _ := strings.Cut(right, "\n\n")
		for line := range strings.SplitSeq(strings.TrimSuffix(quoted, "\n"), "\n") {
			if !strings.HasPrefix(line, ">") {
				t.Errorf("line %q of %q", line, text)
			}
		}
	})
}

package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"vigueur/internal/law"
	"vigueur/internal/law/anonym"
	"vigueur/internal/store/postgres"
)

func (a *app) feedbackCommand() *cobra.Command {
	c := group(&cobra.Command{Use: "feedback COMMANDE", Short: "Les avis des lecteurs sur les réponses"})
	c.AddCommand(a.feedbackExportCommand())
	return c
}

func (a *app) feedbackExportCommand() *cobra.Command {
	var rating, since string
	c := &cobra.Command{
		Use: "export [--rating down|up] [--since AAAA-MM-JJ]", Short: "Écrit les questions mal répondues comme cas d’évaluation (JSONL)", Args: takes(0, 0, ""),
		Long: "Écrit, une par ligne, les questions dont la réponse a reçu un avis défavorable, dans la forme que lit « scripts/eval\n" +
			"answers ». Adresses, liens, numéros et noms propres que le catalogue ne connaît pas sont remplacés ; ni compte, ni\n" +
			"heure, ni commentaire ne sort. Ce que la réponse citait est dans « cited ». Relisez chaque ligne avant de la donner à\n" +
			"d’autres : ce qui reste peut encore dire de qui il s’agit. Puis écrivez dans « gold » où se trouve la réponse (rien,\n" +
			"si elle n’est nulle part), dans « key_facts » ce qu’elle doit dire, et retirez « undecided ».\n\n" +
			"L’export est noté au journal.",
		Example:               "  ingest feedback export > avis.jsonl\n  ingest feedback export --since 2026-01-01 --rating up",
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, _ []string) error {
			if rating == "" {
				rating = "down"
			}
			if rating != "down" && rating != "up" {
				return usage("--rating attend down ou up, pas « %s ».", cleanLine(rating))
			}
			from := time.Unix(0, 0)
			if since != "" {
				day, err := time.Parse(time.DateOnly, since)
				if err != nil {
					return usage("--since attend une date de la forme AAAA-MM-JJ, pas « %s ».", cleanLine(since))
				}
				from = day
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error { return a.exportFeedback(c.Context(), db, rating, from) })
		},
	}
	c.Flags().StringVar(&rating, "rating", "", "`AVIS` des lecteurs : down, ou up ; sans cette option, down")
	c.Flags().StringVar(&since, "since", "", "avis donnés depuis ce jour, `AAAA-MM-JJ`")
	return c
}

// ratedCase is a question as a case of the evaluation: the fields that package judge reads,
// and data that helps a person to find the right article.
type ratedCase struct {
	ID        string      `json:"id"`
	Type      string      `json:"type"`
	Question  string      `json:"question"`
	Before    []string    `json:"before,omitempty"`
	Date      string      `json:"date,omitempty"`
	Gold      []struct{}  `json:"gold"`
	KeyFacts  []string    `json:"key_facts"`
	Undecided bool        `json:"undecided"`
	Cited     []ratedCite `json:"cited"`
}

type ratedCite struct {
	Title   string `json:"title"`
	Article string `json:"article"`
}

func (a *app) exportFeedback(ctx context.Context, db *postgres.DB, rating string, since time.Time) error {
	var list []postgres.Rated
	err := db.EachRated(ctx, rating, since, func(r postgres.Rated) error {
		list = append(list, r)
		return nil
	})
	if err != nil {
		return err
	}
	// If the export cannot be recorded, nothing is exported.
	if err := db.Note(ctx, postgres.FeedbackExported, "", map[string]any{"rating": rating, "cases": len(list)}); err != nil {
		return err
	}
	for _, r := range list {
		one, err := caseOf(ctx, db, r)
		if err != nil {
			return err
		}
		if err := writeJSONLine(a.out, one); err != nil {
			return err
		}
	}
	if len(list) == 0 {
		fmt.Fprintf(a.err, "Aucune réponse n’a reçu d’avis %s%s.\n", map[string]string{"down": "défavorable", "up": "favorable"}[rating], sinceDay(since))
		return nil
	}
	fmt.Fprintf(a.err, "%s. Relisez chaque ligne, écrivez « gold » et « key_facts », retirez « undecided », puis : scripts/eval answers (ingest feedback export --help).\n",
		count(len(list), "question"))
	return nil
}

// sinceDay returns « depuis le 2026-01-01 » after a blank; "" for the first day of Unix time.
func sinceDay(since time.Time) string {
	if since.Unix() == 0 {
		return ""
	}
	return " depuis le " + isoDay(since)
}

// caseOf converts a rated question to a case without data that identifies the user.
func caseOf(ctx context.Context, db *postgres.DB, r postgres.Rated) (ratedCase, error) {
	said := append([]string{r.Question}, r.Before...)
	var words []string
	for _, text := range said {
		words = append(words, anonym.Words(text)...)
	}
	spoken, err := db.KnownWords(ctx, words)
	if err != nil {
		return ratedCase{}, err
	}
	for i, text := range said {
		said[i] = anonym.Text(text, func(word string) bool { return spoken[word] })
	}
	sum := sha256.Sum256(r.Answer[:])
	out := ratedCase{ID: "avis-" + hex.EncodeToString(sum[:6]), Type: "avis", Question: said[0], Before: said[1:], Gold: []struct{}{}, KeyFacts: []string{}, Undecided: true, Cited: []ratedCite{}}
	if r.Filters.Date != nil {
		out.Date = isoDay(*r.Filters.Date)
	}
	for _, c := range r.Citations {
		out.Cited = append(out.Cited, ratedCite{c.Title, articleOf(c)})
	}
	return out, nil
}

func articleOf(c law.Citation) string {
	if c.Article == nil {
		return ""
	}
	return *c.Article
}

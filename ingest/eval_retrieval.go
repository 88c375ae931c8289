package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/flat"
	"vigueur/internal/judge"
	"vigueur/internal/law"
	"vigueur/internal/postgres"
)

// evalDepth is how many passages are searched for each question, so that they
// make a hundred articles.
const evalDepth = 300

// retrievalRun is what a measurement of the search found, and what --json prints.
type retrievalRun struct {
	Corpus    int            `json:"corpus"`
	Passages  int            `json:"passages"`
	Questions int            `json:"questions"`
	Groups    int            `json:"groups"`
	Figures   []namedFigure  `json:"figures"`
	Against   []namedFigure  `json:"difference,omitempty"` // this run less the saved one
	Common    int            `json:"common_groups,omitempty"`
	MS        float64        `json:"ms_per_question"`
	Each      []judge.Judged `json:"each"`
}

type namedFigure struct {
	Name string `json:"name"`
	judge.Figure
}

type retrievalFiles struct{ corpus, queries, qrels, groupBy, distractors, against, milvus string }

func (a *app) evalRetrievalCommand() *cobra.Command {
	var f retrievalFiles
	c := &cobra.Command{
		Use: "retrieval --corpus F --queries F --qrels F", Short: "Mesure la recherche contre des questions jugées",
		Long: "Indexe un corpus d’articles comme le ferait un worker, pose chaque question et compare les articles trouvés à ceux\n" +
			"qui y répondent. Les mesures sont des moyennes par groupe puis sur les groupes, en pour cent, avec l’intervalle\n" +
			"où tombent 95 % des rééchantillonnages des groupes. --against les compare, question par question, à une mesure\n" +
			"enregistrée par --json. La base et les files ne servent pas.\n\n" + exitHelp,
		Example: "  ingest eval retrieval --corpus corpus.jsonl --queries queries.jsonl --qrels qrels.tsv --group-by group",
		Args:    takes(0, 0, ""), DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, _ []string) error {
			if f.corpus == "" || f.queries == "" || f.qrels == "" {
				return usage("Il faut --corpus, --queries et --qrels.")
			}
			run, err := f.measure(c.Context(), a.environ["VIGUEUR_MILVUS_KEY"])
			if err != nil {
				return err
			}
			if a.json {
				return writeJSON(a.out, run)
			}
			return a.tellRetrieval(run)
		},
	}
	c.Flags().StringVar(&f.corpus, "corpus", "", "`FICHIER` d’articles : JSON par ligne, _id, title, text")
	c.Flags().StringVar(&f.queries, "queries", "", "`FICHIER` de questions : JSON par ligne, _id, text")
	c.Flags().StringVar(&f.qrels, "qrels", "", "`FICHIER` de jugements : question, article, note, séparés par des tabulations")
	c.Flags().StringVar(&f.groupBy, "group-by", "", "`CHAMP` des questions qui les groupe par intention")
	c.Flags().StringVar(&f.distractors, "distractors", "", "`FICHIER` d’articles de plus, qui ne répondent à rien")
	c.Flags().StringVar(&f.milvus, "milvus", "", "`ADRESSE` d’un Milvus où chercher, au lieu de la mémoire : http://hôte:19530 (clé : VIGUEUR_MILVUS_KEY)")
	c.Flags().StringVar(&f.against, "against", "", "`FICHIER` d’une mesure enregistrée par --json")
	return c
}

// measure indexes, asks and judges.
func (f retrievalFiles) measure(ctx context.Context, milvusKey string) (run retrievalRun, err error) {
	queries, err := judge.Queries(f.queries, f.groupBy)
	if err != nil {
		return run, err
	}
	right, err := judge.Qrels(f.qrels)
	if err != nil {
		return run, err
	}
	corpus := newFixed()
	if err := corpus.read(f.corpus, ""); err != nil {
		return run, err
	}
	run.Corpus = len(corpus.names)
	if f.distractors != "" {
		if err := corpus.read(f.distractors, "distracteur "); err != nil {
			return run, err
		}
	}
	search, passages, closed, err := searchOf(ctx, corpus, f.milvus, milvusKey)
	if closed != nil {
		defer func() { err = errors.Join(err, closed()) }()
	}
	if err != nil {
		return run, err
	}
	run.Passages = passages
	began := time.Now()
	groups := make(map[string]bool)
	for _, q := range queries {
		if ctx.Err() != nil {
			return run, ctx.Err()
		}
		if len(right[q.ID]) == 0 {
			continue // nobody judged it
		}
		groups[q.Group] = true
		hits, err := search(ctx, flat.Query{Text: q.Text, Limit: evalDepth})
		if err != nil {
			return run, err
		}
		ranked := corpus.ranked(hits)
		run.Each = append(run.Each, judge.Judged{ID: q.ID, Group: q.Group, Ranking: judge.Rank(ranked, right[q.ID])})
	}
	run.Questions, run.Groups = len(run.Each), len(groups)
	if run.Questions == 0 {
		return run, usage("Aucune question de %s n’a de jugement dans %s.", f.queries, f.qrels)
	}
	run.MS = float64(time.Since(began).Microseconds()) / 1000 / float64(run.Questions)
	run.Figures = withNames(judge.Summary(run.Each))
	err = f.compare(&run)
	return run, err
}

// compare adds the differences to a saved run.
func (f retrievalFiles) compare(run *retrievalRun) error {
	if f.against == "" {
		return nil
	}
	raw, err := os.ReadFile(f.against)
	if err != nil {
		return usage("Le fichier %s ne peut pas être lu : %v", f.against, err)
	}
	var saved retrievalRun
	if err := json.Unmarshal(raw, &saved); err != nil || len(saved.Each) == 0 {
		return usage("Le fichier %s n’est pas une mesure enregistrée par « ingest eval retrieval --json ».", f.against)
	}
	differences, common := judge.Difference(saved.Each, run.Each)
	run.Against, run.Common = withNames(differences), common
	return nil
}

func withNames(figures []judge.Figure) []namedFigure {
	out := make([]namedFigure, len(figures))
	for i, name := range judge.Names() {
		out[i] = namedFigure{name, figures[i]}
	}
	return out
}

// tellRetrieval prints a run for people.
func (a *app) tellRetrieval(run retrievalRun) error {
	t := table{head: []string{"MESURE", "VALEUR", "INTERVALLE À 95 %"}}
	if run.Against != nil {
		t.head = append(t.head, "ÉCART", "INTERVALLE DE L’ÉCART")
	}
	for i, f := range run.Figures {
		row := []any{f.Name, hundredths(f.Value), hundredths(f.Low) + " à " + hundredths(f.High)}
		if run.Against != nil {
			d := run.Against[i]
			row = append(row, signed(d.Value), signed(d.Low)+" à "+signed(d.High))
		}
		t.add(row...)
	}
	if err := t.write(a.out, ""); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.out, "%s, %s, %s (%d passages), %s ms par question.\n", count(run.Questions, "question"),
		count(run.Groups, "groupe"), count(run.Corpus, "article"), run.Passages, comma(fmt.Sprintf("%.1f", run.MS)))
	return err
}

// hundredths prints a share in per cent.
func hundredths(share float64) string { return comma(fmt.Sprintf("%.1f", 100*share)) }

func signed(share float64) string { return comma(fmt.Sprintf("%+.1f", 100*share)) }

func comma(number string) string { return strings.Replace(number, ".", ",", 1) }

// fixed is a corpus that never changes, read from files: a flat.Source.
type fixed struct {
	rows  []postgres.IndexRow
	names map[uuid.UUID]string // article -> its name in the files
}

func newFixed() *fixed { return &fixed{names: make(map[uuid.UUID]string)} }

// partLimit is the length in bytes at which a long article is cut into passages,
// between paragraphs, as gazettes' articles are.
const partLimit = 1200

// read takes a file of articles in as one text; mark goes before their names.
func (c *fixed) read(path, mark string) error {
	doc := uuid.NewSHA1(uuid.Nil, []byte(path))
	return judge.Corpus(path, func(a judge.Article) {
		id := uuid.NewSHA1(doc, []byte(a.ID))
		c.names[id] = mark + a.ID
		for i, part := range parts(a.Text) {
			c.rows = append(c.rows, postgres.IndexRow{
				Passage: law.Passage{ID: uuid.NewSHA1(id, []byte{byte(i >> 8), byte(i)}), DocumentID: doc, ArticleID: id,
					Position: len(c.rows), Text: part},
				ArticleNumber: a.ID, Path: strings.Split(a.Title, " > "), Type: law.Code, Status: law.InForce,
				From: time.Unix(0, 0).UTC(),
			})
		}
	})
}

func parts(text string) (out []string) {
	part := ""
	for p := range strings.SplitSeq(text, "\n\n") {
		if part != "" && len(part)+len(p) > partLimit {
			out, part = append(out, part), ""
		}
		if part != "" {
			part += "\n"
		}
		part += p
	}
	return append(out, part)
}

// ranked gives the names of the hits' articles, each once.
func (c *fixed) ranked(hits []flat.Hit) (out []string) {
	seen := make(map[uuid.UUID]bool)
	for _, h := range hits {
		if !seen[h.ArticleID] {
			seen[h.ArticleID] = true
			out = append(out, c.names[h.ArticleID])
		}
	}
	return out
}

func (c *fixed) CatalogueVersion(context.Context) (int64, error) { return 1, nil }

func (c *fixed) Changes(_ context.Context, after int64) ([]uuid.UUID, int64, error) {
	return nil, after, nil
}

func (c *fixed) Listen(ctx context.Context, _ func()) error {
	<-ctx.Done()
	return ctx.Err()
}

func (c *fixed) IndexRows(_ context.Context, _ []uuid.UUID, yield func(postgres.IndexRow) error) error {
	for _, r := range c.rows {
		if err := yield(r); err != nil {
			return err
		}
	}
	return nil
}

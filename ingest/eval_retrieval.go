package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vigueur/internal/config"
	"vigueur/internal/flat"
	"vigueur/internal/judge"
	"vigueur/internal/question"
)

// evalDepth is how many passages are searched for each question, so that they
// make a hundred articles.
const evalDepth = 300

// retrievalRun is what a measurement of the search found, and what --json prints.
type retrievalRun struct {
	Corpus    int       `json:"corpus"`
	Passages  int       `json:"passages"`
	Questions int       `json:"questions"`
	Groups    int       `json:"groups"`
	searched            // by words alone
	Meant     *searched `json:"hybrid,omitempty"` // by meaning too
}

// searched is how the search did in one way.
type searched struct {
	Figures []namedFigure  `json:"figures"`
	Against []namedFigure  `json:"difference,omitempty"` // this run less the saved one
	Common  int            `json:"common_groups,omitempty"`
	MS      float64        `json:"ms_per_question"`
	Each    []judge.Judged `json:"each"`
}

type namedFigure struct {
	Name string `json:"name"`
	judge.Figure
}

type retrievalFiles struct {
	corpus, queries, qrels, groupBy, distractors, against, vectors, milvus string
}

func (a *app) evalRetrievalCommand() *cobra.Command {
	var f retrievalFiles
	c := &cobra.Command{
		Use: "retrieval --corpus F --queries F --qrels F", Short: "Mesure la recherche contre des questions jugées",
		Long: "Indexe un corpus d’articles comme le ferait un worker, pose chaque question et compare les articles trouvés à ceux\n" +
			"qui y répondent. Les mesures sont des moyennes par groupe puis sur les groupes, en pour cent, avec l’intervalle\n" +
			"où tombent 95 % des rééchantillonnages des groupes. --against les compare, question par question, à une mesure\n" +
			"enregistrée par --json. La base et les files ne servent pas. La recherche est mesurée par les mots seuls, puis par le\n" +
			"sens aussi ; --vectors garde d’une fois sur l’autre les vecteurs d’un serveur (VIGUEUR_EMBEDDER_URL).\n\n" + exitHelp,
		Example: "  ingest eval retrieval --corpus corpus.jsonl --queries queries.jsonl --qrels qrels.tsv --group-by group",
		Args:    takes(0, 0, ""), DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, _ []string) error {
			if f.corpus == "" || f.queries == "" || f.qrels == "" {
				return usage("Il faut --corpus, --queries et --qrels.")
			}
			e, err := config.LoadEmbedder(a.environ)
			if err != nil {
				return err
			}
			run, err := f.measure(c.Context(), e, a.environ["VIGUEUR_MILVUS_KEY"])
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
	c.Flags().StringVar(&f.vectors, "vectors", "", "`FICHIER` où les vecteurs sont gardés")
	c.Flags().StringVar(&f.milvus, "milvus", "", "`ADRESSE` d’un Milvus où chercher, au lieu de la mémoire : http://hôte:19530 (clé : VIGUEUR_MILVUS_KEY)")
	c.Flags().StringVar(&f.against, "against", "", "`FICHIER` d’une mesure enregistrée par --json")
	return c
}

// measure indexes, asks and judges.
func (f retrievalFiles) measure(ctx context.Context, e config.Embedder, milvusKey string) (run retrievalRun, err error) {
	queries, err := judge.Queries(f.queries, f.groupBy)
	if err != nil {
		return run, err
	}
	right, err := judge.Qrels(f.qrels)
	if err != nil {
		return run, err
	}
	// A question that nobody judged says nothing.
	queries = slices.DeleteFunc(queries, func(q judge.Query) bool { return len(right[q.ID]) == 0 })
	if run.Questions = len(queries); run.Questions == 0 {
		return run, usage("Aucune question de %s n’a de jugement dans %s.", f.queries, f.qrels)
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
	groups := make(map[string]bool)
	questions := make([]flat.Query, len(queries))
	for i, q := range queries {
		groups[q.Group] = true
		questions[i] = flat.Query{Text: q.Text, Countries: question.Read(q.Text, question.Conversation{}).Countries, Limit: evalDepth}
	}
	run.Groups = len(groups)
	if err := f.embed(ctx, e, corpus, questions); err != nil {
		return run, err
	}
	search, passages, closed, err := searchOf(ctx, corpus, f.milvus, milvusKey)
	if closed != nil {
		defer func() { err = errors.Join(err, closed()) }()
	}
	if err != nil {
		return run, err
	}
	run.Passages = passages
	way := func(meant bool) (s searched, err error) {
		asked := make([]judged, len(queries))
		for i, q := range queries {
			asked[i] = judged{questions[i], q, right[q.ID]}
			if !meant {
				asked[i].query.Vector = nil
			}
		}
		began := time.Now()
		for _, q := range asked {
			if ctx.Err() != nil {
				return s, ctx.Err()
			}
			hits, err := search(ctx, q.query)
			if err != nil {
				return s, err
			}
			s.Each = append(s.Each, q.rank(corpus.ranked(hits)))
		}
		s.MS = float64(time.Since(began).Microseconds()) / 1000 / float64(len(queries))
		s.Figures = withNames(judge.Summary(s.Each))
		return s, nil
	}
	if run.searched, err = way(false); err != nil {
		return run, err
	}
	meant, err := way(true)
	if err != nil {
		return run, err
	}
	run.Meant = &meant
	err = f.compare(&run)
	return run, err
}

// judged is a question as it is asked, and the articles that answer it.
type judged struct {
	query flat.Query
	of    judge.Query
	right map[string]bool
}

func (j judged) rank(found []string) judge.Judged {
	return judge.Judged{ID: j.of.ID, Group: j.of.Group, Ranking: judge.Rank(found, j.right)}
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
	run.against(saved.searched)
	if run.Meant != nil && saved.Meant != nil {
		run.Meant.against(*saved.Meant)
	}
	return nil
}

// against adds the differences to what was searched in the same way before.
func (s *searched) against(saved searched) {
	differences, common := judge.Difference(saved.Each, s.Each)
	s.Against, s.Common = withNames(differences), common
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
	if err := a.tellSearched("PAR LES MOTS", run.searched); err != nil {
		return err
	}
	times := comma(fmt.Sprintf("%.1f ms par question", run.MS))
	if run.Meant != nil {
		if err := a.tellSearched("PAR LE SENS AUSSI", *run.Meant); err != nil {
			return err
		}
		times += comma(fmt.Sprintf(", %.1f ms par le sens aussi", run.Meant.MS))
	}
	_, err := fmt.Fprintf(a.out, "%s, %s, %s (%d passages), %s.\n", count(run.Questions, "question"),
		count(run.Groups, "groupe"), count(run.Corpus, "article"), run.Passages, times)
	return err
}

func (a *app) tellSearched(way string, s searched) error {
	t := table{head: []string{way, "VALEUR", "INTERVALLE À 95 %"}}
	if s.Against != nil {
		t.head = append(t.head, "ÉCART", "INTERVALLE DE L’ÉCART")
	}
	for i, f := range s.Figures {
		row := []any{f.Name, hundredths(f.Value), hundredths(f.Low) + " à " + hundredths(f.High)}
		if s.Against != nil {
			d := s.Against[i]
			row = append(row, signed(d.Value), signed(d.Low)+" à "+signed(d.High))
		}
		t.add(row...)
	}
	return t.write(a.out, "")
}

// hundredths prints a share in per cent.
func hundredths(share float64) string { return comma(fmt.Sprintf("%.1f", 100*share)) }

func signed(share float64) string { return comma(fmt.Sprintf("%+.1f", 100*share)) }

func comma(number string) string { return strings.Replace(number, ".", ",", 1) }

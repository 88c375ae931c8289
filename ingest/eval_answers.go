package main

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"vigueur/internal/admission"
	"vigueur/internal/answer"
	"vigueur/internal/chat"
	"vigueur/internal/errs"
	"vigueur/internal/flat"
	"vigueur/internal/french"
	"vigueur/internal/judge"
	"vigueur/internal/law"
	"vigueur/internal/llm"
	"vigueur/internal/llm/extractive"
	"vigueur/internal/postgres"
	"vigueur/internal/refer"
	"vigueur/internal/retrieve"
)

func (a *app) evalAnswersCommand() *cobra.Command {
	var questions, documents string
	var whole, words bool
	c := &cobra.Command{
		Use: "answers --questions F --documents DOSSIER", Short: "Mesure les réponses : article, faits, refus",
		Long: "Pose chaque question comme le ferait un worker et compare la réponse à ce qui est attendu : l’article cité, les\n" +
			"faits qu’elle doit dire (« trois (3) mois » vaut « 3 mois »), le refus de ce que le catalogue ne dit pas. Les fichiers\n" +
			"du dossier doivent être au catalogue (ingest add DOSSIER) ; ceux qui n’y sont pas sont nommés. Une ligne par question.\n" +
			"La recherche va par les mots et par le sens, comme chez le worker.\n\n" + exitHelp,
		Example: "  ingest eval answers --questions questions.jsonl --documents ~/gazettes",
		Args:    takes(0, 0, ""), DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, _ []string) error {
			if questions == "" || documents == "" {
				return usage("Il faut --questions et --documents.")
			}
			asked, err := judge.Questions(questions)
			if err != nil {
				return err
			}
			return a.withDB(c.Context(), func(db *postgres.DB) error {
				e := &answering{app: a, db: db, folder: documents, whole: whole, words: words}
				return e.run(c.Context(), asked)
			})
		},
	}
	c.Flags().StringVar(&questions, "questions", "", "`FICHIER` de questions : JSON par ligne, id, question, gold, key_facts")
	c.Flags().StringVar(&documents, "documents", "", "`DOSSIER` des PDF que les questions nomment")
	c.Flags().BoolVar(&whole, "whole", false, "écrit aussi le texte de chaque réponse")
	c.Flags().BoolVar(&words, "words", false, "cherche par les mots seuls")
	return c
}

// answering is one measurement of answers.
type answering struct {
	*app
	db     *postgres.DB
	folder string
	whole  bool
	words  bool // alone
	meant  int  // searches that went by meaning too
	user   uuid.UUID
	runner *answer.Runner
	files  map[uuid.UUID]string // ingestion -> file, as the questions name it
}

// answersRun is what --json prints.
type answersRun struct {
	Answerable   int            `json:"answerable"`
	Right        int            `json:"right_article"`
	Facts        int            `json:"key_facts"`
	Refusable    int            `json:"unanswerable"`
	Refused      int            `json:"refused"`
	WrongRefusal int            `json:"wrong_refusals"`
	Warned       int            `json:"warned"`
	Meant        int            `json:"by_meaning"`
	Missing      []string       `json:"missing_files"`
	Each         []answerResult `json:"each"`
}

// answerResult is how one question went.
type answerResult struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Question string   `json:"question"`
	Cited    []string `json:"cited"`
	Right    bool     `json:"right_article"`
	Missing  []string `json:"missing_facts"`
	Refused  bool     `json:"refused"`
	Good     bool     `json:"good"`
	Warning  string   `json:"warning"`
	Answer   string   `json:"answer"`
	MS       int      `json:"latency_ms"`
}

func (e *answering) run(ctx context.Context, asked []judge.Asked) error {
	if err := e.prepare(ctx); err != nil {
		return err
	}
	run := answersRun{Missing: e.missing(asked), Each: []answerResult{}}
	for _, q := range asked {
		r, err := e.ask(ctx, q)
		if err != nil {
			return fmt.Errorf("%s: %w", q.ID, err)
		}
		run.add(q, r)
		if !e.json {
			if err := e.tellAnswer(q, r); err != nil {
				return err
			}
		}
	}
	run.Meant = e.meant
	if e.json {
		return writeJSON(e.out, run)
	}
	return e.tellAnswers(run)
}

// prepare opens what a worker would.
func (e *answering) prepare(ctx context.Context) error {
	user, err := operatorOf(ctx, e.db)
	if err != nil {
		return err
	}
	e.user = user.ID
	lexicon := french.NewLexicon()
	search := &retrieve.Searcher{DB: e.db, Now: time.Now, Lexicon: lexicon}
	options := flat.Options{Source: e.db, Lexicon: lexicon}
	if err := e.mean(ctx, search, &options); err != nil {
		return err
	}
	if search.Index, err = flat.Open(ctx, options); err != nil {
		return err
	}
	e.runner = &answer.Runner{DB: e.db, Default: extractive.Model, Log: slog.New(slog.DiscardHandler),
		Search:      &counted{&refer.Desk{DB: e.db, Next: search}, &e.meant},
		Models:      map[string]llm.Generator{extractive.Model: &extractive.Generator{Lexicon: lexicon}},
		Stream:      func(context.Context, uuid.UUID, int) answer.Stream { return unread{} },
		WatchCancel: func(ctx context.Context, _ uuid.UUID, _ func()) { <-ctx.Done() },
	}
	e.files = make(map[uuid.UUID]string)
	for _, c := range collect([]string{e.folder}) {
		if c.err != nil {
			return c.err
		}
		if err := e.know(ctx, c.path); err != nil {
			return err
		}
	}
	return nil
}

// know finds out which ingestion a file of the folder is.
func (e *answering) know(ctx context.Context, path string) error {
	f, err := admission.Look(ctx, path)
	if errs.Is(err, errs.Unsupported) {
		return nil // no gazette, and in no catalogue
	}
	if err != nil {
		return err
	}
	i, err := e.db.IngestionBySHA(ctx, f.SHA256)
	if errs.Is(err, errs.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	name, err := filepath.Rel(e.folder, path)
	e.files[i.ID] = filepath.ToSlash(name)
	return err
}

// missing are the files that the questions name and the catalogue has not.
func (e *answering) missing(asked []judge.Asked) []string {
	in := make(map[string]bool)
	for _, name := range e.files {
		in[name] = true
	}
	out := []string{}
	for _, q := range asked {
		for _, g := range q.Gold {
			if !in[g.Document] {
				in[g.Document] = true
				out = append(out, g.Document)
			}
		}
	}
	return out
}

// unread is a stream that nobody reads.
type unread struct{}

func (unread) Text(context.Context, string)                {}
func (unread) Unheard() (string, []int, bool)              { return "", nil, false }
func (unread) ChunkEnds(context.Context) []int             { return []int{} }
func (unread) End(context.Context, chat.EventKind, []byte) {}

// errTaken says that the answer would not be this program's.
var errTaken = errs.New(errs.Conflict, "Un worker de cette base a pris une question de la mesure. Arrêtez les workers pendant qu’elle dure.")

// ask has one question answered, as a turn of its own that is deleted afterwards.
func (e *answering) ask(ctx context.Context, q judge.Asked) (r answerResult, err error) {
	turn, err := turnOf(q.Question, q.Date, "", law.Filters{})
	if err != nil {
		return r, err
	}
	turn.UserID = e.user
	conversation, message, err := e.db.CreateTurn(ctx, turn)
	if err != nil {
		return r, err
	}
	defer func() {
		if _, gone := e.db.DeleteConversation(context.WithoutCancel(ctx), e.user, conversation); err == nil {
			err = gone
		}
	}()
	err = e.runner.Run(ctx, message)
	if errs.Is(err, errs.LeaseLost) {
		return r, errTaken
	}
	if err != nil {
		return r, err
	}
	m, err := e.db.Answer(ctx, e.user, message)
	switch {
	case err != nil:
		return r, err
	case m.LatencyMS == nil || m.Validation == nil:
		return r, errTaken // and not yet answered
	}
	return e.judged(ctx, q, m)
}

// judged holds an answer against what is expected.
func (e *answering) judged(ctx context.Context, q judge.Asked, m chat.Message) (answerResult, error) {
	r := answerResult{ID: q.ID, Type: q.Type, Question: q.Question, Cited: []string{}, Missing: []string{},
		Answer: m.Content, Refused: len(m.Citations) == 0, MS: *m.LatencyMS}
	if m.Validation.Warning != nil {
		r.Warning = *m.Validation.Warning
	}
	for _, c := range m.Citations {
		d, err := e.db.Document(ctx, c.DocumentID)
		if err != nil {
			return r, err
		}
		cited := judge.Cited{File: e.files[d.IngestionID], Number: c.OfficialNumber}
		if c.Article != nil {
			cited.Article = *c.Article
		}
		r.Cited = append(r.Cited, fmt.Sprintf("%s, art. %s", cited.File, cited.Article))
		for _, g := range q.Gold {
			r.Right = r.Right || g.Fits(cited) || slices.ContainsFunc(rewritten(m.Content), func(article string) bool {
				return g.Fits(judge.Cited{File: cited.File, Number: cited.Number, Article: article})
			})
		}
	}
	for _, f := range q.KeyFacts {
		if !judge.Holds(m.Content, f) {
			r.Missing = append(r.Missing, f)
		}
	}
	r.Good = r.Right && len(r.Missing) == 0 || len(q.Gold) == 0 && r.Refused
	return r, nil
}

// gives finds the article of another text whose wording an amending text gives.
var gives = regexp.MustCompile(`le texte de l’article ([^,]+),`)

// rewritten are the articles that an answer quotes as amending texts word them.
func rewritten(content string) (articles []string) {
	for _, m := range gives.FindAllStringSubmatch(content, -1) {
		articles = append(articles, m[1])
	}
	return articles
}

func (run *answersRun) add(q judge.Asked, r answerResult) {
	run.Each = append(run.Each, r)
	if len(q.Gold) == 0 {
		run.Refusable++
		run.Refused += ones(r.Refused)
		return
	}
	run.Answerable++
	run.Right += ones(r.Right)
	run.Facts += ones(len(r.Missing) == 0 && !r.Refused)
	run.WrongRefusal += ones(r.Refused)
	run.Warned += ones(r.Warning != "" && !r.Refused)
}

func ones(is bool) int {
	if is {
		return 1
	}
	return 0
}

// tellAnswer prints the line of a question.
func (e *answering) tellAnswer(q judge.Asked, r answerResult) error {
	verdict, what := "bon ", strings.Join(r.Cited, " ; ")
	switch {
	case r.Good && r.Refused:
		what = "refus"
	case r.Good:
	case len(q.Gold) == 0:
		verdict, what = "FAUX", "aurait dû être refusée ; cite "+what
	case r.Refused:
		verdict, what = "FAUX", "refusée à tort"
	case !r.Right:
		verdict, what = "FAUX", "attendu "+q.Gold[0].Document+", art. "+q.Gold[0].Article+" ; cite "+what
	default:
		verdict, what = "FAIT", "manque « "+strings.Join(r.Missing, " », « ")+" » ; cite "+what
	}
	if _, err := fmt.Fprintf(e.out, "%s %s %s — %s\n", verdict, cleanLine(r.ID), cleanLine(r.Question), cleanLine(what)); err != nil {
		return err
	}
	if !e.whole {
		return nil
	}
	_, err := fmt.Fprintf(e.out, "    %s\n    ! %s\n", strings.ReplaceAll(clean(r.Answer), "\n", "\n    "), cleanLine(r.Warning))
	return err
}

// tellAnswers prints the sums.
func (e *answering) tellAnswers(run answersRun) error {
	t := table{head: []string{"MESURE", "RÉSULTAT"}}
	t.add("bon article cité", fmt.Sprintf("%d sur %d", run.Right, run.Answerable))
	t.add("faits attendus dits", fmt.Sprintf("%d sur %d", run.Facts, run.Answerable))
	t.add("refus à raison", fmt.Sprintf("%d sur %d", run.Refused, run.Refusable))
	t.add("refus à tort", fmt.Sprint(run.WrongRefusal))
	t.add("réponses avec avertissement", fmt.Sprint(run.Warned))
	t.add("cherchées par le sens aussi", fmt.Sprintf("%d sur %d", run.Meant, len(run.Each)))
	if err := t.write(e.out, ""); err != nil {
		return err
	}
	for _, f := range run.Missing {
		if _, err := fmt.Fprintf(e.out, "Pas au catalogue : %s\n", cleanLine(f)); err != nil {
			return err
		}
	}
	return nil
}

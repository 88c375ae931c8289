package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"
	"vigueur/internal/work"
	"vigueur/scripts/corpora"

	"github.com/google/uuid"

	"vigueur/internal/answer/llm"
	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/answer/refer"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/ops/config"
	"vigueur/internal/search/memindex"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work/answering"
	"vigueur/internal/work/embedding"
	"vigueur/lab/evaluation/output"
	"vigueur/lab/judge"
	"vigueur/lab/judged"
)

// catalogueOptions are those of questions asked of a whole catalogue.
type catalogueOptions struct {
	questions string // file of questions
	documents string // folder of the PDF files that they name
	whole     bool   // the text of each answer is printed, too
	words     bool   // the search goes by words alone
	asJSON    bool
}

// patience is how long a server of vectors may be silent: nobody waits for a measurement.
const patience = 5 * time.Minute

// account is the owner of the questions that are asked.
const account = "evaluation@localhost"

// askCatalogue asks questions of the database that the environment names, as a worker
// would, and prints what came of them.
func askCatalogue(ctx context.Context, o catalogueOptions, out io.Writer) error {
	asked, err := corpora.Questions(o.questions)
	if err != nil {
		return err
	}
	db, settings, err := judged.OpenCatalogue(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	e := &measurement{catalogueOptions: o, db: db}
	if err := e.prepare(ctx, settings.Embedder); err != nil {
		return err
	}
	run, err := e.run(ctx, asked, out)
	if err != nil {
		return err
	}
	if o.asJSON {
		return output.JSON(out, run)
	}
	return run.tell(out)
}

// measurement is one measurement of answers.
type measurement struct {
	catalogueOptions
	db     *postgres.DB
	meant  int // searches that went by meaning too
	user   uuid.UUID
	runner *answering.AnswerWriter
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

// run asks all questions.
func (e *measurement) run(ctx context.Context, asked []corpora.Asked, out io.Writer) (answersRun, error) {
	run := answersRun{Missing: e.missing(asked), Each: []answerResult{}}
	for _, q := range asked {
		r, err := e.ask(ctx, q)
		if err != nil {
			return run, fmt.Errorf("%s: %w", q.ID, err)
		}
		run.add(q, r)
		if !e.asJSON {
			if err := e.tell(out, q, r); err != nil {
				return run, err
			}
		}
	}
	run.Meant = e.meant
	return run, nil
}

// prepare opens what a worker would.
func (e *measurement) prepare(ctx context.Context, embedder config.Embedder) (err error) {
	if e.user, err = userOf(ctx, e.db); err != nil {
		return err
	}
	lexicon := french.NewLexicon()
	search := &retrieve.Searcher{DB: e.db, Names: e.db, Now: time.Now, Lexicon: lexicon}
	options := memindex.Options{Source: e.db, Lexicon: lexicon}
	if !e.words {
		if err := e.byMeaning(ctx, embedder, search, &options); err != nil {
			return err
		}
	}
	if search.Index, err = memindex.Open(ctx, options); err != nil {
		return err
	}
	e.runner = &answering.AnswerWriter{DB: e.db, Default: extractive.Model, Log: slog.New(slog.DiscardHandler),
		Search:      &counted{&refer.Resolver{DB: e.db, Next: search}, &e.meant},
		Models:      map[string]llm.Generator{extractive.Model: &extractive.Generator{Lexicon: lexicon}},
		Stream:      func(context.Context, uuid.UUID, int) answering.Stream { return unread{} },
		WatchCancel: func(ctx context.Context, _ uuid.UUID, _ func()) { <-ctx.Done() },
	}
	e.files, err = judged.FilesOf(ctx, e.db, e.documents)
	return err
}

// byMeaning has answers searched by meaning too, as a worker with the same settings
// does it, but with more patience.
func (e *measurement) byMeaning(ctx context.Context, c config.Embedder, search *retrieve.Searcher, options *memindex.Options) error {
	model, err := embedding.NewModel(embedding.Server{URL: c.EmbedderURL, Key: c.EmbedderKey, Model: c.EmbedderModel}, patience)
	if err != nil {
		return err
	}
	asker := &embedding.Asker{
		Known:    &embedding.Known{VectorMaker: &embedding.VectorMaker{DB: e.db, Model: model, Log: slog.New(slog.DiscardHandler)}},
		Question: &embedding.Question{Embedder: model, Patience: patience},
	}
	if _, err := asker.Known.ID(ctx); err != nil {
		return err // to measure the words alone instead would mislead
	}
	search.Meaning, options.Vectors = asker.Of, e.db
	return nil
}

// counted is a search that counts those that went by meaning too.
type counted struct {
	answering.Searcher
	meant *int
}

// Search searches, and counts.
func (c *counted) Search(ctx context.Context, q retrieve.Question) (refer.Found, error) {
	r, err := c.Searcher.Search(ctx, q)
	*c.meant += ones(r.Semantic)
	return r, err
}

// userOf returns the account that asks, and makes it the first time. Nobody can sign in
// to it: it has no password.
func userOf(ctx context.Context, db *postgres.DB) (uuid.UUID, error) {
	u, err := db.UserByEmail(ctx, account)
	if !errs.Is(err, errs.NotFound) {
		return u.ID, err
	}
	u = postgres.User{ID: postgres.NewID(), Email: account, FullName: "scripts/eval answers", Role: "user"}
	return u.ID, db.CreateUser(ctx, u)
}

// missing are the files that the questions name and the catalogue has not.
func (e *measurement) missing(asked []corpora.Asked) []string {
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
func (unread) ChunkEnds(context.Context) []int             { return []int{} }
func (unread) End(context.Context, chat.EventKind, []byte) {}

// errTaken says that the answer would not be this program's.
var errTaken = errors.New("a worker of this database has taken a question: stop the workers while this runs")

// ask has one question answered in a conversation of its own, after the earlier ones of it; the conversation is deleted afterwards.
func (e *measurement) ask(ctx context.Context, q corpora.Asked) (r answerResult, err error) {
	turn := postgres.NewTurn{UserID: e.user}
	if q.Date != "" {
		day, err := time.Parse(time.DateOnly, q.Date)
		if err != nil {
			return r, err
		}
		turn.Filters = law.Filters{Date: &day}
	}
	defer func() {
		if turn.ConversationID == nil {
			return
		}
		if _, gone := e.db.DeleteConversation(context.WithoutCancel(ctx), e.user, *turn.ConversationID); err == nil {
			err = gone
		}
	}()
	var m chat.Message
	for _, turn.Question = range append(slices.Clone(q.Before), q.Question) {
		conversation, message, failed := e.db.CreateTurn(ctx, turn)
		if failed != nil {
			return r, failed
		}
		turn.ConversationID = &conversation
		if m, failed = e.answer(ctx, message); failed != nil {
			return r, failed
		}
	}
	return e.judged(ctx, q, m)
}

// answer has an answer written, and returns it.
func (e *measurement) answer(ctx context.Context, message uuid.UUID) (m chat.Message, err error) {
	err = work.Run(ctx, e.runner, message)
	if errs.Is(err, errs.LeaseLost) {
		return m, errTaken
	}
	if err != nil {
		return m, err
	}
	m, err = e.db.Answer(ctx, e.user, message)
	if err == nil && (m.LatencyMS == nil || m.Validation == nil) { // not yet answered
		err = errTaken
	}
	return m, err
}

// judged holds an answer against what is expected.
func (e *measurement) judged(ctx context.Context, q corpora.Asked, m chat.Message) (answerResult, error) {
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
		file, err := e.fileOf(ctx, d)
		if err != nil {
			return r, err
		}
		cited := judge.Cited{File: file, Number: c.OfficialNumber}
		if c.Article != nil {
			cited.Article = *c.Article
		}
		r.Cited = append(r.Cited, fmt.Sprintf("%s, art. %s", cited.File, cited.Article))
		is := []judge.Cited{cited}
		if c.Replaces != nil { // a new wording is known by the article that it is of, too
			for _, number := range []string{c.Replaces.Article, c.Replaces.Article + " nouveau"} {
				is = append(is, judge.Cited{File: cited.File, Number: cited.Number, Article: number})
			}
		}
		for _, g := range q.Gold {
			r.Right = r.Right || slices.ContainsFunc(is, func(c judge.Cited) bool { return judge.Fits(g, c) })
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

// fileOf names the file of a text as the questions do: by its place in the folder of
// documents, else by the name under which it was ingested, as the sample gazettes.
func (e *measurement) fileOf(ctx context.Context, d law.Document) (string, error) {
	if name, ok := e.files[d.IngestionID]; ok {
		return name, nil
	}
	i, err := e.db.DocumentFile(ctx, d.ID)
	return i.Filename, err
}

func (run *answersRun) add(q corpora.Asked, r answerResult) {
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

// tell prints the line of a question.
func (e *measurement) tell(out io.Writer, q corpora.Asked, r answerResult) error {
	verdict, what := "good ", strings.Join(r.Cited, "; ")
	switch {
	case r.Good && r.Refused:
		what = "refused"
	case r.Good:
	case len(q.Gold) == 0:
		verdict, what = "WRONG", "not refused; cites "+what
	case r.Refused:
		verdict, what = "WRONG", "refused"
	case !r.Right:
		verdict, what = "WRONG", "wants "+q.Gold[0].Document+", art. "+q.Gold[0].Article+"; cites "+what
	default:
		verdict, what = "FACT ", "does not say « "+strings.Join(r.Missing, " », « ")+" »; cites "+what
	}
	_, err := fmt.Fprintf(out, "%s %s %s — %s\n", verdict, r.ID, strings.Join(strings.Fields(r.Question), " "), what)
	if err != nil || !e.whole {
		return err
	}
	_, err = fmt.Fprintf(out, "    %s\n    ! %s\n", strings.ReplaceAll(r.Answer, "\n", "\n    "), r.Warning)
	return err
}

// tell prints the sums.
func (run answersRun) tell(out io.Writer) error {
	t := output.NewTable("MEASURE", "RESULT")
	of := func(n, all int) string { return fmt.Sprintf("%d of %d", n, all) }
	t.Add("right article cited", of(run.Right, run.Answerable))
	t.Add("key facts said", of(run.Facts, run.Answerable))
	t.Add("rightly refused", of(run.Refused, run.Refusable))
	t.Add("wrongly refused", of(run.WrongRefusal, run.Answerable))
	t.Add("answers with a warning", run.Warned)
	t.Add("searched by meaning too", of(run.Meant, len(run.Each)))
	errs := []error{t.Write(out)}
	for _, f := range run.Missing {
		_, err := fmt.Fprintf(out, "Not in the catalogue: %s\n", f)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

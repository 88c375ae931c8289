package main

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/answer/llm/extractive"
	"vigueur/internal/answer/refer"
	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/ocr"
	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/law/french"
	"vigueur/internal/ops/config"
	"vigueur/internal/ops/observe"
	"vigueur/internal/search/finding"
	"vigueur/internal/search/memindex"
	"vigueur/internal/search/milvus"
	"vigueur/internal/search/transformer"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/meili"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/relay"
	"vigueur/internal/work"
	"vigueur/internal/work/alerts"
	"vigueur/internal/work/answering"
	"vigueur/internal/work/embedding"
	"vigueur/internal/work/ingestion"
	"vigueur/internal/work/notify"
	"vigueur/internal/work/passages"
	"vigueur/internal/work/queue"
	"vigueur/internal/work/retention"
	"vigueur/internal/work/titles"
	"vigueur/internal/work/upkeep"
	"vigueur/internal/work/versions"
)

// worker holds the connections and indexes of the process.
type worker struct {
	config  config.Worker
	log     *slog.Logger
	db      *postgres.DB
	blobs   blobs.Store
	queue   *queue.Client
	relay   *relay.Relay
	index   *memindex.Index
	meaning *embedding.Asker
	// sentences makes and reads the vectors of sentences; nil: searches use none.
	sentences *embedding.Known
	// projection maps the vectors of sentences to those in which answers are nearer.
	projection *transformer.Projection
	// reader reads questions and articles together; nil like sentences.
	reader *transformer.Reader
	// lexicon must be the same for index, search and generator.
	lexicon       *french.Lexicon
	notifications *notify.MailSender
	titles        *titles.TitleFeeder // nil if there is no title index
	// milvusIndex is nil if the passages are in this worker's memory.
	milvusIndex *milvusIndex

	help    map[country.Code]string
	readers pdftext.Spares     // child processes that wait for the next files
	server  *work.Server       // set by start
	stopped context.CancelFunc // stops everything except the running jobs
	tasks   sync.WaitGroup
}

// open connects to the stores and loads the index.
func open(ctx context.Context, c config.Worker, log *slog.Logger) (*worker, error) {
	w := &worker{config: c, log: log, lexicon: french.NewLexicon(), stopped: func() {}}
	if err := w.connect(ctx); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *worker) connect(ctx context.Context) (err error) {
	c := w.config
	if w.db, err = postgres.OpenFor(ctx, c.DatabaseURL, postgres.Program{Name: "worker", Connections: c.Database, Leases: true, Waiting: postgres.LogWaiting(w.log)}); err != nil {
		return err
	}
	if err := w.db.CheckMigrated(ctx); err != nil {
		return err
	}
	// An API with an outdated schema gets no requests. A worker, however, would lease jobs and
	// fail those whose results it cannot write.
	if err := w.db.CheckUpToDate(ctx); err != nil {
		return err
	}
	if w.blobs, err = blobs.Open(blobs.Settings{URL: c.BlobsURL, Key: c.BlobsKey}); err != nil {
		return err
	}
	if w.notifications, err = notifications(c, w.db, w.log); err != nil {
		return err
	}
	if w.titles, err = titleIndex(c.Stores, w.db, w.log); err != nil {
		return err
	}
	if w.queue, err = queue.NewClient(c.RedisURL); err != nil {
		return err
	}
	if err := w.queue.Ping(ctx); err != nil {
		return err
	}
	if w.relay, err = relay.Open(c.RedisURL, w.log); err != nil {
		return err
	}
	if w.meaning, err = w.openMeaning(); err != nil {
		return err
	}
	if w.sentences, err = w.openSentences(); err != nil {
		return err
	}
	if w.help, err = answering.ReadHelp(c.HelpTexts); err != nil {
		return err
	}
	w.index, err = memindex.Open(ctx, memindex.Options{Source: w.db, Vectors: w.vectors(), Lexicon: w.lexicon, Log: w.log,
		File: memindex.File{Dir: c.IndexDir, Moment: w.db.CatalogueMoment}, Register: c.MilvusURL != ""})
	w.milvusIndex = w.openMilvusIndex()
	return err
}

// ingestionsPoll is the polling interval for gazettes. Each gazette takes seconds, and a
// poll without a result costs a worker and Redis as much as one for answers.
const ingestionsPoll = 50 * time.Millisecond

// start starts the jobs, the follower of the index, the relay and the maintenance. Running
// jobs release their rows when ctx ends; everything else runs until stop.
func (w *worker) start(ctx context.Context) (err error) {
	background, stopped := context.WithCancel(context.WithoutCancel(ctx))
	w.stopped = stopped
	w.tasks.Go(func() { w.report(ctx, "relay", w.relay.Run(background)) })
	w.tasks.Go(func() { w.report(ctx, "index", w.index.Follow(background)) })
	kept := &upkeep.Upkeep{Store: w.db, Forget: w.blobs.Delete, Tell: w.endStream, Whys: whysKept, Log: w.log}
	w.tasks.Go(func() { kept.Run(ctx) })
	post := &notify.Post{DB: w.db, Lives: postgres.LinkLives{Reset: config.ResetLife, Signup: config.SignupLife}, Envelope: w.notifications.Envelope, Transport: w.notifications.Transport, Log: w.log}
	w.tasks.Go(func() { post.Run(ctx) })
	w.tasks.Go(func() { w.keeper().Run(ctx) })
	w.server, err = work.Serve(ctx, w.config.RedisURL, w.queue, w.log, w.workers()...)
	return err
}

// whysKept is how long it is kept why an answer is what it is.
const whysKept = 90 * 24 * time.Hour

// workers returns the workers for the kinds of jobs that this process runs.
func (w *worker) workers() []work.Worker {
	workers := []work.Worker{w.answers(), w.ingestions(), w.notifications, w.meaning.Known}
	if w.sentences != nil {
		workers = append(workers, w.sentences)
	}
	if w.titles != nil {
		workers = append(workers, w.titles.Worker())
	}
	workers = append(workers, (&versions.VersionAssembler{DB: w.db, Log: w.log}).Worker())
	workers = append(workers, w.alerts()...)
	if w.milvusIndex != nil {
		workers = append(workers, w.milvusIndex.runner.Worker())
	}
	return workers
}

func (w *worker) report(ctx context.Context, what string, err error) {
	if err != nil && ctx.Err() == nil {
		w.log.ErrorContext(ctx, what+" ended", "error", err)
	}
}

func (w *worker) answers() *answering.AnswerWriter {
	return &answering.AnswerWriter{
		DB:     w.db,
		Search: &refer.Resolver{DB: w.db, Next: w.searcher()},
		Models: w.models(), Default: extractive.Model, Fallback: extractive.Model, AtOnce: w.config.ModelShown == "words",
		Rephrase: w.config.Rephrase, Checker: w.config.Checker, Help: w.help,
		Stream: func(ctx context.Context, id uuid.UUID, attempt int) answering.Stream {
			return w.relay.Publisher(ctx, id, attempt)
		},
		WatchCancel: w.relay.WatchCancel,
		Log:         w.log,
		Concurrency: w.config.Answers, Poll: w.config.Poll,
	}
}

func (w *worker) ingestions() *ingestion.GazetteReader {
	reader := pdftext.Reader{Spares: &w.readers}
	return &ingestion.GazetteReader{
		DB: w.db, Blobs: w.blobs, Log: w.log, Now: time.Now,
		Concurrency: w.config.Ingestions, Poll: max(w.config.Poll, ingestionsPoll),
		MostPages: w.config.FilePages, MostBytes: int64(w.config.FileWords) << 20,
		Read:    func(ctx context.Context, path string) (ingestion.Document, error) { return reader.Open(ctx, path) },
		MostOCR: w.config.FileOCR,
		OCR: func(ctx context.Context, doc ingestion.Renderer, budget *ocr.Budget, pages []layout.Page, yield func(layout.Page) error) error {
			return ocr.Reader{Budget: budget}.Pages(ctx, doc, pages, w.config.OCRPages, yield)
		},
		Part: func(ctx context.Context, doc ingestion.Renderer, budget *ocr.Budget, p layout.Page, part law.Rect, s ocr.Setting) ([][]layout.Word, error) {
			return ocr.Reader{Budget: budget}.Part(ctx, doc, p, part, s)
		},
	}
}

// endStream ends the stream of an answer that was given up.
func (w *worker) endStream(ctx context.Context, id uuid.UUID, attempt int, kind chat.EventKind, data []byte) {
	w.relay.Publisher(ctx, id, attempt).End(ctx, kind, data)
}

// stop lets the running jobs release their rows, and then stops everything else.
func (w *worker) stop() {
	w.server.Stop()
	w.stopped()
	w.tasks.Wait()
}

// close closes the connections. It may be called in any state.
func (w *worker) close() {
	w.stopped()
	w.tasks.Wait()
	w.readers.Close()
	if w.queue != nil {
		if err := w.queue.Close(); err != nil {
			w.log.Warn("close", "error", err)
		}
	}
	if w.milvusIndex != nil {
		if err := w.milvusIndex.close(); err != nil {
			w.log.Warn("close", "error", err)
		}
	}
	if w.db != nil {
		w.db.Close()
	}
}

// messagesAtOnce is the number of messages that a process sends at once: mail servers distrust clients with many connections.
const messagesAtOnce = 2

// webhooksAtOnce is the number of deliveries to webhooks that a process sends at once. A
// receiver that does not answer holds one for alerts.ResponseLimit.
const webhooksAtOnce = 4

// digestInterval is the interval between two digests of alerts to one account.
const digestInterval = 24 * time.Hour

// alerts returns the workers that tell accounts of changes of the law.
func (w *worker) alerts() []work.Worker {
	c, base := w.config, strings.TrimRight(w.config.BaseURL, "/")
	return []work.Worker{
		&alerts.Matcher{DB: w.db, Log: w.log},
		&notify.Digester{DB: w.db, Envelope: w.notifications.Envelope, Transport: w.notifications.Transport, BaseURL: base, Interval: digestInterval, Log: w.log},
		&alerts.Sender{DB: w.db, Off: !c.SendWebhooks, BaseURL: base, Allowed: c.WebhookHosts, Now: time.Now, Log: w.log, Concurrency: webhooksAtOnce},
	}
}

// notifications returns the Runner of notifications. It sends mail to a server if one is
// configured, else it writes files.
func notifications(c config.Worker, db *postgres.DB, log *slog.Logger) (*notify.MailSender, error) {
	envelope, err := notify.ParseEnvelope(c.MailFrom, c.MailTo)
	if err != nil {
		return nil, err
	}
	r := &notify.MailSender{DB: db, Envelope: envelope, Log: log, Concurrency: messagesAtOnce}
	if c.SMTPURL != "" {
		r.Transport, err = notify.NewSMTP(c.SMTPURL)
	} else {
		r.Transport, err = notify.NewFolder(c.MailDir)
	}
	return r, err
}

// keeper returns the Keeper that removes data past its retention period. It removes
// messages only if there is no mail server, because only then are they files.
func (w *worker) keeper() *retention.Keeper {
	c := w.config
	rules := retention.Rules{Keeping: postgres.Keeping{Conversations: config.Days(c.KeepConversations), Inquiries: config.Days(c.KeepInquiries),
		Usage: config.Days(c.KeepUsage)},
		Messages: config.Days(c.KeepMessages), Dir: c.MailDir}
	return &retention.Keeper{Rules: rules, Store: w.db, Log: w.log, Now: time.Now}
}

// titleIndex returns the Runner of the title index, nil if no index is configured.
func titleIndex(c config.Stores, db *postgres.DB, log *slog.Logger) (*titles.TitleFeeder, error) {
	if c.MeiliURL == "" {
		return nil, nil //nolint:nilnil // the index is optional
	}
	index, err := meili.Open(c.MeiliURL, c.MeiliKey)
	return &titles.TitleFeeder{DB: db, Index: index, Log: log}, err
}

// milvusIndex is what a worker needs to search and update passages in Milvus. It is nil if
// the passages are in the worker's memory.
type milvusIndex struct {
	*finding.Finder
	runner *passages.PassageFeeder
	stores []*milvus.Store
}

// searchPatience is how long a question waits for Milvus. After that, it is searched by words in PostgreSQL. Nobody
// waits for writes.
const (
	searchPatience = time.Second
	feedPatience   = 10 * time.Second
)

func (w *worker) openMilvusIndex() *milvusIndex {
	c := w.config.Stores
	if c.MilvusURL == "" {
		return nil
	}
	searched := &milvus.Store{Address: c.MilvusURL, Key: c.MilvusKey, Patience: searchPatience}
	fed := &milvus.Store{Address: c.MilvusURL, Key: c.MilvusKey, Patience: feedPatience}
	index := &milvus.Index{Store: searched, Register: w.index, Lost: w.requestRebuild}
	return &milvusIndex{
		Finder: &finding.Finder{Milvus: index.Search, Words: w.db, Register: w.index, Log: w.log,
			Lacks: func(ctx context.Context) (int, error) {
				return w.db.PassageIndex().Behind(ctx, finding.Behind)
			}},
		runner: &passages.PassageFeeder{DB: w.db, Store: fed, Average: w.index.Average, Log: w.log},
		stores: []*milvus.Store{searched, fed},
	}
}

func (e *milvusIndex) close() (err error) {
	for _, s := range e.stores {
		err = errors.Join(err, s.Close())
	}
	return err
}

// requestRebuild requests a rebuild of the collection because a search did not find the collection.
func (w *worker) requestRebuild(ctx context.Context, why error) {
	w.log.WarnContext(ctx, "a search found no passage index", "error", why)
	if err := w.db.PassageIndex().Miss(context.WithoutCancel(ctx)); err != nil {
		w.log.WarnContext(ctx, "request a rebuild of the passage index", "error", err)
	}
}

// sample returns the metrics that are sampled at a scrape: those of the connections and of
// the index.
func (w *worker) sample(context.Context) []observe.Value {
	passages, version := w.index.Size()
	return append(observe.Connections(observe.Database(w.db.Pool()), observe.Redis(w.relay.Pool())),
		observe.Value{Of: observe.IndexPassages, Value: float64(passages)},
		observe.Value{Of: observe.IndexVersion, Value: float64(version)})
}

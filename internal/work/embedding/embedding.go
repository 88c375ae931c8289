// Package embedding computes the vectors of passages: it splits the passages of the
// catalogue into chunks, has a model embed each, and stores the vectors.
//
// Vectors belong to a generation: one model, one way of chunking, and the model's vector
// for a fixed text (the probe), which distinguishes builds of a model with the same name.
// If the configuration matches no stored generation, a new one is computed beside the
// current one and replaces it when every passage has its vectors. The version of the
// catalogue shows whether the current generation lacks new passages.
//
// The row of a generation is leased like every row of work. Vectors are stored in batches,
// so a later attempt continues where the last one ended. A model that does not respond is
// retried after Pause. A passage that the model rejects although it embeds the probe gets
// no vectors and is not retried.
//
// Vectors of sentences are computed where answers and files leave room: between two batches,
// they wait while a question or a file waits, but never for more than nine tenths of the
// time.
package embedding

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/answer/llm"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law/french"
	"vigueur/internal/search/vector"
	"vigueur/internal/store/postgres"
	"vigueur/internal/work"
	"vigueur/internal/work/queue"
)

const (
	// batch is the number of passages embedded and stored together.
	batch = 32
	// Pause is the delay before a model that did not respond is retried.
	Pause = 15 * time.Second
	// sameBuild is the minimum cosine of two vectors of the probe that the same build of a
	// model computed. The cosine of vectors by different builds is below 0.99.
	sameBuild = 0.999
)

// probe is the fixed text by which builds of a model are distinguished.
const probe = "Le salarié qui démissionne respecte un préavis dont la loi fixe la durée."

// VectorMaker computes the vectors of one generation. Its fields are set once. Its methods may
// be called by many goroutines; the lease lets one of them compute vectors at a time.
type VectorMaker struct {
	DB *postgres.DB
	Model
	// Sentences is set if the vectors are not searched, but read for the articles that a
	// search has found and compares more closely.
	Sentences bool
	Log       *slog.Logger
	// Renew is how often the lease is renewed; 0: postgres.Renew.
	Renew time.Duration
	// Clock measures batches and pauses; nil: the real time.
	Clock Clock
}

// Generation returns the generation of the configured model and stores it if it is new.
// errs.Unavailable means that the model or the database does not respond.
func (r *VectorMaker) Generation(ctx context.Context) (postgres.Generation, error) {
	made, err := r.Embed(ctx, []string{probe})
	if err != nil {
		return postgres.Generation{}, err
	}
	packed := vector.Pack(made)
	hash := sha256.Sum256(packed)
	g := postgres.Generation{ID: postgres.NewID(), Model: r.Name, Chunking: r.cutting().Name, Dimensions: len(made[0]),
		Fingerprint: hex.EncodeToString(hash[:8]), Probe: packed}
	ensure := r.DB.EnsureGeneration
	if r.Sentences {
		ensure = r.DB.EnsureSentenceGeneration
	}
	return ensure(ctx, g, func(known postgres.Generation) bool {
		return known.Model == g.Model && known.Chunking == g.Chunking && known.Dimensions == g.Dimensions && alike(known.Probe, made[0])
	})
}

func alike(known []byte, probe []float32) bool {
	var s vector.Set
	n, err := s.Add(known)
	return err == nil && n == 1 && s.Dimensions == len(probe) && s.Dot(vector.NewQuery(probe), 0) >= sameBuild
}

// Plan describes the vectors: one generation at a time, because there is one model.
func (r *VectorMaker) Plan() work.Plan {
	kind := queue.Embeddings
	if r.Sentences {
		kind = queue.Sentences
	}
	return work.Plan{Kind: kind, Poll: work.BackgroundPoll, Backoff: func(int) time.Duration { return Pause }, Renew: r.Renew, Log: r.Log}
}

// Due returns the model's generation if passages lack its vectors, or if the worker that
// computed them has crashed.
func (r *VectorMaker) Due(ctx context.Context, _ int) ([]uuid.UUID, error) {
	g, err := r.Generation(ctx)
	if err != nil {
		return nil, err
	}
	return r.DB.DueEmbedding(ctx, g.ID)
}

// Lease begins an attempt at a generation. LeaseLost also if the generation does not belong
// to this worker's model.
func (r *VectorMaker) Lease(ctx context.Context, id uuid.UUID) (work.Job, error) {
	mine, err := r.Generation(ctx)
	if err != nil {
		return nil, err
	}
	if mine.ID != id {
		return nil, errs.New(errs.LeaseLost, "")
	}
	lease, err := r.DB.LeaseEmbedding(ctx, id)
	if err != nil {
		return nil, err
	}
	return &job{Leased: work.Leased{Lease: lease}, runner: r}, nil
}

// job is one attempt at the vectors of a generation.
type job struct {
	work.Leased
	runner   *VectorMaker
	passages int // number of passages embedded by this attempt
	pace     pace

	ending sync.Mutex // held while the lease is renewed or the attempt ends
	ended  bool
}

// Renew renews the lease and records the pace, unless the attempt has ended: its lease would count as lost.
func (j *job) Renew(ctx context.Context) (stop, err error) {
	j.ending.Lock()
	defer j.ending.Unlock()
	if j.ended {
		return nil, nil
	}
	return nil, j.runner.DB.RenewEmbedding(ctx, j.Lease, j.pace.perSecond())
}

// Work embeds the passages that the generation lacks.
func (j *job) Work(ctx context.Context) (err error) {
	j.passages, err = j.runner.embedAll(ctx, j.Lease, &j.pace, j.finish)
	return err
}

// finish ends the attempt if no passage lacks its vectors.
func (j *job) finish(ctx context.Context, version int64) (done bool, err error) {
	j.ending.Lock()
	defer j.ending.Unlock()
	j.ended, err = j.runner.DB.FinishEmbedding(ctx, j.Lease, version)
	return j.ended, err
}

// Conclude writes how the attempt ended, unless it is done: FinishEmbedding has written that, with the version of the
// catalogue that the vectors cover.
func (j *job) Conclude(ctx context.Context, end work.End) error {
	if end.Outcome == work.Done {
		return nil
	}
	return j.Leased.Conclude(ctx, end)
}

// Attrs returns the attributes of the attempt's log record.
func (j *job) Attrs() []slog.Attr {
	return []slog.Attr{slog.Any("generation", j.Lease.ID), slog.Int("passages", j.passages)}
}

// embedAll embeds passages until none lacks its vectors and finish says so, and counts them in p.
func (r *VectorMaker) embedAll(ctx context.Context, row postgres.Leased, p *pace, finish func(ctx context.Context, version int64) (done bool, err error)) (n int, err error) {
	for {
		version, err := r.DB.CatalogueVersion(ctx)
		if err != nil {
			return n, err
		}
		for last := (postgres.Unembedded{}); ; {
			start := r.clock().Now()
			made, err := r.embedNext(ctx, row, &last)
			if err != nil {
				return n, err
			}
			if made == 0 {
				break
			}
			n += made
			files, err := r.yield(ctx, r.clock().Now().Sub(start))
			if err != nil {
				return n, err
			}
			p.add(made, r.clock().Now().Sub(start)-files)
		}
		if done, err := finish(ctx, version); err != nil || done {
			return n, err
		}
	}
}

// embedNext embeds and stores one batch, the passages behind last, and moves last to its
// end. It returns the number of passages, 0 at the end of the catalogue.
func (r *VectorMaker) embedNext(ctx context.Context, row postgres.Leased, last *postgres.Unembedded) (int, error) {
	limit := batch
	if r.Sentences {
		limit = sentenceBatch
	}
	passages, err := r.DB.Unembedded(ctx, row.ID, *last, limit)
	if err != nil || len(passages) == 0 {
		return 0, err
	}
	made, err := r.vectors(ctx, row.ID, passages)
	if err != nil {
		return 0, err
	}
	if err := r.DB.SaveVectors(ctx, row.ID, row.Attempt, made); err != nil {
		return 0, err
	}
	*last = passages[len(passages)-1]
	return len(passages), nil
}

// vectors embeds passages in one request, or one by one if the model rejects the request.
func (r *VectorMaker) vectors(ctx context.Context, generation uuid.UUID, passages []postgres.Unembedded) ([]postgres.PassageVectors, error) {
	made, err := r.together(ctx, generation, passages)
	if err == nil || !errs.Is(err, errs.Unprocessable) {
		return made, err
	}
	if _, err := r.Embed(ctx, []string{probe}); err != nil {
		return nil, err // the model fails on any text
	}
	if len(passages) == 1 {
		r.Log.WarnContext(ctx, "passage without vectors", "passage", passages[0].ID, "error", err)
		return []postgres.PassageVectors{{PassageID: passages[0].ID, Packed: vector.Pack(nil)}}, nil
	}
	var all []postgres.PassageVectors
	for i := range passages {
		one, err := r.vectors(ctx, generation, passages[i:i+1])
		if err != nil {
			return nil, err
		}
		all = append(all, one...)
	}
	return all, nil
}

func (r *VectorMaker) together(ctx context.Context, generation uuid.UUID, passages []postgres.Unembedded) ([]postgres.PassageVectors, error) {
	out, chunks := make([]postgres.PassageVectors, len(passages)), make([][]string, len(passages))
	words := make([][]byte, len(passages))
	for i, p := range passages {
		chunks[i] = r.Cut(Part{p.Title, p.Path, p.Heading, p.Text})
		out[i].PassageID = p.ID
		if r.Sentences { // to look up a vector of words takes longer than to make it
			hash := sha256.Sum256([]byte(strings.Join(chunks[i], "\x00")))
			words[i] = hash[:postgres.WordsHash]
			out[i].Words = words[i]
		}
	}
	known, err := r.known(ctx, generation, words)
	if err != nil {
		return nil, err
	}
	var texts []string
	var lacking []int
	for i := range out {
		key := string(words[i])
		if _, again := known[key]; again && key != "" {
			continue
		}
		known[key] = nil // is made, once
		lacking, texts = append(lacking, i), append(texts, chunks[i]...)
	}
	var vectors [][]float32
	if len(texts) > 0 {
		if vectors, err = r.Embed(ctx, texts); err != nil {
			return nil, err
		}
	}
	for _, i := range lacking {
		out[i].Packed, vectors = vector.Pack(vectors[:len(chunks[i])]), vectors[len(chunks[i]):]
		known[string(words[i])] = out[i].Packed
	}
	for i := range out {
		if out[i].Packed == nil {
			out[i].Packed = known[string(words[i])]
		}
	}
	return out, nil
}

// known returns the vectors that were made of words before, by their hash.
func (r *VectorMaker) known(ctx context.Context, generation uuid.UUID, words [][]byte) (map[string][]byte, error) {
	if !r.Sentences {
		return make(map[string][]byte), nil
	}
	return r.DB.VectorsOfWords(ctx, generation, words)
}

// Question embeds questions. It waits up to Patience for the model. After a failure it does
// not ask the model for questionRest, so that not every question waits for a model that
// hangs.
type Question struct {
	llm.Embedder
	Patience time.Duration // maximum wait for the model; 0: a second
	failed   atomic.Pointer[time.Time]
}

// questionRest is the time after a failure in which no question is embedded.
const questionRest = 5 * time.Second

// questionLength is the maximum number of code points of a question that are embedded.
const questionLength = 1000

// Embed returns the vector of a question.
func (q *Question) Embed(ctx context.Context, text string) ([]float32, error) {
	if moment := q.failed.Load(); moment != nil && time.Since(*moment) < questionRest {
		return nil, errs.New(errs.Unavailable, "")
	}
	waiting, cancel := context.WithTimeout(ctx, cmp.Or(q.Patience, time.Second))
	defer cancel()
	made, err := q.Embedder.Embed(waiting, []string{first(text, questionLength)})
	if err != nil {
		if ctx.Err() == nil && !errs.Is(err, errs.Unprocessable) { // Unprocessable: only this question is at fault
			now := time.Now()
			q.failed.Store(&now)
		}
		return nil, err
	}
	return made[0], nil
}

// Known caches the generation of a Runner, so that the model does not embed the probe for every
// question. While the model does not respond, it is asked again after Pause.
type Known struct {
	*VectorMaker
	mu     sync.Mutex
	id     uuid.UUID
	failed time.Time
}

// ID returns the id of the generation, from the cache if it is known.
func (k *Known) ID(ctx context.Context) (uuid.UUID, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.id != uuid.Nil {
		return k.id, nil
	}
	if !k.failed.IsZero() && time.Since(k.failed) < Pause {
		return uuid.Nil, errs.New(errs.Unavailable, "")
	}
	g, err := k.Generation(ctx)
	if err != nil {
		if ctx.Err() == nil {
			k.failed = time.Now()
			k.Log.WarnContext(ctx, "no vectors: questions are searched by words alone", "model", k.Name, "error", err)
		}
		return uuid.Nil, err
	}
	k.id = g.ID
	k.Log.InfoContext(ctx, "vectors", "generation", g.ID, "model", g.Model, "fingerprint", g.Fingerprint, "dimensions", g.Dimensions, "current", g.Current)
	return k.id, nil
}

// Lease leases a generation as Runner.Lease does. LeaseLost may mean that the model was replaced, so
// it clears the cache.
func (k *Known) Lease(ctx context.Context, id uuid.UUID) (work.Job, error) {
	job, err := k.VectorMaker.Lease(ctx, id)
	if errs.Is(err, errs.LeaseLost) {
		k.mu.Lock()
		k.id = uuid.Nil // determined again when next needed
		k.mu.Unlock()
	}
	return job, err
}

// Due does what Runner.Due does, with the cached generation. It ignores an error of ID, which has
// logged it.
func (k *Known) Due(ctx context.Context, _ int) ([]uuid.UUID, error) {
	id, err := k.ID(ctx)
	if err != nil {
		return nil, nil //nolint:nilerr // see above
	}
	return k.DB.DueEmbedding(ctx, id)
}

// paceWindow is the time after which older passages count half for the pace. It spans many
// pauses for questions, so that the pace is that of work and these pauses together. How long
// pauses for files last follows from the files that wait (postgres.DB.Refining).
const paceWindow = 5 * time.Minute

// pace measures how many passages a second get vectors. Its methods may be called by many
// goroutines.
type pace struct {
	mu       sync.Mutex
	passages float64
	elapsed  time.Duration
}

// add counts passages that took the given time, pauses for questions included.
func (p *pace) add(passages int, took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.passages += float64(passages)
	p.elapsed += took
	if p.elapsed > paceWindow {
		p.passages /= 2
		p.elapsed /= 2
	}
}

// perSecond returns the number of passages a second, 0 while none is counted.
func (p *pace) perSecond() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.elapsed <= 0 {
		return 0
	}
	return p.passages / p.elapsed.Seconds()
}

const (
	// sentenceBatch is the number of passages between two pauses. The transformer takes about
	// a quarter of a second for them on two cores, which is how long a question at most has it beside itself.
	sentenceBatch = 8
	// longestPause is the maximum pause after a batch, as a multiple of the time that the batch
	// took. Where answers and files never end, vectors still get a tenth of the time.
	longestPause = postgres.LongestPause
	// urgentPoll is how often a pause looks whether there still is more urgent work.
	urgentPoll = 200 * time.Millisecond
)

// Clock tells the time and waits.
type Clock interface {
	Now() time.Time
	// After returns a channel on which the time is sent after d.
	After(d time.Duration) <-chan time.Time
}

// realTime is the Clock of the machine.
type realTime struct{}

func (realTime) Now() time.Time                         { return time.Now() }
func (realTime) After(d time.Duration) <-chan time.Time { return time.After(d) }

func (r *VectorMaker) clock() Clock {
	if r.Clock == nil {
		return realTime{}
	}
	return r.Clock
}

// yield pauses after a batch while a question waits for its answer or a file waits to be
// read, on this machine or on another. It returns at the latest after longestPause times
// the time that the batch took, so that vectors never starve. files is the part of the pause in which a file waited.
func (r *VectorMaker) yield(ctx context.Context, took time.Duration) (files time.Duration, err error) {
	if !r.Sentences {
		return 0, nil // the searched vectors: without them, a text is found by its words alone
	}
	for end := r.clock().Now().Add(longestPause * took); ; {
		questions, waiting, err := r.DB.UrgentWork(ctx)
		now := r.clock().Now()
		left := end.Sub(now)
		if err != nil || !questions && !waiting || left <= 0 {
			return files, err
		}
		select {
		case <-ctx.Done():
			return files, ctx.Err()
		case <-r.clock().After(min(urgentPoll, left)):
		}
		if waiting {
			files += r.clock().Now().Sub(now)
		}
	}
}

// Chunking names the way in which Chunks splits passages. Vectors of chunks that were split
// in another way belong to another generation.
const Chunking = "sentences-400-headings-2"

const (
	chunkLength = 400 // maximum length of a chunk in code points, without its headings
	headings    = 2   // number of headings in front of each chunk, the nearest
	headLength  = 160 // maximum length of a heading in code points
)

// Chunks splits a passage into the texts that are embedded: whole sentences where they
// fit into chunkLength, with the nearest headings in front. A passage without text gives
// one chunk, so that every passage has a vector.
func Chunks(path []string, heading, text string) []string {
	upper := lead(path, heading)
	var out []string
	for _, part := range pieces(text) {
		out = append(out, upper+part)
	}
	if len(out) == 0 {
		out = []string{upper + "(sans texte)"}
	}
	return out
}

// lead returns the nearest headings, each followed by a full stop.
func lead(path []string, heading string) string {
	var b strings.Builder
	all := slices.Concat(path, []string{heading})
	given := make([]string, 0, headings)
	for i := len(all) - 1; i >= 0 && len(given) < headings; i-- {
		if h := strings.TrimSpace(all[i]); h != "" {
			given = append(given, first(h, headLength))
		}
	}
	for i := len(given) - 1; i >= 0; i-- {
		b.WriteString(given[i])
		b.WriteString(". ")
	}
	return b.String()
}

// pieces splits a text into parts of at most chunkLength code points, between sentences
// where possible.
func pieces(text string) (out []string) {
	part := ""
	flush := func() {
		if part = strings.Join(strings.Fields(part), " "); part != "" {
			out = append(out, part)
		}
		part = ""
	}
	for _, s := range french.Sentences(text) {
		sentence := text[s.Start:s.End]
		if part != "" && utf8.RuneCountInString(part)+utf8.RuneCountInString(sentence) > chunkLength {
			flush()
		}
		part += " " + sentence
		for utf8.RuneCountInString(part) > chunkLength {
			head := first(part, chunkLength)
			rest := part[len(head):]
			part = head
			flush()
			part = rest
		}
	}
	flush()
	return out
}

// first returns at most n code points of a text, cut between words if possible.
func first(text string, n int) string {
	pos, count := len(text), 0
	for i := range text {
		if count == n {
			pos = i
			break
		}
		count++
	}
	if pos == len(text) {
		return text
	}
	if space := strings.LastIndexByte(text[:pos], ' '); space > pos/2 {
		return text[:space]
	}
	return text[:pos]
}

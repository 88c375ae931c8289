package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"vigueur/scripts/benchmark/report"
)

// people who load pages at once, where nothing but their number holds them up, and in the mixed steps.
const (
	readersAlone = 8
	readersMixed = 32
)

// costs are what one of each costs: an answer, a page load, a page of a gazette, the vectors of sentences of a passage; idle,
// what a second costs in which nothing happens, of the whole and of each worker.
type costs struct {
	answer, page, gazettePage, refining spent
	idle, idleWorker                    spent // a second
	apiMiB, workerMiB                   float64
	bytesPerPassage                     float64 // of the database, its indexes among it
	passagesPerPage                     float64
}

// forgets is how long connections of PostgreSQL that have nothing to do may keep to themselves what they counted.
const forgets = 11 * time.Second

// alone measures each load alone, by one worker. Vectors of sentences would go on behind the gazettes for minutes, so the
// workers that read these make none, and the last worker makes them alone.
func (s *system) alone(ctx context.Context, o options) (c costs, err error) {
	if err := s.findPostgres(ctx); err != nil {
		return c, err
	}
	if err := s.refined(ctx); err != nil {
		return c, err
	}
	nothing := func(context.Context, *load) {}
	d, idle, err := s.one(ctx, forgets, o.span/2, nothing)
	if err != nil {
		return c, err
	}
	c.idle = idle.times(1 / d.took.Seconds())
	if c.apiMiB, err = held(s.apis[:]); err != nil {
		return c, err
	}
	if c.workerMiB, err = held(s.workers); err != nil {
		return c, err
	}
	d, u, err := s.one(ctx, 2*answerTime, o.span, func(ctx context.Context, l *load) { l.ask(ctx, atOnce*5/4) })
	if err != nil {
		return c, err
	}
	c.answer = c.each(d, u, float64(d.answers))
	say("answers alone", "%.2f a second by one worker, places for %.2f; the first word within %.0f ms but for one in a hundred", d.answersPerS(), places(atOnce), p99(d.firsts))
	s.dismiss(0)
	s.Set("VIGUEUR_SENTENCES", "false")
	if err := s.hire(ctx, 1); err != nil {
		return c, err
	}
	if err := s.gazettesAlone(ctx, o, &c); err != nil {
		return c, err
	}
	if d, u, err = s.one(ctx, forgets, o.span, func(ctx context.Context, l *load) { l.read(ctx, readersAlone, 0) }); err != nil {
		return c, err
	}
	c.page = c.each(d, u, float64(d.loads))
	say("page loads alone", "%.0f a second, one in a hundred takes longer than %.1f ms", d.loadsPerS(), p99(d.fetched))
	// What one more worker costs when there is nothing to do: its looks into the queue.
	if err := s.hire(ctx, 2); err != nil {
		return c, err
	}
	d, two, err := s.one(ctx, forgets, o.span/2, nothing)
	if err != nil {
		return c, err
	}
	c.idleWorker = two.times(1 / d.took.Seconds()).less(c.idle)
	s.dismiss(0)
	s.Set("VIGUEUR_SENTENCES", "true")
	if err := s.hire(ctx, 1); err != nil {
		return c, err
	}
	if d, u, err = s.one(ctx, time.Second, o.span, nothing); err != nil {
		return c, err
	}
	if u.refined == 0 {
		return c, errors.New("no passage got vectors of sentences")
	}
	c.refining = c.each(d, u, u.refined)
	say("vectors of sentences alone", "%.1f passages a second by one worker", u.refined/d.took.Seconds())
	return c, nil
}

// refined waits until every passage has vectors of sentences, three minutes at most.
func (s *system) refined(ctx context.Context) error {
	return s.until(ctx, "passages without vectors of sentences", `SELECT count(*) FROM passages p JOIN documents d ON d.id = p.document_id AND NOT d.in_review
		WHERE NOT p.quoted AND NOT EXISTS (SELECT FROM vectors v JOIN generations g ON g.id = v.generation_id WHERE v.passage_id = p.id AND g.role = 'sentences')`)
}

// gazettesAlone takes in gazettes as fast as one worker can, and looks how the database grows.
func (s *system) gazettesAlone(ctx context.Context, o options, c *costs) error {
	// Each file costs some three seconds of a core beside its pages, which recognition of a sample of its lines takes.
	const every = 1500 * time.Millisecond // more than a worker takes in
	const begun = 5 * time.Second         // and two files have been read by then
	if err := s.stock(int((begun+2*o.span)/every) + 2); err != nil {
		return err
	}
	before, passages, err := s.size(ctx)
	if err != nil {
		return err
	}
	d, u, err := s.one(ctx, begun, 2*o.span, func(ctx context.Context, l *load) { l.feed(ctx, every) })
	if err != nil {
		return err
	}
	c.gazettePage = c.each(d, u, u.pages)
	if err := s.settle(ctx); err != nil {
		return err
	}
	after, now, err := s.size(ctx)
	if err != nil {
		return err
	}
	var read float64
	err = s.Query(ctx, `SELECT coalesce(sum(pages_done), 0)::float8 FROM ingestions`, &read)
	if err != nil || now <= passages || u.pages == 0 || read == 0 {
		return joined(err, fmt.Errorf("%.0f pages of gazettes read, %.0f passages before and %.0f after", u.pages, passages, now))
	}
	c.bytesPerPassage, c.passagesPerPage = (after-before)/(now-passages), now/read
	say("gazettes alone", "%.1f pages a second by one worker", u.pages/d.took.Seconds())
	return nil
}

// size is that of the database in bytes, and its passages.
func (s *system) size(ctx context.Context) (bytes, passages float64, err error) {
	err = s.Query(ctx, `SELECT pg_database_size(current_database())::float8, (SELECT count(*) FROM passages)::float8`, &bytes, &passages)
	return bytes, passages, err
}

// settle waits until no gazette waits or is being read, three minutes at most.
func (s *system) settle(ctx context.Context) error {
	return s.until(ctx, "gazettes still being read", `SELECT count(*) FROM ingestions WHERE state IN ('queued', 'running')`)
}

// until waits until a count is zero, three minutes at most; what says what is counted.
func (s *system) until(ctx context.Context, what, query string) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	for {
		var open int
		if err := s.Query(ctx, query, &open); err != nil {
			return err
		}
		if open == 0 {
			return nil
		}
		if !sleep(ctx, 200*time.Millisecond) {
			return fmt.Errorf("%d %s: %w", open, what, ctx.Err())
		}
	}
}

// one measures a load that ends with it.
func (s *system) one(ctx context.Context, warm, span time.Duration, what func(context.Context, *load)) (done, spent, error) {
	within, l := s.begin(ctx)
	defer l.Close()
	what(within, l)
	return l.measure(ctx, warm, span)
}

// each is what one of n cost, less the idle time.
func (c *costs) each(d done, u spent, n float64) spent {
	return u.less(c.idle.times(d.took.Seconds())).times(1 / max(n, 1))
}

// tell gives the costs as figures.
func (c *costs) tell(r *report.Report) {
	for name, of := range map[string]spent{"answer": c.answer, "load": c.page, "gazette_page": c.gazettePage} {
		for p := range others {
			r.Figure(fmt.Sprintf("%s_%s_ms", name, p), 1000*max(0, of.seconds[p]), "ms of processor time")
		}
		r.Figure(name+"_pg_transactions", of.transactions, "")
		r.Figure(name+"_pg_rows", max(0, of.rows), "rows written")
		r.Figure(name+"_pg_wal_bytes", of.wal, "bytes")
		r.Figure(name+"_redis_commands", max(0, of.commands), "")
		r.Figure(name+"_redis_in_bytes", max(0, of.received), "bytes")
		r.Figure(name+"_redis_out_bytes", max(0, of.returned), "bytes")
	}
	r.Figure("refining_worker_ms", 1000*max(0, c.refining.seconds[workers]), "ms of processor time, vectors of sentences of a passage")
	r.Figure("refining_postgres_ms", 1000*max(0, c.refining.seconds[postgres]), "ms of processor time, the same")
	r.Figure("idle_worker_redis_ms_per_s", 1000*max(0, c.idleWorker.seconds[redis]), "ms of processor time a second")
	r.Figure("idle_worker_redis_commands_per_s", max(0, c.idleWorker.commands), "")
	r.Figure("api_mib", c.apiMiB, "MiB in RAM, of an API that was not asked")
	r.Figure("worker_mib", c.workerMiB, "MiB in RAM, of a worker with the sample's index")
	r.Figure("pg_bytes_per_passage", c.bytesPerPassage, "bytes on disk, of made gazettes")
	r.Figure("passages_per_page", c.passagesPerPage, "of a gazette")
}

// places is how many answers a second so many places have room for.
func places(n int) float64 { return float64(n) / answerTime.Seconds() }

// many is how many answers a worker writes at once in the last step, where places are not to be what gives first.
const many = 4 * atOnce

// mixed has people ask, load pages and add gazettes at once, by 1 worker, then 2, and so on; at last by all of them with
// more places than the machine can serve.
func (s *system) mixed(ctx context.Context, r *report.Report, o options, c costs) error {
	if o.workers < 1 {
		return errors.New("at least one worker")
	}
	s.dismiss(1)
	for n := 1; n <= o.workers; n++ {
		if err := s.hire(ctx, n); err != nil {
			return err
		}
		d, u, err := s.step(ctx, r, o, fmt.Sprintf("mixed_%d_", n), n, atOnce)
		if err != nil {
			return err
		}
		if n == o.workers {
			r.Figure("predicted_share", c.predicted(n, d, u)/(u.all()-u.seconds[others]), "of the processor time of that step")
		}
	}
	s.dismiss(0)
	s.Set("VIGUEUR_WORKER_ANSWERS", fmt.Sprint(many))
	if err := s.hire(ctx, o.workers); err != nil {
		return err
	}
	_, _, err := s.step(ctx, r, o, "full_", o.workers, many)
	return err
}

// dismiss stops workers until so many are left.
func (s *system) dismiss(left int) {
	for _, extra := range s.workers[left:] {
		extra.Stop()
	}
	s.workers = s.workers[:left]
}

// step measures the three loads at once with n workers of so many places each.
func (s *system) step(ctx context.Context, r *report.Report, o options, name string, n, each int) (d done, u spent, err error) {
	warm := 2 * answerTime
	if err := s.stock(int((o.span+warm)/o.every) + 2); err != nil {
		return d, u, err
	}
	d, u, err = s.one(ctx, warm, o.span, func(ctx context.Context, l *load) {
		l.ask(ctx, n*each*5/4)
		l.read(ctx, readersMixed, o.loads)
		l.feed(ctx, o.every)
	})
	if err == nil && (d.answers == 0 || d.loads == 0) {
		err = fmt.Errorf("%d workers: %d answers and %d page loads", n, d.answers, d.loads)
	}
	if err == nil {
		tellStep(r, name, n*each, n, o, d, u)
	}
	return d, u, err
}

// predicted is the processor time, the load's own apart, that the costs of each alone foretell of a step.
func (c *costs) predicted(n int, d done, u spent) float64 {
	seconds := d.took.Seconds()
	sum := 0.0
	for p := range others {
		sum += float64(d.answers)*c.answer.seconds[p] + float64(d.loads)*c.page.seconds[p] + u.pages*c.gazettePage.seconds[p] + u.refined*c.refining.seconds[p] +
			seconds*(c.idle.seconds[p]+float64(n-1)*max(0, c.idleWorker.seconds[p]))
	}
	return sum
}

func tellStep(r *report.Report, name string, room, n int, o options, d done, u spent) {
	seconds := d.took.Seconds()
	first, share := gave(room, d, u, runtime.NumCPU())
	r.Figure(name+"answers_per_s", d.answersPerS(), "answers/s")
	r.Peer("places for", name+"answers_per_s", places(room))
	r.Figure(name+"first_p99_ms", p99(d.firsts), "ms to the first word, every place being taken")
	r.Figure(name+"loads_per_s", d.loadsPerS(), "page loads/s")
	r.Peer("offered", name+"loads_per_s", o.loads)
	r.Figure(name+"load_p50_ms", report.Quantile(d.fetched, .5), "ms")
	r.Figure(name+"load_p99_ms", p99(d.fetched), "ms")
	r.Figure(name+"gazette_pages_per_s", u.pages/seconds, "pages/s")
	r.Figure(name+"refined_per_s", u.refined/seconds, "passages/s that get vectors of sentences")
	r.Figure(name+"busy", u.all()/seconds/float64(runtime.NumCPU()), "of the processors")
	r.Figure(name+"machine_busy", u.machine/seconds/float64(runtime.NumCPU()), "of the processors, other programs among it")
	for p := range parts {
		r.Figure(name+p.String()+"_busy", u.seconds[p]/seconds, "processors")
	}
	say(fmt.Sprintf("mixed, %d workers of %d places", n, room/n), "%.2f answers/s (places for %.2f), %.0f page loads/s (p99 %.0f ms), %.1f gazette pages/s; "+
		"processors: api %.2f, workers %.2f, PostgreSQL %.2f, Redis %.2f, the load itself %.2f, other programs %.2f; first gave: %s (%.0f %%)",
		d.answersPerS(), places(room), d.loadsPerS(), p99(d.fetched), u.pages/seconds,
		u.seconds[apis]/seconds, u.seconds[workers]/seconds, u.seconds[postgres]/seconds, u.seconds[redis]/seconds, u.seconds[others]/seconds,
		max(0, u.machine-u.all())/seconds, first, 100*share)
}

// gave tells which part of a step is nearest to its end, and how near: the workers' places, the machine's processors, or
// Redis, which has one.
func gave(room int, d done, u spent, cores int) (part string, share float64) {
	seconds := d.took.Seconds()
	for _, c := range []struct {
		name  string
		share float64
	}{{"the workers’ places", d.answersPerS() / places(room)}, {"the processors", u.machine / seconds / float64(cores)}, {"Redis", u.seconds[redis] / seconds}} {
		if c.share > share {
			part, share = c.name, c.share
		}
	}
	return part, share
}

// say prints a line of what was seen, before the figures.
func say(what, format string, args ...any) {
	fmt.Fprintf(os.Stdout, "%s: "+format+"\n", append([]any{what}, args...)...)
}

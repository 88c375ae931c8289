package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/client"
	"vigueur/internal/web/httpapi/alerts"
	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/work/queue"
)

// meter shows the progress of files: a bar on a terminal, lines elsewhere.
type meter interface {
	// admit shows that n of the files were added, and which file is next.
	admit(n, index int, next string)
	show(files []*added)
	// say prints a message without disturbing the progress.
	say(sentence string)
	end()
}

// follow waits until no file is pending.
func (r *adding) follow(ctx context.Context) error {
	m := r.meter()
	defer m.end()
	w := newWatch(r, m)
	defer w.close()
	tick := time.NewTicker(r.poll)
	defer tick.Stop()
	for {
		if err := w.look(ctx); err != nil {
			return err
		}
		m.show(r.files)
		if !anyPending(r.files) {
			return nil
		}
		w.worry(ctx)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

func (r *adding) meter() meter {
	if r.terminal {
		return newBar(r.err)
	}
	return newLines(r.err)
}

func anyPending(files []*added) bool {
	for _, f := range files {
		if f.pending() {
			return true
		}
	}
	return false
}

// watch follows the files of a run. It hears of changes by the server's stream, and asks for one waiting file after the
// other besides: a file that was deleted changes no more, and a server that does not respond is noticed.
type watch struct {
	*adding
	meter   meter
	changes *changes  // nil until a file is pending
	moved   time.Time // when a file last changed
	heard   time.Time // when the server last responded
	asked   time.Time // when a file was last asked for
	idle    bool      // whether it was reported that no worker runs
	slow    bool      // whether it was reported that nothing progresses
	down    bool      // whether it was reported that the server does not respond
	next    int       // index of the file at which the search for the next one to ask for begins
}

func newWatch(r *adding, m meter) *watch {
	return &watch{adding: r, meter: m, moved: time.Now(), heard: time.Now()}
}

// close ends the stream.
func (w *watch) close() {
	if w.changes != nil {
		w.changes.close()
	}
}

// asksEvery is how many looks there are to each file that is asked for.
const asksEvery = 10

// look takes what has changed. If the server does not respond, look waits, because the work goes on without the command.
func (w *watch) look(ctx context.Context) error {
	f := w.due()
	if f == nil {
		return nil
	}
	if w.changes == nil {
		w.changes = w.server.listen(ctx, w.first(), w.poll)
	}
	if changed := w.changes.take(); len(changed) > 0 {
		for _, f := range w.files {
			if f.Ingestion == nil {
				continue
			}
			if row, there := changed[*f.Ingestion]; there {
				w.see(f, row)
			}
		}
	}
	if time.Since(w.asked) < asksEvery*w.poll || !f.pending() {
		return nil
	}
	w.asked = time.Now()
	return w.ask(ctx, f)
}

// ask asks for a file.
func (w *watch) ask(ctx context.Context, f *added) error {
	var row gazettes.IngestionBody
	err := w.server.Call(ctx, http.MethodGet, "/admin/ingestions/"+f.Ingestion.String(), nil, nil, &row)
	switch {
	case errs.Is(err, errs.NotFound):
		f.State, f.Reason, err = "cancelled", "L’ingestion a été supprimée.", nil
	case client.MayPass(err) && ctx.Err() == nil && time.Since(w.heard) < w.stalled:
		if !w.down {
			w.meter.say(errs.Public(err) + " Nouvel essai…")
		}
		w.down = true
		return nil
	case err == nil:
		w.see(f, row)
	}
	if err == nil {
		w.heard, w.down = time.Now(), false
	}
	return err
}

// due returns the pending file that is asked for next, nil if no file is pending.
func (w *watch) due() *added {
	for range w.files {
		w.next++
		if f := w.files[w.next%len(w.files)]; f.pending() {
			return f
		}
	}
	return nil
}

// first returns the last change of the pending file that changed first, by the server's clock.
func (w *watch) first() (place string) {
	for _, f := range w.files {
		if f.pending() && (place == "" || f.updated < place) {
			place = f.updated
		}
	}
	return place
}

// see records the progress of a file, unless something newer is known.
func (w *watch) see(f *added, row gazettes.IngestionBody) {
	if row.UpdatedAt < f.updated {
		return
	}
	if row.State != f.State || row.Stage != f.stage || row.PagesDone != f.PagesDone {
		w.moved, w.slow = time.Now(), false
	}
	w.take(f, row)
}

// worry reports, once, that there is no worker or no progress.
func (w *watch) worry(ctx context.Context) {
	still := time.Since(w.moved)
	if !w.idle && still > w.stalled/5 && w.server.idle(ctx, queue.Ingestions) {
		w.idle, w.slow = true, true
		w.meter.say(noWorker)
	}
	if !w.slow && still > w.stalled {
		w.slow = true
		w.meter.say(fmt.Sprintf("Rien n’avance depuis %.0f s : les workers sont peut-être occupés par d’autres fichiers (ingest status).", w.stalled.Seconds()))
	}
}

// changes are the files that the server said to have changed.
type changes struct {
	mu   sync.Mutex
	rows map[uuid.UUID]gazettes.IngestionBody
	end  context.CancelFunc
	done chan struct{}
}

// listen hears the server's stream of changes until close is called, and joins it again where it was cut off. right is
// a moment of the server's clock.
func (s *server) listen(ctx context.Context, right string, pause time.Duration) *changes {
	ctx, cancel := context.WithCancel(ctx)
	c := &changes{rows: map[uuid.UUID]gazettes.IngestionBody{}, end: cancel, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		for ctx.Err() == nil {
			right = c.hear(ctx, s, right)
			select {
			case <-ctx.Done():
			case <-time.After(asksEvery * pause):
			}
		}
	}()
	return c
}

// hear keeps the files that the stream says to have changed after a moment until it is cut off, and returns the moment
// of the last change. An error is not told here: who waits for a file asks for it besides.
func (c *changes) hear(ctx context.Context, s *server, right string) string {
	r, err := s.Request(ctx, http.MethodGet, "/admin/ingestion-events", url.Values{"after": {right}}, nil)
	if err != nil {
		return right
	}
	_ = s.Events(ctx, r, nil, func(e client.Event) error {
		var row gazettes.IngestionBody
		if e.Kind != "progress" || json.Unmarshal(e.Data, &row) != nil {
			return nil
		}
		right = max(right, row.UpdatedAt)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.rows[row.ID] = row
		return nil
	})
	return right
}

// take returns what has changed since the last call.
func (c *changes) take() map[uuid.UUID]gazettes.IngestionBody {
	c.mu.Lock()
	defer c.mu.Unlock()
	rows := c.rows
	c.rows = map[uuid.UUID]gazettes.IngestionBody{}
	return rows
}

// close ends the stream and waits for its end.
func (c *changes) close() {
	c.end()
	<-c.done
}

// followAdd runs « follow add ».
func (a *app) followAdd(ctx context.Context, in *input) error {
	text, article := in.text("text"), in.text("article")
	scope := map[string]any{"kind": postgres.FollowScope}
	for name, option := range map[string]string{"q": "search", "doc_type": "type", "domaine": "domaine", "pays": "pays"} {
		if value := strings.TrimSpace(in.text(option)); value != "" {
			scope[name] = value
		}
	}
	if scope["q"] != nil {
		scope["kind"] = postgres.FollowSearch
	}
	switch {
	case text != "" && len(scope) > 1:
		return usage("--text ne va avec aucune autre option que --owner et --article.")
	case text == "" && article != "":
		return usage("--article ne va qu’avec --text.")
	case text == "" && len(scope) == 1:
		return usage("Il manque ce qui est à suivre : --text, --search, --domaine, --pays ou --type.")
	}
	return a.withServer(ctx, func(s *server) error {
		accountBody, err := s.account(ctx, in.text("owner"))
		if err == nil && text != "" {
			scope, err = followed(ctx, s, text, article)
		}
		if err != nil {
			return err
		}
		var kept alerts.FollowBody
		if err := s.Call(ctx, http.MethodPost, "/admin/users/"+accountBody.ID.String()+"/follows", nil, scope, &kept); err != nil {
			return err
		}
		return a.said(kept, "%s suit : %s", accountBody.Email, terminal.Line(kept.Label))
	})
}

// followed returns the text, or the article of it, that is to be followed, as the API takes it.
func followed(ctx context.Context, s *server, text, number string) (map[string]any, error) {
	id, err := s.find(ctx, texts, text)
	if err != nil || number == "" {
		return map[string]any{"kind": postgres.FollowText, "document_id": id}, err
	}
	article, err := uuid.Parse(number)
	if err != nil {
		if article, err = articleNumbered(ctx, s, id, number); err != nil {
			return nil, err
		}
	}
	return map[string]any{"kind": postgres.FollowArticle, "document_id": id, "article_id": article}, nil
}

package gazettes

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"math"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/gazette"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/queue"
)

// IngestedTextBody is a text of a file.
type IngestedTextBody struct {
	ID           uuid.UUID   `json:"id"`
	Title        string      `json:"title"`
	Type         law.DocType `json:"doc_type" enum:"loi,decret,arrete,circulaire,code,constitution"`
	Nature       string      `json:"nature"`
	Number       string      `json:"numero_officiel"`
	Articles     int         `json:"articles_count"`
	InReview     bool        `json:"in_review" doc:"Le texte attend en revue."`
	SupersededBy *uuid.UUID  `json:"remplace_par" doc:"L’édition qui a pris sa place."`
}

// IngestionBody is a file and the state of its ingestion.
type IngestionBody struct {
	ID         uuid.UUID          `json:"id"`
	Filename   string             `json:"filename"`
	SHA256     string             `json:"sha256" doc:"L’empreinte des octets du fichier."`
	Size       int64              `json:"size" doc:"En octets."`
	State      string             `json:"state" enum:"queued,running,review,done,failed,cancelled" doc:"En attente, en cours, à relire, terminé, en échec, annulé."`
	Stage      string             `json:"stage" doc:"L’étape en cours : queued, pages, texts, save, done."`
	PagesDone  int                `json:"pages_done"`
	PagesTotal int                `json:"pages_total"`
	Unread     int                `json:"pages_unread" doc:"Les pages qu’une reprise pourrait encore lire."`
	Error      *string            `json:"error" doc:"Une remarque, ou pourquoi le fichier est en échec."`
	Kind       *string            `json:"kind" doc:"Ce qu’une personne a dit que ce fichier est."`
	Country    *string            `json:"pays" doc:"Le pays dont une personne a dit que c’est le droit."`
	Attempts   int                `json:"attempts"`
	Documents  []IngestedTextBody `json:"documents"`
	RefinedIn  *int64             `json:"refined_in_seconds" doc:"Les textes sont lisibles dès maintenant ; dans tant de secondes, la recherche les trouve aussi précisément que les autres. null s’il ne manque rien, tant que la durée n’est pas connue, et dans les événements d’un fichier."`
	CreatedAt  string             `json:"created_at" format:"date-time"`
	UpdatedAt  string             `json:"updated_at" format:"date-time"`
}

func showIngestion(i postgres.Ingestion) IngestionBody {
	body := IngestionBody{
		ID: i.ID, Filename: i.Filename, SHA256: i.SHA256, Size: i.Size, State: i.State, Stage: i.Stage, PagesDone: i.PagesDone, PagesTotal: i.PagesTotal, Unread: i.Unread,
		Error: respond.NonEmpty(i.Error), Kind: respond.NonEmpty(i.Said.Kind), Country: respond.NonEmpty(i.Said.Country), Attempts: i.Tries, Documents: make([]IngestedTextBody, 0, len(i.Documents)), CreatedAt: respond.ShowTime(i.CreatedAt), UpdatedAt: respond.ShowTime(i.UpdatedAt),
	}
	for _, d := range i.Documents {
		body.Documents = append(body.Documents, IngestedTextBody{d.ID, d.Title, law.DocType(d.Type), d.Nature, d.Number, d.Articles, d.InReview, d.SupersededBy})
	}
	return body
}

// showRefined is showIngestion with the time until the file's texts are found as precisely
// as all others, where it is known. left and lacking are the result of postgres.Refining.
func showRefined(left time.Duration, lacking []uuid.UUID) func(postgres.Ingestion) IngestionBody {
	return func(i postgres.Ingestion) IngestionBody {
		body := showIngestion(i)
		if slices.Contains(lacking, i.ID) {
			body.RefinedIn = new(int64(left.Seconds()))
		}
		return body
	}
}

type listIngestionsInput struct {
	respond.Cursor
	State  string `query:"state" enum:"queued,running,review,done,failed,cancelled" doc:"Seulement ceux qui en sont là."`
	Words  string `query:"q" doc:"Seulement ceux dont le nom contient ces lettres, sans égard à la casse ni aux accents."`
	SHA256 string `query:"sha256" doc:"Seulement celui dont les octets ont cette empreinte."`
}

// listIngestions serves GET /admin/ingestions. It shows files, newest first, by cursor; with q
// only those with it in their name, with sha256 only the one with these bytes.
func (s *Handlers) listIngestions(c *fiber.Ctx, _ postgres.User, input listIngestionsInput) (reply respond.Listing[IngestionBody], _ error) {
	which := postgres.FileQuery{State: input.State, Name: input.Words, SHA256: input.SHA256}
	items, next, err := s.DB.IngestionPage(c.UserContext(), which, input.Before, input.Limit)
	if err != nil {
		return reply, err
	}
	ids := make([]uuid.UUID, len(items))
	for n, i := range items {
		ids[n] = i.ID
	}
	left, lacking, err := s.DB.Refining(c.UserContext(), ids)
	if err != nil {
		return reply, err
	}
	return respond.NewListing(items, next, showRefined(left, lacking)), nil
}

// file returns a file.
func (s *Handlers) file(c *fiber.Ctx, id uuid.UUID) (postgres.Ingestion, error) {
	i, err := s.DB.Ingestion(c.UserContext(), id)
	return i, respond.NotFound(err, "Ingestion introuvable.")
}

// showIngestionOf serves GET /admin/ingestions/:id. It shows one file.
func (s *Handlers) showIngestionOf(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply IngestionBody, _ error) {
	i, err := s.file(c, input.ID)
	if err != nil {
		return reply, err
	}
	left, lacking, err := s.DB.Refining(c.UserContext(), []uuid.UUID{i.ID})
	if err != nil {
		return reply, err
	}
	return showRefined(left, lacking)(i), nil
}

type sayInput struct {
	contract.ByID
	Kind         string `json:"kind,omitempty" enum:"law,no_law,draft,coordinated,compilation"`
	KindGiven    bool   `given:"kind"`
	Country      string `json:"pays,omitempty" format:"country"`
	CountryGiven bool   `given:"pays"`
}

// sayOfIngestion serves PATCH /admin/ingestions/:id. It records what a person says of a whole file, and queues it to be
// segmented again; null takes back what was said.
func (s *Handlers) sayOfIngestion(c *fiber.Ctx, _ postgres.User, input sayInput) (reply IngestionBody, _ error) {
	if _, err := s.file(c, input.ID); err != nil {
		return reply, err
	}
	var kind, country *string
	if input.KindGiven {
		kind = &input.Kind
	}
	if input.CountryGiven {
		country = &input.Country
	}
	if err := s.DB.SayOfFile(c.UserContext(), input.ID, kind, country, input.Kind == string(gazette.FileOfNoLaw)); err != nil {
		return reply, err
	}
	return s.queued(c, input.ID)
}

type retryInput struct {
	contract.ByID
	FileMetadata
}

// retryIngestion serves POST /admin/ingestions/:id/retry. It queues a failed or cancelled file
// again, with the metadata of the body, if there is one, in place of the file's.
func (s *Handlers) retryIngestion(c *fiber.Ctx, _ postgres.User) (reply IngestionBody, err error) {
	var input retryInput
	if len(c.Body()) > 0 {
		err = contract.Read(c, &input)
	} else {
		err = contract.Read(c, &input.ByID)
	}
	if err != nil {
		return reply, err
	}
	if _, err := s.file(c, input.ID); err != nil {
		return reply, err
	}
	var metadata json.RawMessage
	if len(c.Body()) > 0 {
		if metadata, err = s.spell(c.UserContext(), input.FileMetadata); err != nil {
			return reply, err
		}
	}
	if err := s.DB.RetryIngestion(c.UserContext(), input.ID, metadata); err != nil {
		return reply, err
	}
	return s.queued(c, input.ID)
}

// cancelIngestion serves POST /admin/ingestions/:id/cancel. It requests the cancellation of a
// file; one that has ended is not changed.
func (s *Handlers) cancelIngestion(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply IngestionBody, _ error) {
	if _, err := s.file(c, input.ID); err != nil {
		return reply, err
	}
	if err := s.DB.CancelIngestion(c.UserContext(), input.ID); err != nil {
		return reply, err
	}
	i, err := s.file(c, input.ID)
	return showIngestion(i), err
}

// recutIngestion serves POST /admin/ingestions/:id/recut. It queues a file to be segmented again
// from its saved pages.
func (s *Handlers) recutIngestion(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply IngestionBody, _ error) {
	if _, err := s.file(c, input.ID); err != nil {
		return reply, err
	}
	if err := s.DB.ResegmentIngestion(c.UserContext(), input.ID); err != nil {
		return reply, err
	}
	return s.queued(c, input.ID)
}

type forgetInput struct {
	contract.ByID
	Texts string `query:"texts" enum:"true,false" doc:"true : ses textes aussi, au catalogue et en revue, avec ce qu’ils changeaient."`
}

// forgetIngestion serves DELETE /admin/ingestions/:id. It deletes a file that produced no text or,
// with texts=true, a file with all its texts.
func (s *Handlers) forgetIngestion(c *fiber.Ctx, _ postgres.User, input forgetInput) (reply contract.None, _ error) {
	remove := s.DB.ForgetIngestion
	if input.Texts == "true" {
		remove = s.DB.DeleteFile
	}
	orphan, err := remove(c.UserContext(), input.ID)
	if err != nil {
		return reply, respond.NotFound(err, "Ingestion introuvable.")
	}
	s.dropFile(c.UserContext(), orphan)
	return reply, nil
}

// dropFile deletes the bytes of a file whose row was deleted, unless the file was added
// again. A failure only wastes disk space.
func (s *Handlers) dropFile(ctx context.Context, sha string) {
	_, err := s.DB.DropBytes(ctx, sha, func(ctx context.Context) error { return s.Blobs.Delete(ctx, sha) })
	if err != nil {
		s.Log.WarnContext(ctx, "delete a file: left behind", "sha256", sha, "error", err)
	}
}

// queued enqueues a hint for a file and shows its state.
func (s *Handlers) queued(c *fiber.Ctx, id uuid.UUID) (reply IngestionBody, _ error) {
	s.hintIngestion(c.UserContext(), id)
	i, err := s.file(c, id)
	return showIngestion(i), err
}

// hintIngestion enqueues a hint. Without it, the workers find the row later.
func (s *Handlers) hintIngestion(ctx context.Context, id uuid.UUID) {
	if err := s.Enqueue(ctx, queue.Ingestions, id); err != nil {
		s.Log.WarnContext(ctx, "enqueue ingestion: left to the sweep", "ingestion_id", id, "error", err)
	}
}

// LinesBody is a page's lines with their labels.
type LinesBody = postgres.PageLines

type linesInput struct {
	contract.ByID
	Page int `path:"page" minimum:"1" doc:"Numéro de la page dans le fichier, à partir de 1."`
}

// listLines serves GET /admin/ingestions/:id/pages/:page/lines. It shows the lines of a page in
// reading order.
func (s *Handlers) listLines(c *fiber.Ctx, _ postgres.User, input linesInput) (reply LinesBody, _ error) {
	i, err := s.withPage(c, input.ID, input.Page)
	if err != nil {
		return reply, err
	}
	reply, err = s.DB.PageLines(c.UserContext(), i.ID, input.Page)
	return reply, respond.NotFound(err, "Les lignes de cette page ne sont pas connues : elle n’a pas été lue, ou le fichier n’a pas été découpé depuis qu’elles sont gardées (POST …/recut le découpe de nouveau).")
}

// listPages serves GET /admin/ingestions/:id/pages. It shows where the letters of each page of a file went.
func (s *Handlers) listPages(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply respond.All[postgres.PageShare], _ error) {
	i, err := s.file(c, input.ID)
	if err == nil {
		reply.Items, err = s.DB.PageShares(c.UserContext(), i.ID)
	}
	return reply, err
}

// pageImage serves GET /admin/ingestions/:id/pages/:page.png. It renders a page of a file.
func (s *Handlers) pageImage(c *fiber.Ctx, user postgres.User, input catalogue.PageInput) (reply contract.Sent, _ error) {
	i, err := s.withPage(c, input.ID, input.Page)
	if err != nil {
		return reply, err
	}
	return reply, s.Images.Send(c, catalogue.Page{Ingestion: i.ID, SHA256: i.SHA256, N: input.Page, Width: input.Width}, transport.Turn{Who: user.ID.String(), Each: catalogue.DrawMost}, "private, max-age=86400")
}

// withPage returns a file that has a page n.
func (s *Handlers) withPage(c *fiber.Ctx, id uuid.UUID, n int) (i postgres.Ingestion, err error) {
	if i, err = s.file(c, id); err == nil && (i.PagesTotal > 0 && n > i.PagesTotal || n > math.MaxInt32) {
		err = catalogue.ErrNoPage(n)
	}
	return i, err
}

// The events of a file; each contains the file's current state.
const (
	progressEvent chat.EventKind = "progress"
	finalEvent    chat.EventKind = "final" // last event: the file has ended or waits in review
)

// lookEvery is the interval at which the row of a followed file is read.
const lookEvery = 500 * time.Millisecond

// followIngestion serves GET /admin/ingestions/:id/events. It streams a file's state after each
// change until the file has ended.
func (s *Handlers) followIngestion(c *fiber.Ctx, user postgres.User, input contract.ByID) (reply contract.Sent, _ error) {
	i, err := s.file(c, input.ID)
	if err != nil {
		return reply, err
	}
	transport.Note(c, slog.String("ingestion_id", i.ID.String()))
	s.OpenEventStream(c, guard.SessionFor(c, user, "editor"), func(w *transport.EventConn, _ *transport.Event) error {
		t := &fileStream{Handlers: s, EventConn: w}
		return follow(w, func() error { return t.tell(i) }, func() error { return t.look(i) })
	})
	return reply, nil
}

// fileStream streams the state of one file to one client.
type fileStream struct {
	*Handlers
	*transport.EventConn
	last []byte // the state that the client has
	seq  int64
}

// follow calls first and then, every lookEvery, look, until one of them returns an error, or the client, the session or
// the server ends. It returns why it stopped.
func follow(conn *transport.EventConn, first, look func() error) error {
	tick, alive := time.NewTicker(lookEvery), time.NewTicker(transport.KeepAlive)
	defer tick.Stop()
	defer alive.Stop()
	err := first()
	for err == nil {
		select {
		case <-tick.C:
			err = look()
		case <-alive.C:
			err = conn.Send([]byte(": keep-alive\n\n"))
		case <-conn.Revoked:
			err = transport.EndEarly(conn.Send, transport.Wire{}.Failed(transport.RevokedText), transport.ErrRevoked)
		case <-conn.Gone:
			err = transport.ErrGone
		case <-conn.Stop:
			if err = conn.Send(transport.Wire{}.Stopped()); err == nil {
				err = transport.ErrShutdown
			}
		}
	}
	return err
}

// look reads the row and sends its state. If the row cannot be read, the next look tries
// again.
func (t *fileStream) look(i postgres.Ingestion) error {
	ctx, cancel := context.WithTimeout(context.Background(), transport.RowTimeout)
	defer cancel()
	now, err := t.DB.Ingestion(ctx, i.ID)
	switch {
	case errs.Is(err, errs.NotFound):
		return t.event(chat.ErrorKind, chat.ErrorData("Ce fichier a été supprimé."))
	case err != nil:
		return nil
	}
	return t.tell(now)
}

// tell sends the state if it has changed. It returns ErrEnded after the last state.
func (t *fileStream) tell(i postgres.Ingestion) error {
	data, err := json.Marshal(showIngestion(i))
	switch {
	case err != nil:
		return err
	case i.Ended():
		return t.event(finalEvent, data)
	case bytes.Equal(data, t.last):
		return nil
	}
	t.last = data
	return t.event(progressEvent, data)
}

func (t *fileStream) event(kind chat.EventKind, data []byte) error {
	var out bytes.Buffer
	t.seq++
	transport.Wire{}.Event(&out, chat.Event{Seq: t.seq, Kind: kind, Data: data})
	if err := t.Send(out.Bytes()); err != nil {
		return err
	}
	if kind != progressEvent {
		return transport.ErrEnded
	}
	return nil
}

const (
	// changesMost is the maximum number of files that one look reads; the next look reads the others.
	changesMost = 200
	// overlap is how far each look goes back: a change may become visible that much later than one that
	// happened after it.
	overlap = 5 * time.Second
)

type followInput struct {
	After *time.Time `query:"after" format:"moment" doc:"Ce qui a changé depuis ce jour ou ce moment vient d’abord ; sans lui, seulement ce qui changera."`
}

// followIngestions serves GET /admin/ingestion-events. It streams each file that changes, and with
// after those that have changed since that moment, so that a client that was cut off misses none. The
// stream ends when no file waits or is processed.
func (s *Handlers) followIngestions(c *fiber.Ctx, user postgres.User, input followInput) (reply contract.Sent, _ error) {
	cursor := s.Now()
	if input.After != nil {
		cursor = *input.After
	}
	s.OpenEventStream(c, guard.SessionFor(c, user, "editor"), func(w *transport.EventConn, _ *transport.Event) error {
		t := &changeStream{Handlers: s, EventConn: w, after: cursor, sent: map[uuid.UUID]time.Time{}}
		return follow(w, t.look, t.look)
	})
	return reply, nil
}

// changeStream streams the files that change to one client.
type changeStream struct {
	*Handlers
	*transport.EventConn
	after time.Time               // what changed before is known to the client
	sent  map[uuid.UUID]time.Time // when the files that the client has of the overlap changed
	seq   int64
}

// look sends the files that have changed. If they cannot be read, the next look tries again.
func (t *changeStream) look() error {
	ctx, cancel := context.WithTimeout(context.Background(), transport.RowTimeout)
	defer cancel()
	pending, err := t.DB.HasPendingIngestions(ctx) // before the look, which then sees the last change
	if err != nil {
		return nil
	}
	changed, err := t.DB.ChangedIngestions(ctx, t.after, changesMost)
	if err != nil {
		return nil
	}
	for _, i := range changed {
		if t.sent[i.ID].Equal(i.UpdatedAt) {
			continue
		}
		data, err := json.Marshal(showIngestion(i))
		if err != nil {
			return err
		}
		var out bytes.Buffer
		t.seq++
		transport.Wire{}.Event(&out, chat.Event{Seq: t.seq, Kind: progressEvent, Data: data})
		if err := t.Send(out.Bytes()); err != nil {
			return err
		}
		t.sent[i.ID] = i.UpdatedAt
	}
	t.forget(changed)
	if !pending && len(changed) < changesMost {
		return transport.ErrEnded
	}
	return nil
}

// forget moves on to the last change of a look, less the overlap.
func (t *changeStream) forget(changed []postgres.Ingestion) {
	if len(changed) == 0 {
		return
	}
	last := changed[len(changed)-1].UpdatedAt
	if len(changed) < changesMost {
		last = last.Add(-overlap)
	}
	if !last.After(t.after) {
		return
	}
	t.after = last
	for id, moment := range t.sent {
		if moment.Before(last) {
			delete(t.sent, id)
		}
	}
}

// Package meili is the title index in Meilisearch: it tolerates typing errors, accents,
// elisions and plurals in the words of a title.
//
// The index is a copy, not the truth: searches return ids, which are read again from the
// database. Writes are tasks of the server; every method that writes waits until its task
// has ended, and a failed task is an error. A rebuild fills a second index and swaps the
// two, so that searches never see an incomplete index.
//
// Nothing is retried here: a search fails after SearchTimeout and its caller does without,
// and the job that feeds the index has attempts of its own. The error of a server that does
// not respond or is overloaded is Unavailable.
package meili

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/google/uuid"
	"github.com/meilisearch/meilisearch-go"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

const (
	// uid is the index's name; the one that a rebuild fills begins with twins, and was
	// called oldTwin before each had a unique name.
	uid     = "titles"
	twins   = "titles_new_"
	oldTwin = "titles_new"

	// SearchTimeout is the timeout of a search, for which somebody waits.
	SearchTimeout = 500 * time.Millisecond
	// callTimeout is the timeout of other calls.
	callTimeout = 30 * time.Second
	// taskTimeout is the timeout of a task of the server.
	taskTimeout = 5 * time.Minute
	// taskPoll is the polling interval of a task.
	taskPoll = 20 * time.Millisecond

	// mostHits is the maximum number of hits; without the setting of this number the server
	// stops at 1,000.
	mostHits = 10_000
	// batch is how many titles are sent in one request.
	batch = 1000
)

// Title is a text in the title index.
type Title struct {
	ID          uuid.UUID   `json:"id"`
	Title       string      `json:"title"`
	Number      string      `json:"numero_officiel"`
	Type        law.DocType `json:"doc_type"`
	Status      law.Status  `json:"statut"`
	Domain      string      `json:"domaine"`
	Promulgated string      `json:"date_promulgation"` // YYYY-MM-DD
}

// TitleOf converts a text of the catalogue.
func TitleOf(d law.Document) Title {
	return Title{d.ID, d.Title, d.OfficialNumber, d.Type, d.Status, d.Domain, d.Promulgated.Format(time.DateOnly)}
}

// Index is the title index of one server. It is safe for use by many goroutines.
type Index struct {
	Patience time.Duration // timeout of a search; 0: SearchTimeout. Must be set before the first search

	server meilisearch.ServiceManager
}

// Open returns the index on the server at address with a key, "" for none, without
// connecting.
func Open(address, key string) (*Index, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errs.New(errs.Invalid, "VIGUEUR_MEILI_URL n’est pas une adresse http:// ou https://")
	}
	// By default the library has no timeout and retries a 503 for six seconds.
	options := []meilisearch.Option{meilisearch.DisableRetries(), meilisearch.WithCustomClient(&http.Client{Timeout: callTimeout})}
	if key != "" {
		options = append(options, meilisearch.WithAPIKey(key))
	}
	return &Index{server: meilisearch.New(address, options...)}, nil
}

// Close ends idle connections.
func (x *Index) Close() { x.server.Close() }

// Ping checks that the server responds and is healthy.
func (x *Index) Ping(ctx context.Context) error {
	health, err := x.server.HealthWithContext(ctx)
	if err == nil && health.Status != "available" {
		err = fmt.Errorf("status %q", health.Status)
	}
	return classify("health", err)
}

// down is the public message if the server does not respond.
const down = "Meilisearch ne répond pas."

// classify assigns a kind to an error: a refusal by the server is a defect or a wrong key,
// and waiting does not fix it; all other errors are Unavailable.
func classify(what string, err error) error {
	if err == nil {
		return nil
	}
	wrapped := fmt.Errorf("meili: %s: %w", what, err)
	var answered *meilisearch.Error
	if errors.Is(err, context.Canceled) {
		return wrapped
	}
	if errors.As(err, &answered) && answered.StatusCode >= 400 && answered.StatusCode < 500 && answered.StatusCode != http.StatusTooManyRequests {
		if answered.StatusCode == http.StatusNotFound {
			return errs.Wrap(errs.NotFound, "", wrapped)
		}
		return errs.Wrap(errs.Internal, "", wrapped)
	}
	return errs.Wrap(errs.Unavailable, down, wrapped)
}

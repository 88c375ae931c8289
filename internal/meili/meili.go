// Package meili is the title index in Meilisearch: it forgives slips of the pen,
// accents, elisions and plurals in the words of a title.
//
// The index is a copy and never the truth: what it gives are ids, which are read
// from the database again. Writes are tasks of the server; every method that
// writes waits until its task has ended, and a task that failed is an error. A
// rebuild fills a twin and swaps the two, so that a search never sees half an
// index.
//
// Nothing is tried again here: a search has SearchTimeout and then its asker does
// without, and what feeds the index is a job with attempts of its own. The error
// of a server that does not answer, or that is overloaded, is Unavailable.
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

	"vigueur/internal/errs"
	"vigueur/internal/law"
)

const (
	// uid is the index's name; the one that a rebuild fills begins with twins, and
	// was oldTwin before each had a name of its own.
	uid     = "titles"
	twins   = "titles_new_"
	oldTwin = "titles_new"

	// SearchTimeout is how long a search may take: its asker waits.
	SearchTimeout = 500 * time.Millisecond
	// callTimeout is how long one call may take that nobody waits for.
	callTimeout = 30 * time.Second
	// taskTimeout is how long a task of the server may take.
	taskTimeout = 5 * time.Minute
	// taskPoll is how often a task is asked after.
	taskPoll = 20 * time.Millisecond

	// mostHits is how many hits a search gives; without the setting of the same
	// number the server stops at 1,000.
	mostHits = 10_000
	// batch is how many titles travel at once.
	batch = 1000
)

// Title is a text as it is found by its title.
type Title struct {
	ID          uuid.UUID   `json:"id"`
	Title       string      `json:"title"`
	Number      string      `json:"numero_officiel"`
	Type        law.DocType `json:"doc_type"`
	Status      law.Status  `json:"statut"`
	Domain      string      `json:"domaine"`
	Promulgated string      `json:"date_promulgation"` // YYYY-MM-DD
}

// TitleOf is a text of the catalogue as it is indexed.
func TitleOf(d law.Document) Title {
	return Title{d.ID, d.Title, d.OfficialNumber, d.Type, d.Status, d.Domain, d.Promulgated.Format(time.DateOnly)}
}

// Index is the title index of one server. It is safe for use by many goroutines.
type Index struct {
	Patience time.Duration // the longest wait for a search; 0: SearchTimeout. Set before the first

	server meilisearch.ServiceManager
}

// Open speaks to the server at address with a key, "" for none; nothing is sent yet.
func Open(address, key string) (*Index, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errs.New(errs.Invalid, "VIGUEUR_MEILI_URL n’est pas une adresse http:// ou https://")
	}
	// The library has no time-out and tries a 503 again for six seconds.
	options := []meilisearch.Option{meilisearch.DisableRetries(), meilisearch.WithCustomClient(&http.Client{Timeout: callTimeout})}
	if key != "" {
		options = append(options, meilisearch.WithAPIKey(key))
	}
	return &Index{server: meilisearch.New(address, options...)}, nil
}

// Close ends idle connections.
func (x *Index) Close() { x.server.Close() }

// Ping tells whether the server answers and is well.
func (x *Index) Ping(ctx context.Context) error {
	health, err := x.server.HealthWithContext(ctx)
	if err == nil && health.Status != "available" {
		err = fmt.Errorf("status %q", health.Status)
	}
	return classify("health", err)
}

// down is what a stranger reads of a server that does not answer.
const down = "Meilisearch ne répond pas."

// classify gives an error its kind: what the server refuses is a defect or a
// wrong key, and waiting does not mend it; all else passes.
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

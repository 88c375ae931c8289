// Package meili is the title index in Meilisearch. It tolerates typing errors and
// differences in accents, elisions and plurals in the words of a title.
//
// The index is a copy of the catalogue: searches return ids, and the texts are then read
// from the database. Writes are tasks of the server; every method that writes waits for the
// end of its task, and returns an error if the task failed. A rebuild fills a second index
// and swaps the two, so that searches never see an incomplete index.
//
// The package retries nothing: a search fails after SearchTimeout, and its caller continues
// without the index; the job that feeds the index has attempts of its own. If the server
// does not respond or is overloaded, the error is Unavailable.
package meili

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/meilisearch/meilisearch-go"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
)

const (
	// uid is the name of the index. Rebuilds fill an index whose name begins with twins.
	uid   = "titles"
	twins = "titles_new_"

	// SearchTimeout is the default timeout of a search, which a person waits for.
	SearchTimeout = 500 * time.Millisecond
	// callTimeout is the timeout of other calls.
	callTimeout = 30 * time.Second
	// taskTimeout is the timeout of a task of the server.
	taskTimeout = 5 * time.Minute
	// taskPoll is the polling interval of a task.
	taskPoll = 20 * time.Millisecond

	// maxHits is the maximum number of hits. The server's default is 1,000.
	maxHits = 10_000
	// batch is the number of titles in one request.
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

// TitleOf converts a text of the catalogue to a Title.
func TitleOf(d law.Document) Title {
	return Title{d.ID, d.Title, d.OfficialNumber, d.Type, d.Status, d.Domain, d.Promulgated.Format(time.DateOnly)}
}

// Index is the title index of one server. It is safe for use by many goroutines.
type Index struct {
	Patience time.Duration // timeout of a search; 0: SearchTimeout. Must be set before the first search

	server meilisearch.ServiceManager
}

// Open returns the index on the server at address, without connecting. key may be "".
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

// classify gives err a kind. If the server rejected the request, the kind is Internal: the
// program or the key is wrong, and waiting does not help. All other errors are Unavailable.
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

// settings returns the settings for searching French titles. Numbers of texts are searched
// without typo tolerance, because « 2000-109 » and « 2000-190 » are different texts.
func settings() *meilisearch.Settings {
	return &meilisearch.Settings{
		SearchableAttributes: []string{"title", "numero_officiel"},
		FilterableAttributes: []string{"domaine", "doc_type", "statut", "date_promulgation"},
		SortableAttributes:   []string{"date_promulgation"},
		RankingRules:         []string{"words", "typo", "proximity", "attribute", "sort", "exactness"},
		StopWords:            []string{"de", "du", "des", "la", "le", "les", "l", "d", "et", "portant", "relatif", "relative", "au", "aux", "en"},
		// Without this field, the library would send word sizes of 0, with which every word
		// matches all others.
		TypoTolerance: &meilisearch.TypoTolerance{Enabled: true, DisableOnNumbers: true, DisableOnWords: []string{},
			MinWordSizeForTypos: meilisearch.MinWordSizeForTypos{OneTypo: 5, TwoTypos: 9}, DisableOnAttributes: []string{"numero_officiel"}},
		LocalizedAttributes: []*meilisearch.LocalizedAttributes{{AttributePatterns: []string{"*"}, Locales: []string{"fra"}}},
		Pagination:          &meilisearch.Pagination{MaxTotalHits: maxHits},
	}
}

// Query is a search by title. Fields with their zero value do not filter.
type Query struct {
	Title  string
	Domain string
	Type   law.DocType
	Status law.Status
}

// Search returns the ids of texts whose titles contain every word of the query, apart from
// typing errors, best match first, at most 10,000.
func (x *Index) Search(ctx context.Context, q Query) ([]uuid.UUID, error) {
	asked := ctx
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(x.Patience, SearchTimeout))
	defer cancel()
	request := &meilisearch.SearchRequest{Limit: maxHits, AttributesToRetrieve: []string{"id"}, MatchingStrategy: meilisearch.All}
	if f := q.filter(); f != "" {
		request.Filter = f
	}
	raw, err := x.server.Index(uid).SearchRawWithContext(ctx, q.Title, request)
	if err != nil && asked.Err() != nil { // the library's error does not show that ctx ended
		return nil, asked.Err()
	}
	if err != nil {
		return nil, classify("search", err)
	}
	var answer struct {
		Hits []struct {
			ID uuid.UUID `json:"id"`
		} `json:"hits"`
	}
	if err := json.Unmarshal(*raw, &answer); err != nil {
		return nil, classify("search", fmt.Errorf("invalid response: %w", err))
	}
	ids := make([]uuid.UUID, len(answer.Hits))
	for i, h := range answer.Hits {
		ids[i] = h.ID
	}
	return ids, nil
}

// filter returns the query's filters in Meilisearch's syntax.
func (q Query) filter() string {
	var conditions []string
	for _, c := range [][2]string{{"domaine", q.Domain}, {"doc_type", string(q.Type)}, {"statut", string(q.Status)}} {
		if c[1] != "" {
			conditions = append(conditions, c[0]+" = "+quote(c[1]))
		}
	}
	return strings.Join(conditions, " AND ")
}

// quote returns value as a literal of a filter. It escapes quotation marks, which would
// otherwise end the literal, so that the rest of the value could widen the filter.
func quote(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
}

// Count returns the number of indexed titles. NotFound if there is no index.
func (x *Index) Count(ctx context.Context) (int64, error) {
	var result meilisearch.DocumentsResult
	err := x.server.Index(uid).GetDocumentsWithContext(ctx, &meilisearch.DocumentsQuery{Limit: 1, Fields: []string{"id"}}, &result)
	return result.Total, classify("count", err)
}

// Denied reports whether the server rejected the key, or rejected a request that the key
// does not allow.
func Denied(err error) bool {
	var answered *meilisearch.Error
	return errors.As(err, &answered) && (answered.StatusCode == http.StatusForbidden || answered.StatusCode == http.StatusUnauthorized)
}

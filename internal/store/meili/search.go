package meili

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/meilisearch/meilisearch-go"

	"vigueur/internal/law"
)

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

package meili

import (
	"context"
	"errors"
	"net/http"

	"github.com/meilisearch/meilisearch-go"
)

// Version returns the server's version. If the key must not read it, Denied reports true
// for the error.
func (x *Index) Version(ctx context.Context) (string, error) {
	v, err := x.server.VersionWithContext(ctx)
	if err != nil {
		return "", classify("version", err)
	}
	return v.PkgVersion, nil
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

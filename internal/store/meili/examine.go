package meili

import (
	"context"
	"errors"
	"net/http"

	"github.com/meilisearch/meilisearch-go"
)

// Version is the server's version. The key may not be allowed to read it: Denied.
func (x *Index) Version(ctx context.Context) (string, error) {
	v, err := x.server.VersionWithContext(ctx)
	if err != nil {
		return "", classify("version", err)
	}
	return v.PkgVersion, nil
}

// Count is the number of indexed titles. NotFound: there is no index.
func (x *Index) Count(ctx context.Context) (int64, error) {
	var result meilisearch.DocumentsResult
	err := x.server.Index(uid).GetDocumentsWithContext(ctx, &meilisearch.DocumentsQuery{Limit: 1, Fields: []string{"id"}}, &result)
	return result.Total, classify("count", err)
}

// Denied reports whether the server refused the key, or what it may do.
func Denied(err error) bool {
	var answered *meilisearch.Error
	return errors.As(err, &answered) && (answered.StatusCode == http.StatusForbidden || answered.StatusCode == http.StatusUnauthorized)
}

// Package bucket is an S3 server for tests, which keeps its objects in memory.
package bucket

import (
	"net/http"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// New makes the handler of a server that has one empty bucket of a name. It checks the
// sums that clients send, and no signatures.
func New(name string) (http.Handler, error) {
	backend := s3mem.New()
	if err := backend.CreateBucket(name); err != nil {
		return nil, err
	}
	return gofakes3.New(backend, gofakes3.WithIntegrityCheck(true)).Server(), nil
}

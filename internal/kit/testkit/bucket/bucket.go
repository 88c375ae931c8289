// Package bucket provides an S3 server for tests, which keeps its objects in memory.
package bucket

import (
	"net/http"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// New returns the handler of a server with one empty bucket. It checks the checksums that
// clients send, but not their signatures.
func New(name string) (http.Handler, error) {
	backend := s3mem.New()
	if err := backend.CreateBucket(name); err != nil {
		return nil, err
	}
	return gofakes3.New(backend, gofakes3.WithIntegrityCheck(true)).Server(), nil
}

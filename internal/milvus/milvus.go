// Package milvus keeps the passages of the catalogue in a Milvus, for one that is
// too large for the memory of each worker, and finds there what the index in
// memory would find.
//
// A row is a vector of meaning; the first row of a passage also has its words, as
// a sparse vector, and its counts. A search asks by words and by meaning, both
// narrowed by the same filters, and gives what both found to a register
// (flat.Options) that the worker has of the catalogue: it scores them with the
// counts and the cosines as flat scores its own. So the ranks are flat's, and
// what Milvus decides is only which passages are looked at.
//
// A collection is made once, for one generation of vectors and one average length
// of passages, which stand in its description; the alias names the one that is
// searched and swaps when another is complete. What stands in a filter goes
// through one quoting helper.
//
// The connection is made when it is first needed, within Patience, and a Milvus
// that could not be reached is left alone for a while. Errors of a Milvus that is
// down, slow, emptied or of another form are of kind errs.Unavailable; ErrLost
// tells those that pass only when the collection is made anew. Everything here
// can be made from PostgreSQL, which holds the truth.
package milvus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/milvus-io/milvus-sdk-go/v2/client"
	"google.golang.org/grpc"
	"google.golang.org/grpc/keepalive"

	"vigueur/internal/errs"
)

// rest is how long a Milvus is left alone that could not be reached.
const rest = 5 * time.Second

// alive is how a connection is held. A server of gRPC that was told nothing else
// takes a ping more than once in five minutes, or while nothing is asked, for an
// attack, cuts the connection, and gRPC says so in our log (« too_many_pings »);
// the client of Milvus pings every ten seconds. A peer that is gone needs no ping:
// what was sent and is not acknowledged within Timeout ends the connection.
var alive = keepalive.ClientParameters{Time: 6 * time.Minute, Timeout: 10 * time.Second}

// DefaultAlias names the collection that is searched.
const DefaultAlias = "vigueur"

// ErrLost says that there is no collection to be searched: it was never made, it
// was dropped or emptied, or it has another form.
var ErrLost = errors.New("milvus: the collection is lost")

// ErrSlow says that a search passed the patience.
var ErrSlow = errors.New("milvus: it did not answer in time")

// Store is a Milvus. Its fields are set once; it may be used by many goroutines.
type Store struct {
	Address  string        // http://host:port or https://host:port, with the name of a database behind it; without a port: 19530, by https 443
	Key      string        // API key, or user:password; "": none
	Patience time.Duration // the longest wait for a search or a connection; 0: two seconds
	Alias    string        // "": DefaultAlias

	mu     sync.Mutex
	client client.Client
	failed time.Time
}

func (s *Store) alias() string { return cmp.Or(s.Alias, DefaultAlias) }

func (s *Store) patience() time.Duration { return cmp.Or(s.Patience, 2*time.Second) }

// connect gives the connection, made now if there is none.
func (s *Store) connect(ctx context.Context) (client.Client, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client != nil {
		return s.client, nil
	}
	if !s.failed.IsZero() && time.Since(s.failed) < rest {
		return nil, unavailable("connect", errors.New("it could not be reached a moment ago"))
	}
	ctx, cancel := context.WithTimeout(ctx, s.patience())
	defer cancel()
	options := append(slices.Clone(client.DefaultGrpcOpts), grpc.WithKeepaliveParams(alive))
	c, err := client.NewClient(ctx, client.Config{Address: withPort(s.Address), APIKey: s.Key, DialOptions: options})
	if err != nil {
		s.failed = time.Now()
		return nil, unavailable("connect", err)
	}
	s.client = c
	return c, nil
}

// withPort adds Milvus's own port to an address that has none.
func withPort(address string) string {
	u, err := url.Parse(address)
	if err == nil && u.Scheme == "http" && u.Host != "" && u.Port() == "" {
		u.Host += ":19530"
		return u.String()
	}
	return address
}

// Close ends the connection; it may be called in any state.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client == nil {
		return nil
	}
	err := s.client.Close()
	s.client = nil
	return err
}

// Ping tells whether there is a collection that can be searched.
func (s *Store) Ping(ctx context.Context) error {
	_, err := s.Searched(ctx)
	return err
}

// down is what a stranger reads when passages cannot be searched.
const down = "La recherche est momentanément indisponible. Réessayez dans quelques instants."

func unavailable(what string, err error) error {
	return errs.Wrap(errs.Unavailable, down, fmt.Errorf("milvus: %s: %w", what, err))
}

func lost(why string) error {
	return errs.Wrap(errs.Unavailable, down, fmt.Errorf("%w: %s", ErrLost, why))
}

// Package milvus keeps the passages of a catalogue that is too large for each worker's
// memory in Milvus, and finds there what the in-memory index would find.
//
// A row is a dense vector of meaning; the first row of a passage also has its words, as a
// sparse vector, and its counts. A search queries by words and by meaning with the same
// filters, and passes both results to a register of the catalogue that the worker has
// (memindex.Options). It scores them with the counts and the cosines in the same way as the
// in-memory index. So the ranking is that of package memindex, and Milvus only selects the
// passages to be ranked.
//
// A collection is created for one generation of vectors and one average length of passages,
// which are stored in it; an alias names the collection that is searched, and is switched
// when a new collection is complete. Values in filters are escaped by one function.
//
// The connection is opened on first use, within Patience, and a Milvus that could not be
// reached is not tried again for a while. Errors of a Milvus that is down, slow, emptied or
// of another form have the kind errs.Unavailable; ErrLost marks errors that only a rebuild
// of the collection fixes. All data can be rebuilt from PostgreSQL, which holds the truth.
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

	"vigueur/internal/kit/errs"
)

// rest is the delay before an unreachable Milvus is tried again.
const rest = 5 * time.Second

// alive configures keepalive pings. A gRPC server with default settings treats more than
// one ping in five minutes, or pings without requests, as an attack and closes the
// connection, which gRPC logs (« too_many_pings »); Milvus's client pings every ten seconds
// by default. A dead peer is detected without pings: data that is not acknowledged within
// Timeout ends the connection.
var alive = keepalive.ClientParameters{Time: 6 * time.Minute, Timeout: 10 * time.Second}

// DefaultAlias is the default name of the searched collection.
const DefaultAlias = "vigueur"

// ErrLost means that there is no collection to search: it was never created, was dropped or
// emptied, or has another form.
var ErrLost = errors.New("milvus: the collection is lost")

// ErrSlow means that a search exceeded Patience.
var ErrSlow = errors.New("milvus: no answer in time")

// Store is a Milvus server. Its fields are set once; it is safe for use by many goroutines.
type Store struct {
	Address  string        // http://host:port or https://host:port, optionally followed by /database; default port 19530, with https 443
	Key      string        // API key, or user:password; "": none
	Patience time.Duration // timeout of a search or a connection; 0: two seconds
	Alias    string        // "": DefaultAlias

	mu     sync.Mutex
	client client.Client
	failed time.Time
}

func (s *Store) alias() string { return cmp.Or(s.Alias, DefaultAlias) }

func (s *Store) patience() time.Duration { return cmp.Or(s.Patience, 2*time.Second) }

// connect returns the connection, and opens it if there is none.
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

// withPort adds Milvus's default port to an address without one.
func withPort(address string) string {
	u, err := url.Parse(address)
	if err == nil && u.Scheme == "http" && u.Host != "" && u.Port() == "" {
		u.Host += ":19530"
		return u.String()
	}
	return address
}

// Close closes the connection; it may be called in any state.
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

// Ping checks that there is a collection to search.
func (s *Store) Ping(ctx context.Context) error {
	_, err := s.Searched(ctx)
	return err
}

// down is the public message if passages cannot be searched.
const down = "La recherche est momentanément indisponible. Réessayez dans quelques instants."

func unavailable(what string, err error) error {
	return errs.Wrap(errs.Unavailable, down, fmt.Errorf("milvus: %s: %w", what, err))
}

func lost(why string) error {
	return errs.Wrap(errs.Unavailable, down, fmt.Errorf("%w: %s", ErrLost, why))
}

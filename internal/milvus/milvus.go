// Package milvus keeps the vectors of passages in a Milvus, for installations
// whose vectors are too many for the memory of each worker, and finds the nearest
// of a query there.
//
// A generation of vectors is a collection of its own; the alias « vigueur » names
// the one that is searched, and swaps when another is complete. A row is one
// vector with what narrows a search, so that a narrow search finds as much as a
// wide one; a passage is as near as its nearest vector. What stands in a filter
// goes through one quoting helper.
//
// The connection is made when it is first needed, within Patience, and a Milvus
// that did not answer is left alone for a while: whoever searches goes by words
// meanwhile. Errors of a Milvus that is down, slow, emptied or of another schema
// are of kind errs.Unavailable. Everything here can be made anew from
// PostgreSQL, which holds the truth.
package milvus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/milvus-io/milvus-sdk-go/v2/client"
	"github.com/milvus-io/milvus-sdk-go/v2/entity"

	"vigueur/internal/errs"
)

// rest is how long a Milvus is left alone that could not be reached.
const rest = 5 * time.Second

// DefaultAlias names the collection that is searched.
const DefaultAlias = "vigueur"

// Store is a Milvus. Its fields are set once; it may be used by many goroutines.
type Store struct {
	Address  string        // host:port, or https://host:port
	Key      string        // API key, or user:password; "": none
	Patience time.Duration // the longest wait for a search or a connection; 0: two seconds
	Alias    string        // "": DefaultAlias

	mu     sync.Mutex
	client client.Client
	failed time.Time
}

func (s *Store) alias() string { return cmp.Or(s.Alias, DefaultAlias) }

func (s *Store) patience() time.Duration { return cmp.Or(s.Patience, 2*time.Second) }

// collection is the name of a generation's.
func (s *Store) collection(generation uuid.UUID) string {
	return s.alias() + "_" + strings.ReplaceAll(generation.String(), "-", "")
}

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
	c, err := client.NewClient(ctx, client.Config{Address: s.Address, APIKey: s.Key})
	if err != nil {
		s.failed = time.Now()
		return nil, unavailable("connect", err)
	}
	s.client = c
	return c, nil
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

func unavailable(what string, err error) error {
	return errs.Wrap(errs.Unavailable, "", fmt.Errorf("milvus: %s: %w", what, err))
}

// The fields of a collection.
const (
	fieldID       = "id"
	fieldPassage  = "passage"
	fieldDocument = "document"
	fieldDomain   = "domain"
	fieldType     = "type"
	fieldStatus   = "status"
	fieldFrom     = "valid_from"
	fieldTo       = "valid_to"
	fieldVector   = "vector"
)

func schema(name string, dimensions int) *entity.Schema {
	text := func(name string, length int64) *entity.Field {
		return entity.NewField().WithName(name).WithDataType(entity.FieldTypeVarChar).WithMaxLength(length)
	}
	return entity.NewSchema().WithName(name).WithDescription("vigueur: vectors of passages").
		WithField(text(fieldID, 64).WithIsPrimaryKey(true)).
		WithField(text(fieldPassage, 36)).WithField(text(fieldDocument, 36)).
		WithField(text(fieldDomain, 64)).WithField(text(fieldType, 32)).WithField(text(fieldStatus, 32)).
		WithField(entity.NewField().WithName(fieldFrom).WithDataType(entity.FieldTypeInt64)).
		WithField(entity.NewField().WithName(fieldTo).WithDataType(entity.FieldTypeInt64)).
		WithField(entity.NewField().WithName(fieldVector).WithDataType(entity.FieldTypeFloatVector).WithDim(int64(dimensions)))
}

// Begin makes the collection of a generation, empty, unless it is there.
func (s *Store) Begin(ctx context.Context, generation uuid.UUID, dimensions int) error {
	c, err := s.connect(ctx)
	if err != nil {
		return err
	}
	name := s.collection(generation)
	there, err := c.HasCollection(ctx, name)
	if err != nil {
		return unavailable("look for "+name, err)
	}
	if !there {
		if err := c.CreateCollection(ctx, schema(name, dimensions), 1); err != nil {
			return unavailable("create "+name, err)
		}
		index, err := entity.NewIndexHNSW(entity.IP, links, width)
		if err != nil {
			return err
		}
		if err := c.CreateIndex(ctx, name, fieldVector, index, false); err != nil {
			return unavailable("index "+name, err)
		}
	}
	if err := c.LoadCollection(ctx, name, false); err != nil {
		return unavailable("load "+name, err)
	}
	return nil
}

// How dense the graph is by which the nearest are found, and how wide it was
// searched when it was made.
const (
	links = 32
	width = 256
)

// Publish makes a generation the one that is searched and drops the others.
func (s *Store) Publish(ctx context.Context, generation uuid.UUID) error {
	c, err := s.connect(ctx)
	if err != nil {
		return err
	}
	name := s.collection(generation)
	// Some servers list no collections: the one that was searched is known by the alias.
	var old []string
	if searched, err := c.DescribeCollection(ctx, s.alias()); err == nil {
		old = append(old, searched.Name)
	}
	if err := c.AlterAlias(ctx, name, s.alias()); err != nil {
		if err := c.CreateAlias(ctx, name, s.alias()); err != nil {
			return unavailable("name "+name, err)
		}
	}
	all, err := c.ListCollections(ctx)
	if err != nil {
		return unavailable("list", err)
	}
	for _, other := range all {
		old = append(old, other.Name)
	}
	slices.Sort(old)
	for _, other := range slices.Compact(old) {
		if other != name && strings.HasPrefix(other, s.alias()+"_") {
			if err := c.DropCollection(ctx, other); err != nil {
				return unavailable("drop "+other, err)
			}
		}
	}
	return nil
}

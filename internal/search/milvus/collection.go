package milvus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/milvus-io/milvus-sdk-go/v2/client"
	"github.com/milvus-io/milvus-sdk-go/v2/entity"

	"vigueur/internal/law/fulltext"
)

// form is the version of a collection: the version of its schema times a thousand, plus
// that of the analysis of words. A collection of another version is rebuilt.
const form = 3000 + fulltext.Analysis

// Collection describes a collection: its name, and the vectors and the average length for
// which its rows were made.
type Collection struct {
	Name       string    `json:"-"`
	Form       int       `json:"vigueur"`
	Generation uuid.UUID `json:"generation"` // of its vectors; uuid.Nil: without vectors
	Dimensions int       `json:"dimensions"`
	Average    float64   `json:"average"` // average length of a passage when it was created
}

// The fields of a collection.
const (
	fieldID        = "id"
	fieldPassage   = "passage"
	fieldDocument  = "document"
	fieldDomain    = "domain"
	fieldType      = "type"
	fieldStatus    = "status"
	fieldCountries = "countries" // codes of the countries whose law it is, each between commas; "": unknown
	fieldFrom      = "valid_from"
	fieldTo        = "valid_to"
	fieldVersion   = "version" // version of the catalogue from which the row was made
	fieldPlace     = "place"   // index of the vector in its passage, or one of the place constants
	fieldCounts    = "counts"
	fieldWords     = "words"
	fieldVector    = "vector"
)

// Values of fieldPlace in a row without a vector.
const (
	placeLacking = -1 // the passage is not embedded yet
	placeNone    = -2 // the passage will never have one
	placeMark    = -3 // not a passage, but the mark that every collection has
)

// mark is the id of the row that every collection has; its counts contain the collection's
// parameters, because not every server stores a description.
const mark = "mark"

// Parameters of the HNSW graph: its degree, and the search width when it is built.
const (
	links = 32
	width = 256
)

func (c Collection) schema() *entity.Schema {
	text := func(name string, length int64) *entity.Field {
		return entity.NewField().WithName(name).WithDataType(entity.FieldTypeVarChar).WithMaxLength(length)
	}
	number := func(name string) *entity.Field {
		return entity.NewField().WithName(name).WithDataType(entity.FieldTypeInt64)
	}
	s := entity.NewSchema().WithName(c.Name).WithDescription("vigueur: passages").
		WithField(text(fieldID, 64).WithIsPrimaryKey(true)).
		WithField(text(fieldPassage, 36)).WithField(text(fieldDocument, 36)).
		WithField(text(fieldDomain, 256)).WithField(text(fieldType, 64)).WithField(text(fieldStatus, 64)).WithField(text(fieldCountries, 8192)).
		WithField(number(fieldFrom)).WithField(number(fieldTo)).WithField(number(fieldVersion)).WithField(number(fieldPlace)).
		WithField(text(fieldCounts, 65_535)).
		WithField(entity.NewField().WithName(fieldWords).WithDataType(entity.FieldTypeSparseVector))
	if c.Dimensions > 0 {
		s.WithField(entity.NewField().WithName(fieldVector).WithDataType(entity.FieldTypeFloatVector).WithDim(int64(c.Dimensions)))
	}
	return s
}

// Begin creates an empty collection with the given parameters, beside the collection that
// is searched.
func (s *Store) Begin(ctx context.Context, asked Collection) (Collection, error) {
	asked.Name, asked.Form = s.alias()+"_"+strings.ReplaceAll(uuid.NewString(), "-", ""), form
	c, err := s.connect(ctx)
	if err != nil {
		return asked, err
	}
	if err := c.CreateCollection(ctx, asked.schema(), 1); err != nil {
		return asked, unavailable("create "+asked.Name, err)
	}
	if err := asked.index(ctx, c); err != nil {
		return asked, unavailable("index "+asked.Name, err)
	}
	if err := c.LoadCollection(ctx, asked.Name, false); err != nil {
		return asked, unavailable("load "+asked.Name, err)
	}
	return asked, asked.leaveMark(ctx, c)
}

func (c Collection) index(ctx context.Context, to client.Client) error {
	words, err := entity.NewIndexSparseInverted(entity.IP, 0)
	if err != nil {
		return err
	}
	if err := to.CreateIndex(ctx, c.Name, fieldWords, words, false); err != nil || c.Dimensions == 0 {
		return err
	}
	vectors, err := entity.NewIndexHNSW(entity.IP, links, width)
	if err != nil {
		return err
	}
	return to.CreateIndex(ctx, c.Name, fieldVector, vectors, false)
}

// Publish makes a collection the searched one and drops the previous ones.
func (s *Store) Publish(ctx context.Context, made Collection) error {
	c, err := s.connect(ctx)
	if err != nil {
		return err
	}
	// Searches may see rows a little later than they were written; the mark, and so the
	// rows before it, must be visible from the first search on.
	rows, err := queryMark(ctx, c, made.Name, client.WithSearchQueryConsistencyLevel(entity.ClStrong))
	if err != nil {
		return unavailable("look for the mark", err)
	}
	if column := rows.GetColumn(fieldID); column == nil || column.Len() == 0 {
		return lost("its mark is gone")
	}
	// Some servers cannot list collections; then the previous one is known from the alias.
	var old []string
	if searched, err := c.DescribeCollection(ctx, s.alias()); err == nil {
		old = append(old, searched.Name)
	}
	if err := c.AlterAlias(ctx, made.Name, s.alias()); err != nil {
		if err := c.CreateAlias(ctx, made.Name, s.alias()); err != nil {
			return unavailable("name "+made.Name, err)
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
		if other != made.Name && s.ours(other) {
			if err := c.DropCollection(ctx, other); err != nil {
				return unavailable("drop "+other, err)
			}
		}
	}
	return nil
}

// begun is the suffix that Begin adds to the alias.
var begun = regexp.MustCompile(`^_[0-9a-f]{32}$`)

// ours reports whether Begin created a collection for this very alias.
func (s *Store) ours(name string) bool {
	rest, ok := strings.CutPrefix(name, s.alias())
	return ok && begun.MatchString(rest)
}

// Passages returns the number of passages in the searched collection.
func (s *Store) Passages(ctx context.Context) (int, error) {
	in, err := s.Searched(ctx)
	if err != nil {
		return 0, err
	}
	c, err := s.connect(ctx)
	if err != nil {
		return 0, err
	}
	const all = "count(*)"
	rows, err := c.Query(ctx, in.Name, nil, firsts, []string{all}, client.WithSearchQueryConsistencyLevel(entity.ClStrong))
	if err != nil {
		return 0, unavailable("count", err)
	}
	column := rows.GetColumn(all)
	if column == nil || column.Len() != 1 {
		return 0, unavailable("count", errors.New("no count"))
	}
	n, err := column.GetAsInt64(0)
	if err != nil {
		return 0, unavailable("count", err)
	}
	return int(n), nil
}

// Drop drops a collection.
func (s *Store) Drop(ctx context.Context, c Collection) error {
	to, err := s.connect(ctx)
	if err != nil {
		return err
	}
	if err := to.DropCollection(ctx, c.Name); err != nil {
		return unavailable("drop "+c.Name, err)
	}
	return nil
}

// Searched returns the collection that the alias names. ErrLost: there is no such
// collection, or it has another form.
func (s *Store) Searched(ctx context.Context) (Collection, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience())
	defer cancel()
	c, err := s.connect(ctx)
	if err != nil {
		return Collection{}, err
	}
	there, err := c.DescribeCollection(ctx, s.alias())
	if err != nil {
		if has, failed := c.HasCollection(ctx, s.alias()); failed == nil && !has {
			return Collection{}, lost("there is no collection with the name " + s.alias())
		}
		return Collection{}, unavailable("describe "+s.alias(), err)
	}
	if there.Schema.PKFieldName() != fieldID {
		return Collection{}, lost(there.Name + " was not created by this service")
	}
	rows, err := queryMark(ctx, c, there.Name, bounded)
	if err != nil { // after a restart some servers have not loaded the collection
		if err := c.LoadCollection(ctx, there.Name, false); err != nil {
			return Collection{}, unavailable("load "+there.Name, err)
		}
		rows, err = queryMark(ctx, c, there.Name, bounded)
	}
	if err != nil {
		return Collection{}, unavailable("read the mark of "+there.Name, err)
	}
	return parse(there, columnsOf(rows))
}

// queryMark reads the mark of a collection.
func queryMark(ctx context.Context, c client.Client, name string, fresh client.SearchQueryOptionFunc) (client.ResultSet, error) {
	return c.Query(ctx, name, nil, in(fieldID, []string{mark}), []string{fieldID, fieldCounts}, client.WithLimit(1), fresh)
}

// parse parses the mark of a collection, and compares it with the fields.
func parse(there *entity.Collection, mark columnsOf) (Collection, error) {
	var c Collection
	says, err := mark.texts(fieldCounts, 1)
	if err != nil {
		return c, lost(there.Name + " has no mark")
	}
	if err := json.Unmarshal([]byte(says[0]), &c); err != nil || c.Form != form {
		return c, lost(there.Name + " has another form")
	}
	c.Name = there.Name
	for _, f := range c.schema().Fields {
		if !slices.ContainsFunc(there.Schema.Fields, func(has *entity.Field) bool {
			return has.Name == f.Name && has.DataType == f.DataType && has.TypeParams[entity.TypeParamDim] == f.TypeParams[entity.TypeParamDim]
		}) {
			return c, lost(fmt.Sprintf("%s has another %s", there.Name, f.Name))
		}
	}
	return c, nil
}

// Lost reports whether only a rebuild of the collection can fix an error.
func Lost(err error) bool { return errors.Is(err, ErrLost) }

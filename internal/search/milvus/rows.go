package milvus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/milvus-io/milvus-sdk-go/v2/client"
	"github.com/milvus-io/milvus-sdk-go/v2/entity"

	"vigueur/internal/law/fulltext"
	"vigueur/internal/search/memindex"
	"vigueur/internal/store/postgres"
)

// Row is a passage as stored.
type Row struct {
	postgres.IndexRow
	memindex.Weighed
	Vectors [][]float32
	Lacking bool // its vectors are still missing
}

// Rows returns the rows of passages, which must be grouped by text. vectors holds the
// vectors of the collection's generation by passage; a passage that is not in it lacks its
// vectors.
func (c Collection) Rows(indexRows []postgres.IndexRow, vectors map[uuid.UUID][][]float32) []Row {
	out := make([]Row, len(indexRows))
	for i, w := range memindex.Weigh(indexRows, c.Average) {
		v, there := vectors[w.PassageID]
		if c.Dimensions == 0 {
			v = nil
		}
		out[i] = Row{IndexRow: indexRows[i], Weighed: w, Vectors: v, Lacking: !there && c.Dimensions > 0}
	}
	return out
}

// Limits of one write.
const (
	writeRows = 500
	writeTime = 30 * time.Second
)

// Replace replaces the rows of the given texts that were made from an earlier version of
// the catalogue by rows; a text without rows is deleted. It is idempotent. New rows are
// written before old ones are deleted, so that a text can always be found; ids are derived
// from the passages, so that concurrent writes of the same text store it once.
func (s *Store) Replace(ctx context.Context, collection Collection, version int64, documents []uuid.UUID, rows []Row) error {
	c, err := s.connect(ctx)
	if err != nil {
		return err
	}
	var part columns
	for _, r := range rows {
		for i := range max(1, len(r.Vectors)) {
			part.add(r, i, version, collection.Dimensions)
			if len(part.ids) == writeRows {
				if err := part.write(ctx, c, collection.Name); err != nil {
					return err
				}
				part = columns{}
			}
		}
	}
	if err := part.write(ctx, c, collection.Name); err != nil || len(documents) == 0 {
		return err
	}
	if err := within(ctx, func(ctx context.Context) error { return c.Delete(ctx, collection.Name, "", before(documents, version)) }); err != nil {
		return unavailable("delete", err)
	}
	return nil
}

func within(ctx context.Context, write func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	return write(ctx)
}

// columns are rows in Milvus's column format.
type columns struct {
	ids, passages, documents, domains, types, statuses, countries, counts []string
	from, to, versions, places                                            []int64
	words                                                                 []entity.SparseEmbedding
	vectors                                                               [][]float32
}

// rowID returns the id of row i of a passage.
func rowID(passage uuid.UUID, i int) string { return fmt.Sprintf("%s:%d", passage, i) }

// nowhere is a coordinate that no term has: it is used for a row without words, because
// Milvus rejects empty sparse vectors.
const nowhere = 0

// add appends row i of a passage.
func (c *columns) add(r Row, i int, version int64, dimensions int) {
	end, place, counts, words := int64(math.MaxInt32), int64(i), "", memindex.Sparse{}
	if r.To != nil {
		end = days(*r.To)
	}
	if i == 0 {
		counts, words = r.Counts, r.Words
	}
	vector := make([]float32, dimensions)
	switch {
	case r.Lacking:
		place = placeLacking
	case len(r.Vectors) == 0:
		place = placeNone
	default:
		vector = r.Vectors[i]
	}
	c.ids, c.counts = append(c.ids, rowID(r.Passage.ID, i)), append(c.counts, counts)
	c.passages, c.documents = append(c.passages, r.Passage.ID.String()), append(c.documents, r.Passage.DocumentID.String())
	c.domains, c.types, c.statuses = append(c.domains, r.Domain), append(c.types, string(r.Type)), append(c.statuses, string(r.Status))
	c.countries = append(c.countries, countries(r.Weighed.Countries))
	c.from, c.to = append(c.from, days(r.From)), append(c.to, end)
	c.versions, c.places = append(c.versions, version), append(c.places, place)
	c.words, c.vectors = append(c.words, embedding(words)), append(c.vectors, vector)
}

func embedding(s memindex.Sparse) entity.SparseEmbedding {
	if len(s.Terms) == 0 {
		s = memindex.Sparse{Terms: []uint32{nowhere}, Values: []float32{1}}
	}
	e, err := entity.NewSliceSparseEmbedding(s.Terms, s.Values)
	if err != nil {
		panic(err) // equally many terms and values, by construction
	}
	return e
}

func (c *columns) write(ctx context.Context, to client.Client, name string) error {
	if len(c.ids) == 0 {
		return nil
	}
	all := []entity.Column{
		entity.NewColumnVarChar(fieldID, c.ids), entity.NewColumnVarChar(fieldPassage, c.passages),
		entity.NewColumnVarChar(fieldDocument, c.documents), entity.NewColumnVarChar(fieldDomain, c.domains),
		entity.NewColumnVarChar(fieldType, c.types), entity.NewColumnVarChar(fieldStatus, c.statuses), entity.NewColumnVarChar(fieldCountries, c.countries),
		entity.NewColumnInt64(fieldFrom, c.from), entity.NewColumnInt64(fieldTo, c.to),
		entity.NewColumnInt64(fieldVersion, c.versions), entity.NewColumnInt64(fieldPlace, c.places),
		entity.NewColumnVarChar(fieldCounts, c.counts), entity.NewColumnSparseVectors(fieldWords, c.words),
	}
	if n := len(c.vectors[0]); n > 0 {
		all = append(all, entity.NewColumnFloatVector(fieldVector, n, c.vectors))
	}
	err := within(ctx, func(ctx context.Context) error {
		_, err := to.Upsert(ctx, name, "", all...)
		return err
	})
	if err != nil {
		return unavailable("write", err)
	}
	return nil
}

// leaveMark writes the mark, which distinguishes an emptied collection from one of an empty
// catalogue, and contains the collection's parameters.
func (c Collection) leaveMark(ctx context.Context, to client.Client) error {
	var one columns
	one.mark(c)
	return one.write(ctx, to, c.Name)
}

func (c *columns) mark(collection Collection) {
	says, err := json.Marshal(collection)
	if err != nil {
		panic(err) // only numbers and strings
	}
	*c = columns{ids: []string{mark}, passages: []string{""}, documents: []string{""}, domains: []string{""}, types: []string{""},
		statuses: []string{""}, countries: []string{""}, counts: []string{string(says)}, from: []int64{math.MaxInt32}, to: []int64{0}, versions: []int64{math.MaxInt64},
		places: []int64{placeMark}, words: []entity.SparseEmbedding{embedding(memindex.Sparse{})}, vectors: [][]float32{make([]float32, collection.Dimensions)}}
}

// form is the version of a collection: the version of its schema times a thousand, plus
// that of the analysis of words. A collection of another version is rebuilt.
const form = 4000 + fulltext.Analysis

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
	collection, err := s.Searched(ctx)
	if err != nil {
		return 0, err
	}
	c, err := s.connect(ctx)
	if err != nil {
		return 0, err
	}
	const all = "count(*)"
	rows, err := c.Query(ctx, collection.Name, nil, firsts, []string{all}, client.WithSearchQueryConsistencyLevel(entity.ClStrong))
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
	client, err := s.connect(ctx)
	if err != nil {
		return err
	}
	if err := client.DropCollection(ctx, c.Name); err != nil {
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

package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Unembedded is a passage that lacks its vectors.
type Unembedded struct {
	ID         uuid.UUID
	DocumentID uuid.UUID
	Position   int
	Title      string   // title of its text
	Path       []string // headings above the article, outermost first
	Heading    string   // heading of its article
	Text       string
}

// Unembedded returns passages of the catalogue that lack vectors of the given generation,
// ordered by text and position: at most limit passages, all of them behind the passage
// given as the parameter after.
func (db *DB) Unembedded(ctx context.Context, generation uuid.UUID, after Unembedded, limit int) ([]Unembedded, error) {
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[Unembedded], `SELECT p.id, p.document_id, p.position, d.title, a.path, a.heading, p.body
		FROM passages p JOIN articles a ON a.id = p.article_id JOIN documents d ON d.id = p.document_id
		WHERE NOT d.in_review AND NOT p.quoted AND (p.document_id, p.position) > ($2, $3)
			AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.passage_id = p.id AND v.generation_id = $1)
		ORDER BY p.document_id, p.position LIMIT $4`, generation, after.DocumentID, after.Position, limit)
	return list, classify("unembedded", err)
}

// PassageVectors holds the packed vectors of one passage.
type PassageVectors struct {
	PassageID uuid.UUID
	Packed    []byte
}

// PassageVectors returns the vectors of the given passages. Passages without vectors of the
// generation are absent.
func (db *DB) PassageVectors(ctx context.Context, generation uuid.UUID, passages []uuid.UUID) ([]PassageVectors, error) {
	list, err := collect(ctx, db.pool, pgx.RowToStructByPos[PassageVectors], `SELECT passage_id, packed FROM vectors WHERE passage_id = ANY ($2) AND generation_id = $1`, generation, passages)
	return list, classify("vectors of passages", err)
}

// SaveVectors stores the vectors that an attempt made, and skips passages that were deleted
// in the meantime. If the generation is the current one, the catalogue's followers are
// notified of the texts whose passages now all have vectors.
func (db *DB) SaveVectors(ctx context.Context, generation uuid.UUID, attempt int, vectors []PassageVectors) error {
	ids, packed := make([]uuid.UUID, len(vectors)), make([][]byte, len(vectors))
	for i, v := range vectors {
		ids[i], packed[i] = v.PassageID, v.Packed
	}
	return db.inTx(ctx, "save vectors", func(tx pgx.Tx) error {
		role, err := enterEmbedding(ctx, tx, generation, attempt)
		if err != nil {
			return err
		}
		// The lock keeps each passage until its vectors are stored.
		_, err = tx.Exec(ctx, `INSERT INTO vectors (passage_id, generation_id, packed)
			SELECT p.id, $1, n.packed FROM unnest($2::uuid[], $3::bytea[]) n (id, packed) JOIN passages p ON p.id = n.id FOR KEY SHARE OF p
			ON CONFLICT DO NOTHING`, generation, ids, packed)
		if err != nil {
			return err
		}
		if role == "current" {
			if err := announceComplete(ctx, tx, generation, ids); err != nil {
				return err
			}
		}
		return fence(ctx, tx, "generations", generation, attempt)
	})
}

// announceComplete announces the texts of the given passages that have no passage left
// without vectors.
func announceComplete(ctx context.Context, tx pgx.Tx, generation uuid.UUID, passages []uuid.UUID) error {
	return announceEach(ctx, tx, `SELECT DISTINCT t.document_id FROM passages t WHERE t.id = ANY($2) AND NOT EXISTS (
		SELECT 1 FROM passages p WHERE p.document_id = t.document_id AND NOT p.quoted
			AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.passage_id = p.id AND v.generation_id = $1))`, generation, passages)
}

// VectorRow holds the vectors of a passage and the ids that it belongs to.
type VectorRow struct {
	Generation uuid.UUID
	DocumentID uuid.UUID
	PassageID  uuid.UUID
	Packed     []byte
}

// VectorRows reads the vectors of the current generation for the given texts, or for all
// texts if documents is nil, and calls yield for each row, ordered by text and position. It
// stops at the first error of yield.
func (db *DB) VectorRows(ctx context.Context, documents []uuid.UUID, yield func(VectorRow) error) error {
	rows, err := db.pool.Query(ctx, `SELECT v.generation_id, p.document_id, p.id, v.packed
		FROM vectors v JOIN generations g ON g.id = v.generation_id AND g.role = 'current'
		JOIN passages p ON p.id = v.passage_id JOIN documents d ON d.id = p.document_id
		WHERE NOT d.in_review AND NOT p.quoted AND ($1::uuid[] IS NULL OR d.id = ANY($1)) ORDER BY p.document_id, p.position`, documents)
	if err != nil {
		return classify("vector rows", err)
	}
	var r VectorRow
	_, err = pgx.ForEachRow(rows, []any{&r.Generation, &r.DocumentID, &r.PassageID, &r.Packed}, func() error {
		err := yield(r)
		r = VectorRow{} // a new value, because pgx fills slices in place
		return err
	})
	return classify("vector rows", err)
}

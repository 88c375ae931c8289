-- +goose Up

-- A text whose place a better edition has taken is out of the catalogue like one
-- in review; superseded_by says so, and by which. Its id goes on opening it.
ALTER TABLE documents
    ADD COLUMN superseded_by uuid REFERENCES documents ON DELETE SET NULL,
    -- A person has said that no other text is an edition of this one.
    ADD COLUMN edition_kept boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT documents_superseded_out CHECK (superseded_by IS NULL OR in_review);
CREATE INDEX documents_superseded_by ON documents (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX documents_waiting ON documents (ingestion_id) WHERE in_review AND superseded_by IS NULL;

ALTER TABLE relations
    -- What adds to a wording (« est complété par un alinéa ») does not end it.
    ADD COLUMN adds boolean NOT NULL DEFAULT false,
    -- A person has said which text is meant, or that none is.
    ADD COLUMN by_hand boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE relations DROP COLUMN adds, DROP COLUMN by_hand;
DROP INDEX documents_waiting, documents_superseded_by;
UPDATE documents SET in_review = false WHERE superseded_by IS NOT NULL;
ALTER TABLE documents DROP CONSTRAINT documents_superseded_out, DROP COLUMN superseded_by, DROP COLUMN edition_kept;

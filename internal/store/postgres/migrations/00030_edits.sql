-- +goose Up

-- What editors say of the lines of a file, in order, applied whenever it is cut.
CREATE TABLE ingestion_edits (
    id           uuid PRIMARY KEY,
    ingestion_id uuid NOT NULL REFERENCES ingestions ON DELETE CASCADE,
    position     integer NOT NULL,
    kind         text NOT NULL CHECK (kind IN ('split', 'merge', 'move', 'renumber', 'retitle', 'correct')),
    payload      jsonb NOT NULL,
    -- Why it did not apply when the file was cut last (French); '' when it did.
    fault        text NOT NULL DEFAULT '',
    created_by   uuid REFERENCES users ON DELETE SET NULL,
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    undone_by    uuid REFERENCES users ON DELETE SET NULL,
    undone_at    timestamptz,
    UNIQUE (ingestion_id, position)
);
CREATE INDEX ingestion_edits_created_by ON ingestion_edits (created_by);
CREATE INDEX ingestion_edits_undone_by ON ingestion_edits (undone_by);

-- The lines of a page, as the file was cut last.
CREATE TABLE ingestion_lines (
    ingestion_id uuid NOT NULL REFERENCES ingestions ON DELETE CASCADE,
    page         integer NOT NULL CHECK (page > 0),
    width        double precision NOT NULL,
    height       double precision NOT NULL,
    lines        jsonb NOT NULL,
    PRIMARY KEY (ingestion_id, page)
);

-- Texts of a file that an editor has rejected or deleted: another cut of the file
-- does not bring them back.
CREATE TABLE dropped_texts (
    ingestion_id uuid NOT NULL REFERENCES ingestions ON DELETE CASCADE,
    document_id  uuid NOT NULL,
    begins       text NOT NULL,
    first_page   integer NOT NULL,
    printed      text NOT NULL,
    dropped_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (ingestion_id, document_id)
);

ALTER TABLE documents
    -- The page and place of the text's first line, by which it is known when the file
    -- is cut again; '' for texts of earlier versions.
    ADD COLUMN begins text NOT NULL DEFAULT '',
    -- Fields that edits of the file have set, and what to.
    ADD COLUMN edited jsonb NOT NULL DEFAULT '{}';

-- The file is to be cut again from its saved pages: nothing is read.
ALTER TABLE ingestions ADD COLUMN recut boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE ingestions DROP COLUMN recut;
ALTER TABLE documents DROP COLUMN begins, DROP COLUMN edited;
DROP TABLE dropped_texts, ingestion_lines, ingestion_edits;

-- +goose Up

-- The addresses of texts that persons have withdrawn: who opens one learns that there was a
-- text, and is not told that he has mistyped.
CREATE TABLE withdrawn_texts (
    address       text PRIMARY KEY CHECK (octet_length(address) <= 1024), -- with its type, as package address makes it
    document_id   uuid NOT NULL,
    withdrawn_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX withdrawn_texts_document ON withdrawn_texts (document_id);

-- For the feed of new texts.
CREATE INDEX documents_entered ON documents (created_at DESC, id) WHERE NOT in_review;

-- +goose Down
DROP INDEX documents_entered;
DROP TABLE withdrawn_texts;

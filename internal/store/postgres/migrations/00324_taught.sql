-- +goose Up
-- Short names that operators give to texts, beside those that the program knows.
CREATE TABLE text_aliases (
    id         uuid PRIMARY KEY,
    name       text NOT NULL CHECK (octet_length(name) BETWEEN 2 AND 400),
    means      text NOT NULL CHECK (octet_length(means) BETWEEN 1 AND 2000), -- number or title of the text
    pays       text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX text_aliases_name ON text_aliases (fold(name));

-- Questions with the article that answers them, as a person decided. They outlive the text, which has the same id when its
-- file is read again.
CREATE TABLE pinned_answers (
    id          uuid PRIMARY KEY,
    question    text NOT NULL,
    terms       text[] NOT NULL, -- of the question, sorted
    pays        text NOT NULL DEFAULT '',
    document_id uuid NOT NULL,
    article     text NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    UNIQUE (terms, pays)
);

-- The article that a reader meant with the question.
ALTER TABLE feedback ADD COLUMN meant_document uuid, ADD COLUMN meant_article text NOT NULL DEFAULT '';

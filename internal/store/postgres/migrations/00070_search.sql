-- +goose Up

-- What is searched by words: a row for each article and one for each text, in the
-- catalogue or not. The words are those of the program's own analysis, which makes
-- them; a text's row says by which of its versions, and of what title and number.
CREATE TABLE search_units (
    document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
    article_id  uuid UNIQUE REFERENCES articles ON DELETE CASCADE, -- NULL: the text
    position    integer NOT NULL,                                  -- of the article; -1: the text
    words       tsvector NOT NULL,
    named       text,
    analysis    integer,
    CHECK ((article_id IS NULL) = (position = -1)),
    CHECK ((article_id IS NULL) = (named IS NOT NULL)),
    CHECK ((article_id IS NULL) = (analysis IS NOT NULL))
);
CREATE UNIQUE INDEX search_units_place ON search_units (document_id, position);
-- A list of words to be taken in later would be read by every search.
CREATE INDEX search_units_words ON search_units USING gin (words) WITH (fastupdate = off);

-- +goose Down
DROP TABLE search_units;

-- +goose Up
-- A hash of the words that vectors were made of: the same words, as in two editions of a text, are read once.
ALTER TABLE vectors ADD COLUMN words bytea;
CREATE INDEX vectors_words ON vectors (words) WHERE words IS NOT NULL;
COMMENT ON COLUMN generations.pace IS 'passages a second, pauses for files left out';

-- +goose Down
COMMENT ON COLUMN generations.pace IS NULL;
ALTER TABLE vectors DROP COLUMN words;

-- +goose Up
-- Titles as they are typed, from their beginning.
CREATE INDEX documents_title_prefix ON documents (title_folded text_pattern_ops) WHERE NOT in_review;

-- +goose Down
DROP INDEX documents_title_prefix;

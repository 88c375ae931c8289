-- +goose Up
-- Titles as they are typed, from their beginning, and the catalogue by title. A title
-- may be longer than an index can hold.
CREATE INDEX documents_title_order ON documents (left(title_folded, 200) COLLATE "C", id) WHERE NOT in_review;

-- +goose Down
DROP INDEX documents_title_order;

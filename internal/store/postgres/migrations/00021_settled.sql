-- +goose Up

-- A text as it was when it waited in review, doubts and all: its acceptance can be
-- undone. NULL for a text that nobody has accepted, or before this was kept.
ALTER TABLE documents ADD COLUMN settled jsonb;

-- +goose Down
ALTER TABLE documents DROP COLUMN settled;

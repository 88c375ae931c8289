-- +goose Up
-- Attempts that were lost with their worker and that later progress has forgiven:
-- a file that saves a page between two deaths must not go on for ever.
ALTER TABLE ingestions ADD COLUMN deaths integer NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE ingestions DROP COLUMN deaths;

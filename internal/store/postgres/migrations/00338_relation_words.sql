-- +goose Up
-- The sentence of the act that orders the change; '' for relations of before, until their file is cut again.
ALTER TABLE relations ADD COLUMN words text NOT NULL DEFAULT '' CHECK (octet_length(words) <= 4096);

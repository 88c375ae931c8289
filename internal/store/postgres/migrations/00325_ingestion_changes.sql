-- +goose Up
-- Whoever follows all files reads those that changed last.
CREATE INDEX ingestions_changed ON ingestions (updated_at, id);

-- +goose Up
-- The turns before a conversation that its client keeps, as a list of question and answer, beside the answer that was asked
-- for with them.
ALTER TABLE messages ADD COLUMN earlier jsonb CHECK (jsonb_typeof(earlier) = 'array');

-- +goose Down
ALTER TABLE messages DROP COLUMN earlier;

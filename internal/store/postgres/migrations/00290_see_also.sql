-- +goose Up
-- Articles that an answer points to without quoting them, in the form of citations without a number.
ALTER TABLE messages ADD COLUMN see_also jsonb NOT NULL DEFAULT '[]';

-- +goose Down
ALTER TABLE messages DROP COLUMN see_also;

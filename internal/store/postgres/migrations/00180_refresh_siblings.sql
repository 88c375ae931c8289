-- +goose Up
-- What a refresh token was given for: the one before it in its session, by whose copy a reply that was lost may be
-- asked for once more. NULL: the first of its session, or one of a program that did not note it. No reference: tokens
-- are removed when they have expired, the older ones first.
ALTER TABLE refresh_tokens ADD COLUMN parent bytea;

-- +goose Down
ALTER TABLE refresh_tokens DROP COLUMN parent;

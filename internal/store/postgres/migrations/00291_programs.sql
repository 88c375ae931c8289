-- +goose Up
-- A session that a person granted to a program: a hash of the program's id. NULL: a person's own. proof is a hash of
-- what the bearer of an authorization code must know.
ALTER TABLE refresh_tokens ADD COLUMN program bytea, ADD COLUMN proof bytea;

-- +goose Down
DELETE FROM refresh_tokens WHERE program IS NOT NULL;
ALTER TABLE refresh_tokens DROP COLUMN program, DROP COLUMN proof;

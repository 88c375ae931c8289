-- +goose Up

-- How many more pages a file claims to have than can be read: a later attempt,
-- which need not open the file again, tells of them too.
ALTER TABLE ingestions ADD COLUMN pages_absent integer NOT NULL DEFAULT 0;

-- Whose law a text is, as far as it tells: two letters a country, none for the law
-- of a union of countries. A text changes no other country's.
ALTER TABLE documents ADD COLUMN countries text[] NOT NULL DEFAULT '{}';

-- +goose Down
ALTER TABLE documents DROP COLUMN countries;
ALTER TABLE ingestions DROP COLUMN pages_absent;

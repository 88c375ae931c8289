-- +goose Up

-- The country whose law the owner of an account asks about when a question names none; '': none.
ALTER TABLE users ADD COLUMN country text NOT NULL DEFAULT '' CHECK (length(country) <= 80);

-- +goose Down
ALTER TABLE users DROP COLUMN country;

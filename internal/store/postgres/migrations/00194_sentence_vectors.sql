-- +goose Up
-- Generations of the role sentences are read for the articles that a search looks at more
-- closely; they replace no other.
ALTER TABLE generations DROP CONSTRAINT generations_role_check,
    ADD CONSTRAINT generations_role_check CHECK (role IN ('current', 'next', 'sentences'));

-- +goose Down
DELETE FROM generations WHERE role = 'sentences';
ALTER TABLE generations DROP CONSTRAINT generations_role_check,
    ADD CONSTRAINT generations_role_check CHECK (role IN ('current', 'next'));

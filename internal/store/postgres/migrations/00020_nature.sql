-- +goose Up

-- What a text calls itself (« Ordonnance », « Acte uniforme »), beside its type;
-- empty where that is not known.
ALTER TABLE documents ADD COLUMN nature text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE documents DROP COLUMN nature;

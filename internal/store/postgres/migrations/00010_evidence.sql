-- +goose Up

-- What each datum of a text was read from, undoubted ones too.
ALTER TABLE documents ADD COLUMN evidence jsonb NOT NULL DEFAULT '[]';

-- +goose Down
ALTER TABLE documents DROP COLUMN evidence;

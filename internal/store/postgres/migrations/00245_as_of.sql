-- A consolidated edition is printed as of a day: what acts in force up to that day changed is in its words already. Files
-- read before get the day when they are read again.

-- +goose Up
ALTER TABLE documents ADD COLUMN as_of date;

-- +goose Down
ALTER TABLE documents DROP COLUMN as_of;

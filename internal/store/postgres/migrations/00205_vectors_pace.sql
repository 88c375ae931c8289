-- +goose Up
-- How many passages a second the running attempt gives vectors, its pauses included; 0 while that is not known. It tells
-- when a text that is readable already is found as precisely as the others.
ALTER TABLE generations ADD COLUMN pace real NOT NULL DEFAULT 0 CHECK (pace >= 0);

-- +goose Down
ALTER TABLE generations DROP COLUMN pace;

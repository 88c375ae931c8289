-- +goose Up
-- The issue of a gazette that a file is: its name as printed, its number and its day; NULL where it names none.
ALTER TABLE ingestions ADD COLUMN gazette jsonb;

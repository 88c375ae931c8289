-- +goose Up
-- The lines by which files of one publisher are known, and what a person said of a whole file: what it is, and whose law.
ALTER TABLE ingestions
    ADD COLUMN house text[] NOT NULL DEFAULT '{}',
    ADD COLUMN said_kind text NOT NULL DEFAULT '',
    ADD COLUMN said_country text NOT NULL DEFAULT '';
CREATE INDEX ingestions_house ON ingestions USING gin (house);

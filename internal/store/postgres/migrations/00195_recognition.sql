-- +goose Up
-- How long the pages of a file were recognized, over all its attempts: a worker that is killed or restarted must not give
-- a file its time again.
ALTER TABLE ingestions ADD COLUMN recognition interval NOT NULL DEFAULT '0';

-- +goose Down
ALTER TABLE ingestions DROP COLUMN recognition;

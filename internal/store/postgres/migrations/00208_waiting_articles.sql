-- +goose Up

-- What a person who decides on a waiting operation reads beside it. The versions are made anew,
-- which fills the columns.
ALTER TABLE amendment_waiting
    ADD COLUMN article_id uuid,                                       -- printed article; NULL if the text has none
    ADD COLUMN before text CHECK (octet_length(before) <= 8388608);   -- wording that the operation would change; NULL if there is none
UPDATE version_index SET rebuild = true, not_before = '-infinity';

-- +goose Down
ALTER TABLE amendment_waiting DROP COLUMN before, DROP COLUMN article_id;

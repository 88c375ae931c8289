-- +goose Up

-- What search and answers need of assembled versions. The versions are made anew, which fills
-- the columns; until then answers quote printed wordings.
ALTER TABLE article_versions
    ADD COLUMN spans jsonb NOT NULL DEFAULT '[]',        -- places of the printed words that the version keeps
    ADD COLUMN served boolean NOT NULL DEFAULT false;    -- the act prints the whole wording, which is an article of its own (wordings)
-- First day on which no assembled version of the article is law any more; NULL if it has none,
-- infinity if the last one is law for good. Set with the versions.
ALTER TABLE articles ADD COLUMN assembled_to date;
UPDATE version_index SET rebuild = true, not_before = '-infinity';

-- +goose Down
ALTER TABLE articles DROP COLUMN assembled_to;
ALTER TABLE article_versions DROP COLUMN spans, DROP COLUMN served;

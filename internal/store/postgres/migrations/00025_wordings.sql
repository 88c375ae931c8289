-- +goose Up

-- What an amending text gives as the new words of an article of another text: a row
-- of articles among those of the amending text, and here whose article it words.
CREATE TABLE wordings (
    article_id  uuid PRIMARY KEY REFERENCES articles ON DELETE CASCADE,
    within      uuid NOT NULL REFERENCES articles ON DELETE CASCADE,  -- the article that gives it
    relation_id uuid NOT NULL REFERENCES relations ON DELETE CASCADE, -- the change that it belongs to
    number      text NOT NULL CHECK (number <> ''),                   -- of the article that it words
    part        text NOT NULL DEFAULT '',                             -- of that article, '' for all of it
    inserted    boolean NOT NULL DEFAULT false                        -- beside what was there
);
CREATE INDEX wordings_within ON wordings (within);
CREATE INDEX wordings_relation ON wordings (relation_id);

-- The words of a new wording stand in the passages of the article that gives it
-- too. They are found once, by its own.
ALTER TABLE passages ADD COLUMN quoted boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE passages DROP COLUMN quoted;
DELETE FROM articles WHERE id IN (SELECT article_id FROM wordings);
DROP TABLE wordings;

-- +goose Up

-- The article whose printed words a version continues: that of the text, or of an act that
-- prints the whole wording (wordings). Search finds a version there. The versions are made anew,
-- which fills the column; until then those of printed articles are found as before.
ALTER TABLE article_versions ADD COLUMN printed_in uuid;
UPDATE article_versions v SET printed_in = article_id WHERE NOT served AND EXISTS (SELECT FROM articles a WHERE a.id = v.article_id);
CREATE INDEX article_versions_printed_in ON article_versions (printed_in);
UPDATE version_index SET rebuild = true, not_before = '-infinity';

-- +goose Down
ALTER TABLE article_versions DROP COLUMN printed_in;

-- +goose Up

-- The article whose printed words a version continues: that of the text, or of an act that
-- prints the whole wording (wordings). Search finds a version there. The versions are made anew,
-- which fills the column; until then those of printed articles are found as before.
ALTER TABLE article_versions ADD COLUMN printed_in uuid;
UPDATE article_versions v SET printed_in = article_id WHERE NOT served AND EXISTS (SELECT FROM articles a WHERE a.id = v.article_id);
CREATE INDEX article_versions_printed_in ON article_versions (printed_in);
-- The search units of texts with assembled wordings no longer count what these share with the
-- printed words; they are made again, as those of another version of the analysis are.
UPDATE search_units SET analysis = 0 WHERE position = -1
    AND document_id IN (SELECT document_id FROM article_versions WHERE act_id IS NOT NULL AND NOT gone AND NOT served);
UPDATE version_index SET rebuild = true, not_before = '-infinity';

-- +goose Down
ALTER TABLE article_versions DROP COLUMN printed_in;

-- +goose Up

-- An article is found by the words of its assembled wordings too. The units of texts that have
-- such wordings are made again, as those of another version of the analysis are.
UPDATE search_units SET analysis = 0 WHERE position = -1
    AND document_id IN (SELECT document_id FROM article_versions WHERE act_id IS NOT NULL AND NOT gone AND NOT served);

-- +goose Down
SELECT 1;

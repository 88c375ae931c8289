-- +goose Up

-- How often answers cite an article, by which the amendments that wait are ordered.
CREATE INDEX citations_article ON citations ((citation->>'article_id'));

-- +goose Down
DROP INDEX citations_article;

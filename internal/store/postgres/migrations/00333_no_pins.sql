-- +goose Up
-- No answer is pinned, and no decision is proposed for other files of a publisher.
DROP TABLE pinned_answers;
ALTER TABLE feedback DROP COLUMN meant_document, DROP COLUMN meant_article;
ALTER TABLE ingestions DROP COLUMN house;

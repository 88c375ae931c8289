-- +goose Up

-- A page that was given up on carries the reason; taking the file up again reads
-- it anew. Pages read by an earlier version count as read.
ALTER TABLE ingestion_pages ADD COLUMN unread boolean NOT NULL DEFAULT false;
CREATE INDEX ingestion_pages_unread ON ingestion_pages (ingestion_id) WHERE unread;

-- A person has accepted or corrected the text: what was said stays when its file
-- is cut again.
ALTER TABLE documents ADD COLUMN by_hand boolean NOT NULL DEFAULT false;

-- +goose Down
DROP INDEX ingestion_pages_unread;
ALTER TABLE ingestion_pages DROP COLUMN unread;
ALTER TABLE documents DROP COLUMN by_hand;

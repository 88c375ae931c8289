-- +goose Up

-- Administrators list the links of everybody, newest first.
CREATE INDEX conversation_links_created ON conversation_links (created_at DESC);

-- +goose Down
DROP INDEX conversation_links_created;

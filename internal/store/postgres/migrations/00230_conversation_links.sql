-- +goose Up

-- Links by which others read a conversation, one at most for each. The address itself is not kept.
CREATE TABLE conversation_links (
    conversation_id uuid PRIMARY KEY REFERENCES conversations ON DELETE CASCADE,
    token_hash      bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    last_position   integer NOT NULL,             -- of the last message that may be read: an ended message never changes
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- +goose Down
DROP TABLE conversation_links;

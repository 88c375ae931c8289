-- +goose Up
-- What is removed by its age is looked for by it; inquiries have such an index.
CREATE INDEX conversations_last ON conversations (last_message_at);

-- +goose Down
DROP INDEX conversations_last;

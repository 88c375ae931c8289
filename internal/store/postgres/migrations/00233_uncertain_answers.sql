-- +goose Up

-- For the list of questions without a sure answer.
CREATE INDEX messages_uncertain ON messages (created_at) WHERE certainty IN ('unsure', 'refused');

-- +goose Down
DROP INDEX messages_uncertain;

-- +goose Up
-- By which key of its account a conversation was begun, so that a key reads its own; NULL: by a person.
ALTER TABLE conversations ADD COLUMN key_id uuid REFERENCES api_keys ON DELETE SET NULL;
CREATE INDEX conversations_key ON conversations (key_id) WHERE key_id IS NOT NULL;

-- For whose day the tokens count, also when the answer is deleted; NULL: nobody's any more.
ALTER TABLE model_usage ADD COLUMN user_id uuid REFERENCES users ON DELETE SET NULL;
CREATE INDEX model_usage_day ON model_usage (user_id, spent_at) WHERE user_id IS NOT NULL;

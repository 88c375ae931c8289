-- +goose Up

-- A conversation without a user is a guest's single question: nobody can read it again, and upkeep deletes it.
ALTER TABLE conversations ALTER COLUMN user_id DROP NOT NULL;
CREATE INDEX conversations_guests ON conversations (last_message_at) WHERE user_id IS NULL;

-- +goose Down
DELETE FROM conversations WHERE user_id IS NULL;
DROP INDEX conversations_guests;
ALTER TABLE conversations ALTER COLUMN user_id SET NOT NULL;

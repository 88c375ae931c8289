-- +goose Up
-- attempt stays the fence and only rises. attempt - attempt_floor counts the
-- attempts that were lost with their worker, and the one that runs: an attempt
-- that ends in good order (given back, put back, or with progress behind it)
-- raises the floor. failures counts the attempts that ended with an error.
ALTER TABLE messages
    ADD COLUMN failures   integer NOT NULL DEFAULT 0,
    ADD COLUMN not_before timestamptz NOT NULL DEFAULT '-infinity', -- a failed attempt is followed by no other before
    ADD COLUMN asker      uuid; -- whose question it is, for the fair pick: set while the answer is queued or runs
ALTER TABLE ingestions
    ADD COLUMN failures   integer NOT NULL DEFAULT 0,
    ADD COLUMN not_before timestamptz NOT NULL DEFAULT '-infinity';
UPDATE messages m SET asker = c.user_id FROM conversations c
    WHERE c.id = m.conversation_id AND m.state IN ('queued', 'running');
CREATE INDEX messages_waiting ON messages (asker, created_at) WHERE state IN ('queued', 'running');

-- +goose Down
DROP INDEX messages_waiting;
ALTER TABLE messages DROP COLUMN failures, DROP COLUMN not_before, DROP COLUMN asker;
ALTER TABLE ingestions DROP COLUMN failures, DROP COLUMN not_before;

-- +goose Up
-- How surely an answer answers its question. NULL for questions, for greetings and for answers written before this column.
ALTER TABLE messages
    ADD COLUMN certainty   text CHECK (certainty IN ('sure', 'likely', 'unsure', 'refused')),
    ADD COLUMN probability double precision CHECK (probability BETWEEN 0 AND 1);

-- +goose Down
ALTER TABLE messages DROP COLUMN probability, DROP COLUMN certainty;

-- +goose Up

-- Why an answer is what it is, as its worker tells it: no words of the question but the
-- names of texts, and the ids of what was found. It goes with its answer, or before it.
CREATE TABLE answer_whys (
    message_id uuid PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
    why        jsonb NOT NULL CHECK (octet_length(why::text) <= 65536),
    kept_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX answer_whys_age ON answer_whys (kept_at);

-- +goose Down
DROP TABLE answer_whys;

-- +goose Up

-- What an attempt at an answer took of a server of models: tokens, and what they cost in the money of the prices
-- that were set then. It outlives the answer, as a bill does, and then says no longer whose answer it was.
CREATE TABLE model_usage (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message_id uuid REFERENCES messages ON DELETE SET NULL,
    attempt    integer NOT NULL,
    server     text NOT NULL,
    model      text NOT NULL,
    requests   integer NOT NULL CHECK (requests > 0),
    tokens_in  bigint NOT NULL CHECK (tokens_in >= 0),
    tokens_out bigint NOT NULL CHECK (tokens_out >= 0),
    estimated  boolean NOT NULL, -- of one request at least the server did not say how many
    cost       double precision NOT NULL CHECK (cost >= 0 AND cost < 'infinity'),
    spent_at   timestamptz NOT NULL DEFAULT now(),
    UNIQUE (message_id, attempt, server)
);
CREATE INDEX model_usage_spent ON model_usage (spent_at);

-- +goose Down
DROP TABLE model_usage;

-- +goose Up
-- What an account signs in with beside its password: the secret that a program makes
-- codes of, sealed with a key that the database does not have.
CREATE TABLE second_factors (
    user_id      uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    secret       bytea NOT NULL,
    confirmed_at timestamptz,                  -- NULL: its owner has not shown a code yet
    last_step    bigint NOT NULL DEFAULT 0,    -- of the last code that was taken: it and those before are good no more
    failures     integer NOT NULL DEFAULT 0,   -- wrong codes since the last right one
    created_at   timestamptz NOT NULL DEFAULT now()
);

-- Codes for who has lost that program; each is good once.
CREATE TABLE recovery_codes (
    user_id   uuid NOT NULL REFERENCES second_factors ON DELETE CASCADE,
    code_hash bytea NOT NULL CHECK (octet_length(code_hash) = 32),
    used_at   timestamptz,
    PRIMARY KEY (user_id, code_hash)
);

-- +goose Down
DROP TABLE recovery_codes;
DROP TABLE second_factors;

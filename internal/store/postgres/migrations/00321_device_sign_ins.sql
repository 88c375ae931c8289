-- +goose Up
-- A program on another machine that asks for a session: it shows a code, which its user confirms on the page.
CREATE TABLE device_sign_ins (
    secret_hash bytea PRIMARY KEY CHECK (length(secret_hash) = 32), -- of what only the program knows
    code        text NOT NULL UNIQUE,
    name        text NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 400),
    created_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL,
    user_id     uuid REFERENCES users ON DELETE CASCADE, -- who answered
    allowed     boolean -- NULL: nobody answered yet
);
CREATE INDEX device_sign_ins_expired ON device_sign_ins (expires_at);
CREATE INDEX device_sign_ins_user ON device_sign_ins (user_id);

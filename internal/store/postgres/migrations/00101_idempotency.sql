-- +goose Up
-- Requests that were done and may come once more, by the key that their sender gave
-- them (Idempotency-Key). A row is written in the transaction of what it stands for:
-- there is none for what was not done, and none that waits. Of the key and of the
-- request only keyed hashes are kept.
CREATE TABLE idempotency_keys (
    owner       bytea NOT NULL CHECK (octet_length(owner) IN (16, 32)), -- an account's id, or the keyed hash of a network
    operation   text NOT NULL CHECK (operation IN ('question', 'upload', 'inquiry')),
    key         bytea NOT NULL CHECK (octet_length(key) = 32),
    fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
    result      uuid NOT NULL, -- the answer, the ingestion or the inquiry, which may be gone
    created_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (owner, operation, key)
);
CREATE INDEX idempotency_keys_old ON idempotency_keys (created_at);

-- +goose Down
DROP TABLE idempotency_keys;

-- +goose Up
-- Who the owner of an account is to a provider of identities. An issuer's subject names one
-- person for good; the address that the provider has of them may be another's tomorrow.
CREATE TABLE identities (
    issuer       text NOT NULL,
    subject      text NOT NULL CHECK (octet_length(subject) BETWEEN 1 AND 255),
    user_id      uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at   timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (issuer, subject),
    UNIQUE (user_id, issuer)
);

-- +goose Down
DROP TABLE identities;

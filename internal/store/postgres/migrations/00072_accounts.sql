-- +goose Up

-- What a person is told of a session: the program that it was opened with, and when.
ALTER TABLE refresh_tokens ADD COLUMN client text, ADD COLUMN started_at timestamptz;
UPDATE refresh_tokens SET started_at = created_at;

-- +goose StatementBegin
-- A token that renews a session says the same of it as the one before.
CREATE FUNCTION refresh_token_inherits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    SELECT t.client, t.started_at INTO NEW.client, NEW.started_at FROM refresh_tokens t
        WHERE t.family = NEW.family ORDER BY t.created_at DESC LIMIT 1;
    NEW.started_at := coalesce(NEW.started_at, now());
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER refresh_tokens_inherit BEFORE INSERT ON refresh_tokens FOR EACH ROW EXECUTE FUNCTION refresh_token_inherits();

-- Messages to the owner of an address, each with a link that is good once: to set
-- another password, or to open an account. The link's token is made when the message
-- is sent, and only its hash is kept. A request for an address that has no account
-- leaves a row like any other, without the address and with nothing to send.
CREATE TABLE account_letters (
    id            uuid PRIMARY KEY,
    kind          text NOT NULL CHECK (kind IN ('reset', 'signup')),
    user_id       uuid REFERENCES users ON DELETE CASCADE, -- whose account it is about; NULL: none
    token_version integer,                                 -- of that account, when the message was asked for
    email         text NOT NULL DEFAULT '',
    full_name     text NOT NULL DEFAULT '',
    link          text NOT NULL,                           -- what the token is put behind
    token_hash    bytea UNIQUE,
    expires_at    timestamptz,
    used_at       timestamptz,
    state         text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed')),
    attempt       integer NOT NULL DEFAULT 0,
    not_before    timestamptz NOT NULL DEFAULT now(),
    lease_until   timestamptz NOT NULL DEFAULT now(),
    created_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX account_letters_user ON account_letters (user_id);
CREATE INDEX account_letters_due ON account_letters (not_before) WHERE state IN ('queued', 'running');
CREATE INDEX account_letters_old ON account_letters (created_at);

-- +goose Down
DROP TABLE account_letters;
DROP TRIGGER refresh_tokens_inherit ON refresh_tokens;
DROP FUNCTION refresh_token_inherits();
ALTER TABLE refresh_tokens DROP COLUMN client, DROP COLUMN started_at;

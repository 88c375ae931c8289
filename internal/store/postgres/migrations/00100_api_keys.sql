-- +goose Up
-- Keys by which programs act for an account. Of a key only its hash and its first
-- characters are kept. A key that was revoked stays, to be named in the audit log.
CREATE TABLE api_keys (
    id           uuid PRIMARY KEY,
    owner_id     uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    name         text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    prefix       text NOT NULL CHECK (char_length(prefix) = 12),
    hash         bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
    scopes       text[] NOT NULL CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['chat', 'documents', 'ingest']),
    per_minute   integer NOT NULL CHECK (per_minute > 0),
    per_day      integer NOT NULL CHECK (per_day > 0),
    created_at   timestamptz NOT NULL DEFAULT now(),
    expires_at   timestamptz NOT NULL,
    last_used_at timestamptz, -- to the minute
    revoked_at   timestamptz
);
CREATE INDEX api_keys_owner ON api_keys (owner_id);
CREATE INDEX api_keys_created ON api_keys (created_at DESC);

-- +goose StatementBegin
-- Whatever takes an account's rights away takes its keys with them, whichever program
-- does it; a right that is given again brings none back. An account that was erased
-- leaves no names of keys.
CREATE FUNCTION api_keys_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.email = 'efface-' || NEW.id || '@vigueur.invalid' THEN
        DELETE FROM api_keys WHERE owner_id = NEW.id;
    ELSIF NOT NEW.active OR array_position('{user,editor,admin}', NEW.role) < array_position('{user,editor,admin}', OLD.role) THEN
        UPDATE api_keys SET revoked_at = now() WHERE owner_id = NEW.id AND revoked_at IS NULL;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER users_lose_keys AFTER UPDATE OF role, active, email ON users FOR EACH ROW EXECUTE FUNCTION api_keys_follow();

-- +goose Down
DROP TRIGGER users_lose_keys ON users;
DROP FUNCTION api_keys_follow();
DROP TABLE api_keys;

-- +goose Up
-- A refresh token is good for the account's tokens of one version only, and a
-- sign-in has an end that no renewal moves. Tokens of before keep their sessions.
ALTER TABLE refresh_tokens ADD COLUMN token_version integer, ADD COLUMN ends_at timestamptz;
UPDATE refresh_tokens t SET token_version = u.token_version, ends_at = t.created_at + interval '90 days' FROM users u WHERE u.id = t.user_id;
CREATE INDEX refresh_tokens_expired ON refresh_tokens (expires_at);
-- Of old changes each text keeps its last: it is looked for.
CREATE INDEX catalogue_changes_document ON catalogue_changes (document_id, version);

-- +goose Down
DROP INDEX catalogue_changes_document;
DROP INDEX refresh_tokens_expired;
ALTER TABLE refresh_tokens DROP COLUMN token_version, DROP COLUMN ends_at;

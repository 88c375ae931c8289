-- +goose Up
-- Keys may open the Model Context Protocol.
ALTER TABLE api_keys DROP CONSTRAINT api_keys_scopes_check,
    ADD CONSTRAINT api_keys_scopes_check CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['chat', 'documents', 'ingest', 'mcp']);

-- +goose Down
DELETE FROM api_keys WHERE scopes = ARRAY['mcp'];
UPDATE api_keys SET scopes = array_remove(scopes, 'mcp') WHERE 'mcp' = ANY (scopes);
ALTER TABLE api_keys DROP CONSTRAINT api_keys_scopes_check,
    ADD CONSTRAINT api_keys_scopes_check CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['chat', 'documents', 'ingest']);

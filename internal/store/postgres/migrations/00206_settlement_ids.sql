-- +goose Up

-- An id for each decision on an amendment, so that a person can undo it. It stays the same
-- when the decision is made again.
ALTER TABLE amendment_settlements ADD COLUMN id uuid
    GENERATED ALWAYS AS (md5(target_id::text || ' ' || act_id::text || ' ' || article_key)::uuid) STORED UNIQUE;

-- +goose Down
ALTER TABLE amendment_settlements DROP COLUMN id;

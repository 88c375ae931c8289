-- +goose Up

-- How far the passage index in Milvus follows the catalogue: one row, as title_index has it.
CREATE TABLE passage_index (
    id            uuid PRIMARY KEY,
    alone         boolean NOT NULL DEFAULT true UNIQUE CHECK (alone),
    version       bigint NOT NULL DEFAULT 0,      -- of catalogue_changes
    rebuild       boolean NOT NULL DEFAULT true,  -- to be made anew: at first, and when somebody asks or misses it
    state         text NOT NULL DEFAULT 'done' CHECK (state IN ('queued', 'running', 'done')),
    attempt       integer NOT NULL DEFAULT 0,
    failures      integer NOT NULL DEFAULT 0,     -- since it last went well
    error         text NOT NULL DEFAULT '',
    lease_until   timestamptz NOT NULL DEFAULT '-infinity',
    not_before    timestamptz NOT NULL DEFAULT '-infinity',
    updated_at    timestamptz NOT NULL DEFAULT now()
);
INSERT INTO passage_index (id) VALUES (gen_random_uuid());

-- +goose Down
DROP TABLE passage_index;

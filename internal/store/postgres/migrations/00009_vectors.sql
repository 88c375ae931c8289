-- +goose Up
-- A generation is the vectors that one model makes of passages cut in one way.
-- The current one is searched; the next is made beside it and takes its place
-- when it is complete. Making one is work with the lease columns of every kind.
CREATE TABLE generations (
    id            uuid PRIMARY KEY,
    model         text NOT NULL,
    chunking      text NOT NULL,
    dimensions    integer NOT NULL CHECK (dimensions > 0),
    fingerprint   text NOT NULL,  -- hash of the probe as it was first made
    probe         bytea NOT NULL, -- the vector of a known text, packed: tells builds of a model apart
    role          text NOT NULL CHECK (role IN ('current', 'next')),
    covered       bigint NOT NULL DEFAULT -1, -- version of the catalogue whose passages all have vectors
    state         text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done')),
    error         text NOT NULL DEFAULT '', -- why the last attempt failed
    attempt       integer NOT NULL DEFAULT 0,
    attempt_floor integer NOT NULL DEFAULT 0, -- attempts lost with their worker are counted from here
    hints         integer NOT NULL DEFAULT 0,
    lease_until   timestamptz NOT NULL DEFAULT now(),
    created_at    timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX generations_current ON generations (role) WHERE role = 'current';

-- The vectors of a passage's pieces, packed; none for a passage of which the
-- model makes nothing.
CREATE TABLE vectors (
    passage_id    uuid NOT NULL REFERENCES passages ON DELETE CASCADE,
    generation_id uuid NOT NULL REFERENCES generations ON DELETE CASCADE,
    packed        bytea NOT NULL,
    PRIMARY KEY (passage_id, generation_id)
);
ALTER TABLE vectors ALTER COLUMN packed SET STORAGE EXTERNAL; -- vectors do not compress
CREATE INDEX vectors_generation ON vectors (generation_id);

-- +goose Down
DROP TABLE vectors, generations;

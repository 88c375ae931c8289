-- +goose Up
-- Files that arrive by parts, until all is there. What a crash of the server loses is sent again, so that they are not
-- logged.
CREATE UNLOGGED TABLE uploads (
    id         uuid PRIMARY KEY,
    user_id    uuid REFERENCES users (id) ON DELETE CASCADE, -- NULL: the operator of the machine
    filename   text NOT NULL,
    sha256     text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'), -- as it was announced
    size       bigint NOT NULL CHECK (size > 0),
    received   bigint NOT NULL DEFAULT 0 CHECK (received BETWEEN 0 AND size),
    metadata   jsonb,
    updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX uploads_owner ON uploads (user_id);
CREATE INDEX uploads_updated ON uploads (updated_at);

CREATE UNLOGGED TABLE upload_parts (
    upload_id uuid NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
    start     bigint NOT NULL,
    bytes     bytea NOT NULL,
    PRIMARY KEY (upload_id, start)
);
ALTER TABLE upload_parts ALTER COLUMN bytes SET STORAGE EXTERNAL; -- the pages of a PDF are compressed already

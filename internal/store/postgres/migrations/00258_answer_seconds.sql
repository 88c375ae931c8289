-- +goose Up
-- What workers have spent on the answers of each account of late (of guests together: the zero id). The next answer is
-- chosen by it. seconds halve every minute from at on; answers is their number, which halves alike.
CREATE TABLE answer_seconds (
    asker   uuid PRIMARY KEY,
    seconds double precision NOT NULL CHECK (seconds >= 0),
    answers double precision NOT NULL CHECK (answers >= 0),
    at      timestamptz NOT NULL
);
CREATE INDEX answer_seconds_age ON answer_seconds (at);
-- The turns before a conversation are only needed until its first answer has ended.
UPDATE messages SET earlier = NULL WHERE earlier IS NOT NULL AND state NOT IN ('queued', 'running');

-- +goose Down
DROP TABLE answer_seconds;

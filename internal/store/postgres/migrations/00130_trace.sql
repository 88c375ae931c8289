-- +goose Up

-- By what a worker goes on with the trace of the request that a row came of (« traceparent » of the W3C);
-- null where nothing is traced.
ALTER TABLE messages ADD COLUMN trace text CHECK (length(trace) <= 100);
ALTER TABLE ingestions ADD COLUMN trace text CHECK (length(trace) <= 100);

-- +goose Down
ALTER TABLE ingestions DROP COLUMN trace;
ALTER TABLE messages DROP COLUMN trace;

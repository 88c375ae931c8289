-- +goose Up
-- Acts of which a person said that no passage orders a change. A row outlives its act, which has the same id when its file
-- is read again.
CREATE TABLE acts_without_orders (
    act_id     uuid PRIMARY KEY,
    settled_at timestamptz NOT NULL DEFAULT now()
);

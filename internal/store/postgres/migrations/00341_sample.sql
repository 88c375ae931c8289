-- +goose Up
-- Files that were added as a sample leave when other texts are there, which every worker looks for each second.
CREATE INDEX ingestions_sample ON ingestions (id) WHERE metadata @> '{"exemple": true}';

-- +goose Down
DROP INDEX ingestions_sample;

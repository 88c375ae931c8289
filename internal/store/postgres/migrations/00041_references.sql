-- +goose Up
-- What goes is looked for here.
CREATE INDEX relations_source_article ON relations (source_article);
CREATE INDEX ingestions_created_by ON ingestions (created_by) WHERE created_by IS NOT NULL;

-- +goose Down
DROP INDEX relations_source_article, ingestions_created_by;

-- +goose Up

-- The texts that are there already, in a step of its own: texts are written meanwhile, as
-- nothing locks them. Their keys are made by « ingest migrate up » after the last step.
INSERT INTO text_names (document_id) SELECT id FROM documents ON CONFLICT DO NOTHING;

-- +goose Down
SELECT 1;

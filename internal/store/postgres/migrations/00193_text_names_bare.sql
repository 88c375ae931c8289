-- +goose Up

-- Texts whose keys were never made are found by nothing but reading them one by one: how
-- many there are is asked by each question that names a text while some are behind.
CREATE INDEX text_names_bare ON text_names (document_id) WHERE keys = '{}';

-- +goose Down
DROP INDEX text_names_bare;

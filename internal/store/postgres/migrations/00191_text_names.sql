-- +goose Up

-- By which keys a text is found when a question names it: a row for each text, in the
-- catalogue or not. The keys are those of the program's own analysis, which makes them;
-- analysis says by which of its versions, 0 where they are still to be made.
CREATE TABLE text_names (
    document_id uuid PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
    keys        text[] NOT NULL DEFAULT '{}',
    analysis    integer NOT NULL DEFAULT 0
);
-- A list of keys to be taken in later would be read by every question.
CREATE INDEX text_names_keys ON text_names USING gin (keys) WITH (fastupdate = off);
CREATE INDEX text_names_analysis ON text_names (analysis, document_id);

-- Whoever writes a text, the programs of the release before too: its keys are to be made
-- where what they are made of is new.
-- +goose StatementBegin
CREATE FUNCTION text_names_add() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO text_names (document_id) SELECT id FROM made ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER documents_named AFTER INSERT ON documents REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION text_names_add();

-- +goose StatementBegin
CREATE FUNCTION text_names_expire() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO text_names (document_id) VALUES (NEW.id) ON CONFLICT (document_id) DO UPDATE SET analysis = 0;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER documents_renamed AFTER UPDATE OF title, nature, numero_officiel, doc_type, promulgated_on, countries ON documents
    FOR EACH ROW WHEN ((OLD.title, OLD.nature, OLD.numero_officiel, OLD.doc_type, OLD.promulgated_on, OLD.countries)
        IS DISTINCT FROM (NEW.title, NEW.nature, NEW.numero_officiel, NEW.doc_type, NEW.promulgated_on, NEW.countries))
    EXECUTE FUNCTION text_names_expire();

-- +goose Down
DROP TRIGGER documents_renamed ON documents;
DROP TRIGGER documents_named ON documents;
DROP FUNCTION text_names_expire();
DROP FUNCTION text_names_add();
DROP TABLE text_names;

-- +goose Up
-- The words of a title, in the form in which titles are compared.
CREATE FUNCTION title_words(title text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN trim(regexp_replace(fold(title), '[^[:alnum:]]+', ' ', 'g'));
-- Its first five words: what a relation that names a text by its title is looked for by.
CREATE FUNCTION title_head(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN array_to_string((string_to_array(words, ' '))[1:5], ' ');
-- The heads of all titles that may stand within a title: its runs of up to five words.
CREATE FUNCTION title_heads(words text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY(SELECT DISTINCT array_to_string(w[i : i + more], ' ')
        FROM string_to_array(words, ' ') w, generate_subscripts(w, 1) i, generate_series(0, 4) more);

ALTER TABLE relations
    -- Of a relation that names a text by its title alone.
    ADD COLUMN title_head text GENERATED ALWAYS AS (CASE WHEN target_number = '' AND target_title <> ''
        THEN title_head(title_words(target_title)) END) STORED,
    -- Whether the relation may fit several texts, for a person to settle. False is
    -- certain; true says that it is to be looked at.
    ADD COLUMN uncertain boolean NOT NULL DEFAULT true;
UPDATE relations r SET uncertain = false WHERE by_hand OR EXISTS (SELECT FROM relation_targets t WHERE t.relation_id = r.id)
    OR target_number <> '' AND NOT EXISTS (SELECT FROM documents d
        WHERE d.numero_officiel <> '' AND number_stem(d.numero_officiel) = number_stem(r.target_number));
CREATE INDEX relations_title_head ON relations (title_head) WHERE title_head IS NOT NULL;
CREATE INDEX relations_uncertain ON relations (source_id) WHERE uncertain;

-- +goose Down
DROP INDEX relations_uncertain, relations_title_head;
ALTER TABLE relations DROP COLUMN uncertain, DROP COLUMN title_head;
DROP FUNCTION title_heads(text);
DROP FUNCTION title_head(text);
DROP FUNCTION title_words(text);

-- +goose Up

-- A page that was given up on carries the reason; taking the file up again reads
-- it anew. Pages read by an earlier version count as read.
ALTER TABLE ingestion_pages ADD COLUMN unread boolean NOT NULL DEFAULT false;
CREATE INDEX ingestion_pages_unread ON ingestion_pages (ingestion_id) WHERE unread;

-- A person has accepted or corrected the text: what was said stays when its file
-- is cut again.
ALTER TABLE documents ADD COLUMN by_hand boolean NOT NULL DEFAULT false;

-- The numeric stem of an official number: « 2000-190/PRES/PM » and « 2000-0190 »
-- have « 2000-190 ». What has none is its own.
CREATE FUNCTION number_stem(number text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN number ~ '^[0-9]+([-/][0-9]+)+(?![0-9a-zA-Z])'
        THEN regexp_replace(translate(substring(number FROM '^[0-9]+(?:[-/][0-9]+)+'), '/', '-'), '(^|-)0+(?=[0-9])', '\1', 'g')
        ELSE lower(number) END;
-- What follows the stem: the signs of those who made the text.
CREATE FUNCTION number_signs(number text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN number ~ '^[0-9]+([-/][0-9]+)+(?![0-9a-zA-Z])' THEN lower(regexp_replace(number, '^[0-9]+([-/][0-9]+)+', '')) ELSE '' END;
CREATE INDEX documents_number_stem ON documents (number_stem(numero_officiel)) WHERE numero_officiel <> '';
CREATE INDEX relations_number_stem ON relations (number_stem(target_number)) WHERE target_number <> '';

-- The day of the text that a relation means, where its words say it.
ALTER TABLE relations ADD COLUMN target_on date;

-- +goose Down
ALTER TABLE relations DROP COLUMN target_on;
DROP INDEX documents_number_stem, relations_number_stem;
DROP FUNCTION number_stem(text);
DROP FUNCTION number_signs(text);
DROP INDEX ingestion_pages_unread;
ALTER TABLE ingestion_pages DROP COLUMN unread;
ALTER TABLE documents DROP COLUMN by_hand;

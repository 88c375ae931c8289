-- +goose Up

-- How many texts of the catalogue each month has, for every combination of
-- filters; '' is « any ». The sum over a combination is the total of a list, and
-- the running sum tells in which month a page begins: neither reads the texts.
--
-- Several rows may stand for one cell, and the cell is their sum: a writer adds
-- its own row and takes in those that nobody else holds, so that writers never
-- wait for one another, and a count is visible exactly where its texts are.
CREATE TABLE document_counts (
    domaine  text NOT NULL,
    doc_type text NOT NULL,
    statut   text NOT NULL,
    month    date NOT NULL, -- its first day
    n        integer NOT NULL
);

-- The state of the catalogue: the XOR of the stamps that a snapshot sees. Every
-- change adds a random one, so two snapshots with the same XOR see the same
-- texts. Rows are taken in as those above are.
CREATE TABLE document_stamps (stamp bigint NOT NULL);

-- What is searched by title, folded once. A title that is added or changed is
-- folded by the database itself.
ALTER TABLE documents ADD COLUMN title_folded text GENERATED ALWAYS AS (fold(title)) STORED;
DROP INDEX documents_title;
CREATE INDEX documents_title ON documents USING gin (title_folded gin_trgm_ops) WHERE NOT in_review;

-- A list is read from the index alone, filters and all, until its page is found.
DROP INDEX documents_newest;
CREATE INDEX documents_newest ON documents (promulgated_on DESC, id) INCLUDE (domaine, doc_type, statut) WHERE NOT in_review;

-- +goose StatementBegin
-- Notes what a statement has changed: its rows as they are now, less its rows as
-- they were. One statement is one note, however many rows it touches.
CREATE FUNCTION documents_counted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    cells text;
BEGIN
    IF TG_OP = 'TRUNCATE' THEN
        DELETE FROM document_counts;
    ELSE
        cells := CASE TG_OP
            WHEN 'INSERT' THEN 'SELECT domaine, doc_type, statut, promulgated_on, 1 AS n FROM made WHERE NOT in_review'
            WHEN 'DELETE' THEN 'SELECT domaine, doc_type, statut, promulgated_on, -1 AS n FROM gone WHERE NOT in_review'
            ELSE 'SELECT domaine, doc_type, statut, promulgated_on, 1 AS n FROM made WHERE NOT in_review
                UNION ALL SELECT domaine, doc_type, statut, promulgated_on, -1 FROM gone WHERE NOT in_review' END;
        EXECUTE 'WITH delta AS (
                SELECT coalesce(domaine, '''') AS domaine, coalesce(doc_type, '''') AS doc_type, coalesce(statut, '''') AS statut,
                    month, sum(n) AS n
                FROM (SELECT domaine, doc_type, statut, date_trunc(''month'', promulgated_on::timestamp)::date AS month, n FROM (' || cells || ') c) c
                GROUP BY month, CUBE (domaine, doc_type, statut) HAVING sum(n) <> 0),
            free AS (
                SELECT c.ctid AS place FROM document_counts c JOIN delta USING (domaine, doc_type, statut, month)
                FOR UPDATE OF c SKIP LOCKED),
            taken AS (
                DELETE FROM document_counts WHERE ctid = ANY (ARRAY(SELECT place FROM free)) RETURNING domaine, doc_type, statut, month, n)
            INSERT INTO document_counts
            SELECT domaine, doc_type, statut, month, sum(n) FROM (SELECT * FROM delta UNION ALL SELECT * FROM taken) both_of
            GROUP BY domaine, doc_type, statut, month HAVING sum(n) <> 0';
    END IF;
    WITH free AS (SELECT ctid AS place FROM document_stamps LIMIT 100 FOR UPDATE SKIP LOCKED),
        taken AS (DELETE FROM document_stamps WHERE ctid = ANY (ARRAY(SELECT place FROM free)) RETURNING stamp)
    INSERT INTO document_stamps
    SELECT hashtextextended(gen_random_uuid()::text, 0) # coalesce(bit_xor(stamp), 0) FROM taken;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER documents_made AFTER INSERT ON documents REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION documents_counted();
CREATE TRIGGER documents_changed AFTER UPDATE ON documents REFERENCING OLD TABLE AS gone NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION documents_counted();
CREATE TRIGGER documents_gone AFTER DELETE ON documents REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION documents_counted();
CREATE TRIGGER documents_emptied AFTER TRUNCATE ON documents
    FOR EACH STATEMENT EXECUTE FUNCTION documents_counted();

-- The triggers hold off writers until here is committed: nothing is missed.
INSERT INTO document_counts
SELECT coalesce(domaine, ''), coalesce(doc_type, ''), coalesce(statut, ''), month, count(*)
FROM (SELECT domaine, doc_type, statut, date_trunc('month', promulgated_on::timestamp)::date AS month FROM documents WHERE NOT in_review) d
GROUP BY month, CUBE (domaine, doc_type, statut);
CREATE INDEX document_counts_cell ON document_counts (domaine, doc_type, statut, month) INCLUDE (n);

-- +goose Down
DROP TRIGGER documents_made ON documents;
DROP TRIGGER documents_changed ON documents;
DROP TRIGGER documents_gone ON documents;
DROP TRIGGER documents_emptied ON documents;
DROP FUNCTION documents_counted();
DROP TABLE document_counts, document_stamps;
DROP INDEX documents_title, documents_newest;
ALTER TABLE documents DROP COLUMN title_folded;
CREATE INDEX documents_title ON documents USING gin (fold(title) gin_trgm_ops) WHERE NOT in_review;
CREATE INDEX documents_newest ON documents (promulgated_on DESC, id) WHERE NOT in_review;

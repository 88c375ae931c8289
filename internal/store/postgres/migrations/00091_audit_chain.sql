-- +goose Up
-- Each line of the audit log in the order in which the lines were committed, with the
-- hash of the one before: whoever changes, removes or slips in a line breaks it there.
-- A chain goes on over the months, so that each month's end is held by the next; it
-- has no gap but where the oldest months were dropped.
CREATE TABLE audit_chain (
    seq     bigint PRIMARY KEY CHECK (seq > 0),
    line_at timestamptz NOT NULL,
    line_id bigint NOT NULL,
    prev    bytea NOT NULL, -- the hash of the line before; of the first, 32 bytes of zero
    hash    bytea NOT NULL CHECK (octet_length(hash) = 32),
    UNIQUE (line_at, line_id)
);

-- +goose StatementBegin
-- What is hashed of a line: the hash before it, its number and its fields, each with its
-- length before it, so that no two lines read alike.
CREATE FUNCTION audit_sum(prev bytea, seq bigint, line audit) RETURNS bytea LANGUAGE sql STABLE
    AS $$ SELECT sha256(prev || convert_to(string_agg(octet_length(field) || ':' || field, ',' ORDER BY place), 'UTF8'))
        FROM unnest(ARRAY[seq::text, line.id::text, (extract(epoch FROM line.at) * 1000000)::bigint::text,
            coalesce(line.user_id::text, ''), line.action, line.object, line.details::text]) WITH ORDINALITY f (field, place) $$;

-- Adds a line to the chain when its transaction commits. The lock is the last one that
-- a transaction takes, and held for the commit alone: nobody waits in a circle.
CREATE FUNCTION audit_link() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    head audit_chain;
BEGIN
    PERFORM pg_advisory_xact_lock(8532478934958371379); -- "vigueur3"
    SELECT * INTO head FROM audit_chain ORDER BY seq DESC LIMIT 1;
    IF NOT FOUND THEN
        head.seq := 0;
        head.hash := decode(repeat('00', 32), 'hex');
    END IF;
    INSERT INTO audit_chain VALUES (head.seq + 1, NEW.at, NEW.id, head.hash, audit_sum(head.hash, head.seq + 1, NEW));
    RETURN NULL;
END $$;

-- Lines of before come in the order of their time.
DO $$
DECLARE
    line audit;
    n bigint := 0;
    last bytea := decode(repeat('00', 32), 'hex');
BEGIN
    FOR line IN SELECT * FROM audit ORDER BY at, id LOOP
        n := n + 1;
        INSERT INTO audit_chain VALUES (n, line.at, line.id, last, audit_sum(last, n, line)) RETURNING hash INTO last;
    END LOOP;
END $$;
-- +goose StatementEnd

CREATE CONSTRAINT TRIGGER audit_linked AFTER INSERT ON audit DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION audit_link();
CREATE TRIGGER audit_chain_append_only BEFORE UPDATE ON audit_chain FOR EACH ROW EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_chain_no_truncate BEFORE TRUNCATE ON audit_chain FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();

-- +goose Down
DROP TRIGGER audit_linked ON audit;
DROP TABLE audit_chain;
DROP FUNCTION audit_link();
DROP FUNCTION audit_sum(bytea, bigint, audit);

-- +goose Up
-- Who did what, and when. Rows are only ever added; what is too old goes by
-- dropping a month (DROP TABLE audit_2026_01), never row by row. user_id is no
-- reference: what a person did outlives the account. NULL is the operator's
-- command line.
CREATE TABLE audit (
    id      bigint GENERATED ALWAYS AS IDENTITY,
    at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    user_id uuid,
    action  text NOT NULL CHECK (action <> ''),
    object  text NOT NULL DEFAULT '',
    details jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (at, id)
) PARTITION BY RANGE (at);
CREATE INDEX audit_user ON audit (user_id, at);
CREATE INDEX audit_action ON audit (action, at);
-- What comes after the last month that was prepared.
CREATE TABLE audit_later PARTITION OF audit DEFAULT;

-- +goose StatementBegin
-- Makes the partitions of last month and of the given number of months from now
-- on that are not there. A month of which rows lie in audit_later stays there.
CREATE FUNCTION audit_prepare(ahead integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    first timestamp := date_trunc('month', now() AT TIME ZONE 'UTC');
    month timestamp;
BEGIN
    FOR i IN -1..ahead LOOP
        month := first + make_interval(months => i);
        BEGIN
            EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF audit FOR VALUES FROM (%L) TO (%L)',
                'audit_' || to_char(month, 'YYYY_MM'), to_char(month, 'YYYY-MM-DD') || ' 00:00:00+00',
                to_char(month + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00');
        EXCEPTION WHEN check_violation THEN
            NULL;
        END;
    END LOOP;
END $$;
-- +goose StatementEnd
SELECT audit_prepare(24);

-- +goose StatementBegin
CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
-- +goose StatementEnd
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse();

-- A status that an editor has set stays, whatever relations are found later.
ALTER TABLE documents ADD COLUMN status_by_hand boolean NOT NULL DEFAULT false;

CREATE INDEX users_newest ON users (created_at DESC);

-- The figures of a span of days.
CREATE INDEX messages_day ON messages (created_at) WHERE role = 'assistant';

-- +goose Down
DROP INDEX users_newest, messages_day;
ALTER TABLE documents DROP COLUMN status_by_hand;
DROP TABLE audit;
DROP FUNCTION audit_prepare(integer), audit_refuse();

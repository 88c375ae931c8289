-- +goose Up

-- The journal of changes of the law, to which rows are only added. It refers to no other table:
-- what it says of a text remains when the text is gone. The numbers are given under the lock of
-- the catalogue, so that whoever has read one has read all smaller ones.
CREATE TABLE law_changes (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at            timestamptz NOT NULL DEFAULT clock_timestamp(),
    kind          text NOT NULL CHECK (kind IN ('added', 'withdrawn', 'replaced', 'modified', 'repealed', 'restored', 'wording')),
    document_id   uuid NOT NULL,
    title         text NOT NULL,
    doc_type      text NOT NULL,
    domaine       text NOT NULL,
    countries     text[] NOT NULL DEFAULT '{}',
    articles      text[] NOT NULL DEFAULT '{}',   -- numbers of the changed articles; empty: the whole text
    keys          text[] NOT NULL DEFAULT '{}',   -- the same as law.ArticleKey makes them
    article_id    uuid,                           -- the article of a new wording, or the first of those changed
    act_id        uuid,                           -- text that makes the change, or that replaces this edition
    act_title     text NOT NULL DEFAULT '',
    valid_from    date,                           -- first day of the change
    valid_to      date,                           -- first day on which a wording is no longer law
    gone          boolean NOT NULL DEFAULT false, -- the article is repealed from that day
    digest        text NOT NULL DEFAULT ''        -- of a wording
);
CREATE INDEX law_changes_document ON law_changes (document_id, id);

-- What the journal has said of each text, with which the next state is compared.
CREATE TABLE law_states (
    document_id   uuid PRIMARY KEY,
    title         text NOT NULL,
    doc_type      text NOT NULL,
    domaine       text NOT NULL,
    countries     text[] NOT NULL DEFAULT '{}',
    successor     uuid,                           -- edition that superseded the text; NULL: the text is in the catalogue
    repealed_on   date,
    repealed_by   uuid,
    amendments    jsonb NOT NULL DEFAULT '[]'     -- a list of {act, kind, articles, from}
);
INSERT INTO law_states (document_id, title, doc_type, domaine, countries, successor, repealed_on, repealed_by, amendments)
SELECT d.id, d.title, d.doc_type, d.domaine, d.countries, d.superseded_by, d.repealed_on, d.repealed_by,
    coalesce((SELECT jsonb_agg(jsonb_build_object('act', r.source_id, 'kind', r.kind, 'articles', r.target_articles, 'from', r.effective_on) ORDER BY r.id)
        FROM relation_targets t JOIN relations r ON r.id = t.relation_id
        WHERE t.document_id = d.id AND NOT (r.kind = 'abroge' AND r.target_articles = '{}')), '[]')
FROM documents d WHERE NOT d.in_review OR d.superseded_by IS NOT NULL;

-- +goose Down
DROP TABLE law_states, law_changes;

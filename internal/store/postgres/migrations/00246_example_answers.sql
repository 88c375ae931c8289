-- +goose Up

-- How far the examples follow the catalogue: one row, as title_index has it.
CREATE TABLE example_index (
    id            uuid PRIMARY KEY,
    alone         boolean NOT NULL DEFAULT true UNIQUE CHECK (alone),
    version       bigint NOT NULL DEFAULT 0,      -- of catalogue_changes
    rebuild       boolean NOT NULL DEFAULT true,  -- to be made anew: at first, and when somebody asks
    state         text NOT NULL DEFAULT 'done' CHECK (state IN ('queued', 'running', 'done')),
    attempt       integer NOT NULL DEFAULT 0,
    failures      integer NOT NULL DEFAULT 0,     -- since it last went well
    error         text NOT NULL DEFAULT '',
    lease_until   timestamptz NOT NULL DEFAULT '-infinity',
    not_before    timestamptz NOT NULL DEFAULT '-infinity',
    updated_at    timestamptz NOT NULL DEFAULT now()
);
INSERT INTO example_index (id) VALUES (gen_random_uuid());

-- Questions that the catalogue answers surely, with what it answers.
CREATE TABLE example_answers (
    id            uuid PRIMARY KEY,
    question      text NOT NULL UNIQUE CHECK (octet_length(question) BETWEEN 1 AND 1024),
    document_id   uuid NOT NULL REFERENCES documents ON DELETE CASCADE,
    article_id    uuid NOT NULL REFERENCES articles ON DELETE CASCADE,
    number        text NOT NULL CHECK (octet_length(number) <= 512),  -- of the article that answers, as it is cited
    page          integer NOT NULL CHECK (page > 0),
    quote         text NOT NULL CHECK (octet_length(quote) BETWEEN 1 AND 65536),
    probability   double precision NOT NULL,
    version       bigint NOT NULL,                                    -- of the catalogue that answered
    made_at       timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX example_answers_document ON example_answers (document_id);
CREATE INDEX example_answers_article ON example_answers (article_id);

-- +goose Down
DROP TABLE example_answers, example_index;

-- +goose Up

-- How far the versions of articles follow the catalogue: one row, as title_index has it. The
-- work that the row describes fills the tables below, also from a catalogue that exists.
CREATE TABLE version_index (
    id            uuid PRIMARY KEY,
    alone         boolean NOT NULL DEFAULT true UNIQUE CHECK (alone),
    version       bigint NOT NULL DEFAULT 0,      -- of catalogue_changes
    rebuild       boolean NOT NULL DEFAULT true,  -- to be made anew: at first, and when somebody asks
    grammar       integer NOT NULL DEFAULT 0,     -- of the operations, as amend.Grammar counts
    state         text NOT NULL DEFAULT 'done' CHECK (state IN ('queued', 'running', 'done')),
    attempt       integer NOT NULL DEFAULT 0,
    failures      integer NOT NULL DEFAULT 0,     -- since it last went well
    error         text NOT NULL DEFAULT '',
    lease_until   timestamptz NOT NULL DEFAULT '-infinity',
    not_before    timestamptz NOT NULL DEFAULT '-infinity',
    updated_at    timestamptz NOT NULL DEFAULT now()
);
INSERT INTO version_index (id) VALUES (gen_random_uuid());

-- The operations of amending acts. They refer to no other table: when an act is deleted, its
-- operations still say which texts must be assembled again, and the work then deletes them.
CREATE TABLE amendment_operations (
    act_id        uuid NOT NULL,
    ordinal       integer NOT NULL,
    article_id    uuid,                           -- article of the act; NULL before the first one
    page          integer NOT NULL DEFAULT 0,     -- of the instruction; 0 if it is unknown
    words         text NOT NULL CHECK (octet_length(words) <= 4096), -- of the instruction, cut if it is longer
    operation     jsonb NOT NULL CHECK (octet_length(operation::text) <= 8388608),
    target_terms  text[] NOT NULL DEFAULT '{}',   -- words of the name of the amended text
    target_id     uuid,                           -- amended text; NULL: see reason
    reason        text NOT NULL DEFAULT '',
    PRIMARY KEY (act_id, ordinal)
);
CREATE INDEX amendment_operations_target ON amendment_operations (target_id, act_id);
CREATE INDEX amendment_operations_terms ON amendment_operations USING gin (target_terms);

-- The versions of the articles that acts have changed. Articles without a row are as printed.
CREATE TABLE article_versions (
    document_id   uuid NOT NULL,
    article_key   text NOT NULL,                  -- as law.ArticleKey makes it
    ordinal       integer NOT NULL,               -- 0 is the printed wording, if there is one
    article_id    uuid NOT NULL,                  -- printed article; derived from text and number for an inserted one
    place         integer NOT NULL,               -- order of the article in the text
    number        text NOT NULL,
    path          text[] NOT NULL DEFAULT '{}',
    body          text NOT NULL CHECK (octet_length(body) <= 8388608),
    valid_from    date,                           -- NULL: from the first day of the text
    valid_to      date,
    gone          boolean NOT NULL DEFAULT false, -- the article is repealed in these days
    act_id        uuid,                           -- act that made the version; NULL: as printed
    evidence      jsonb NOT NULL DEFAULT '[]',
    changes       jsonb NOT NULL DEFAULT '[]',    -- bytes of the new words in body
    person        boolean NOT NULL DEFAULT false, -- a person has decided the wording
    remarks       text[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (document_id, article_key, ordinal)
);
CREATE INDEX article_versions_article ON article_versions (article_id);
CREATE INDEX article_versions_day ON article_versions (document_id, valid_from);

-- Operations that wait for a person, or for a text.
CREATE TABLE amendment_waiting (
    id            uuid PRIMARY KEY,               -- derived from the act, the operation and the text
    act_id        uuid NOT NULL,
    ordinal       integer NOT NULL,               -- of the operation
    target_id     uuid,                           -- NULL: the amended text is not in the catalogue
    article       text NOT NULL DEFAULT '',
    reason        text NOT NULL,
    proposal      text CHECK (octet_length(proposal) <= 8388608) -- wording of the article that a person may accept
);
CREATE INDEX amendment_waiting_target ON amendment_waiting (target_id, act_id);
CREATE INDEX amendment_waiting_act ON amendment_waiting (act_id, ordinal);

-- What persons have decided on an article of a text after an act. It outlives both texts: they
-- have the same ids when their files are read again.
CREATE TABLE amendment_settlements (
    target_id     uuid NOT NULL,
    act_id        uuid NOT NULL,
    article_key   text NOT NULL,
    article       text NOT NULL,
    decision      text NOT NULL CHECK (decision IN ('accept', 'mend', 'reject')),
    body          text NOT NULL DEFAULT '' CHECK (octet_length(body) <= 8388608),
    effective_on  date,                           -- first day of the wording; NULL: that of the act
    settled_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (target_id, act_id, article_key)
);

-- +goose Down
DROP TABLE amendment_settlements, amendment_waiting, article_versions, amendment_operations, version_index;

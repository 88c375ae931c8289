-- +goose Up

-- What its reader thinks of an answer: the last opinion counts.
CREATE TABLE feedback (
    message_id uuid PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
    rating     text NOT NULL CHECK (rating IN ('up', 'down')),
    comment    text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
);

-- +goose Down
DROP TABLE feedback;

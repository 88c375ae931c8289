-- +goose Up
-- What a running answer has so far, written only while Redis does not take its
-- events: readers go on from it. It counts only when draft_attempt is the row's.
ALTER TABLE messages
    ADD COLUMN draft         text,
    ADD COLUMN draft_ends    integer[], -- byte offset in draft after each chunk
    ADD COLUMN draft_attempt integer;

-- +goose Down
ALTER TABLE messages DROP COLUMN draft, DROP COLUMN draft_ends, DROP COLUMN draft_attempt;

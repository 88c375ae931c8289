-- +goose Up
-- The audit log is append-only by its triggers and by the rights of the service; its lines have no hashes.
DROP TRIGGER audit_linked ON audit;
DROP TABLE audit_chain;
DROP FUNCTION audit_link();
DROP FUNCTION audit_sum(bytea, bigint, audit);

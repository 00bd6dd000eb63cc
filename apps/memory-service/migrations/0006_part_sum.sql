-- SHA-256 of the body: what the next checkpoint has too is taken over, and not written again. Null: an earlier version wrote it.
ALTER TABLE "memory"."checkpoint" ADD COLUMN "sha256" bytea;

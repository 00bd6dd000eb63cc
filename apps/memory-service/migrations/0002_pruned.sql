-- The archive of pruned memories. They come and go in the statement that writes the change of the log.
CREATE TABLE "memory"."pruned" (
  "space" text NOT NULL,
  "id" text NOT NULL,
  "scope" text NOT NULL,
  "agent_id" text NOT NULL,
  "project" text,
  "pruned_at" bigint NOT NULL,
  "body" text NOT NULL,
  PRIMARY KEY ("space", "id")
);

-- All that a save of files holds, up to a change of the log; the log starts after it.
ALTER TABLE "memory"."space"
  ADD COLUMN "checkpoint" bigint NOT NULL DEFAULT 0,
  ADD COLUMN "checkpoint_token" uuid,
  ADD COLUMN "checkpoint_id" uuid,
  ADD COLUMN "saved_at" bigint;
--> statement-breakpoint
-- The files of a checkpoint in parts. Those of an id that no space names were never finished.
CREATE TABLE "memory"."checkpoint" (
  "space" text NOT NULL,
  "id" uuid NOT NULL,
  "file" text NOT NULL,
  "part" integer NOT NULL,
  "made_at" timestamptz NOT NULL DEFAULT now(),
  "body" bytea NOT NULL,
  PRIMARY KEY ("space", "id", "file", "part")
);
--> statement-breakpoint
-- Compressing what is compressed already, or vectors, only takes time.
ALTER TABLE "memory"."checkpoint" ALTER COLUMN "body" SET STORAGE EXTERNAL;
--> statement-breakpoint
-- Who does the jobs of a space, by the clock of the database.
CREATE TABLE "memory"."lease" (
  "space" text PRIMARY KEY,
  "holder" uuid NOT NULL,
  "until" timestamptz NOT NULL
);
--> statement-breakpoint
-- The last consolidation and the last nightly run of a space, as JSON.
CREATE TABLE "memory"."run_log" (
  "space" text PRIMARY KEY,
  "body" text NOT NULL
);

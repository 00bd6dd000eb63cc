-- The head of a space: the number and the token of the last group of changes. Each append changes it, so its pages leave room.
CREATE TABLE "memory"."space" (
  "name" text PRIMARY KEY,
  "head" bigint NOT NULL,
  "token" uuid NOT NULL
) WITH (fillfactor = 50);
--> statement-breakpoint
-- Changes, numbered from 1 without a gap. Those of one group were written together and have one token.
CREATE TABLE "memory"."change" (
  "space" text NOT NULL,
  "seq" bigint NOT NULL,
  "token" uuid NOT NULL,
  "body" text NOT NULL,
  PRIMARY KEY ("space", "seq")
);

-- The last change that a reader of a space (a webhook) has taken, for the process that reads on.
CREATE TABLE "memory"."reader" (
  "space" text NOT NULL,
  "name" text NOT NULL,
  "place" bigint NOT NULL,
  PRIMARY KEY ("space", "name")
);

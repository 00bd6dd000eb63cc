-- Spaces whose vectors are in a table of their own, memory.vector_<number>. Ready: the checkpoint of the space leaves them to it.
CREATE TABLE "memory"."vector_table" (
  "space" text PRIMARY KEY,
  "number" bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  "model" text NOT NULL,
  "ready" boolean NOT NULL DEFAULT false
);

-- Spaces that were copied here: from where, up to which state of the source (null: not whole), and the head that the copy left.
CREATE TABLE "memory"."copy" (
  "space" text PRIMARY KEY,
  "source" text NOT NULL,
  "position" text,
  "token" uuid NOT NULL
);

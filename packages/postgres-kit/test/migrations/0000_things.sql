CREATE TABLE "kit"."things" ("id" integer PRIMARY KEY);

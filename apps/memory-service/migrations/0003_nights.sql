-- When a space was written to for the first time: nights before that were not missed.
ALTER TABLE "memory"."space" ADD COLUMN "created_at" timestamptz NOT NULL DEFAULT now();
--> statement-breakpoint
-- The last change when the run was noted: a space without later ones needs no night every day.
ALTER TABLE "memory"."run_log" ADD COLUMN "head" bigint;

CREATE TABLE `agents` (
	`agent_id` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `events` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`agent_id` text NOT NULL,
	`event_type` text NOT NULL,
	`task_type` text,
	`timestamp_us` integer NOT NULL,
	`metadata` text,
	`correlation_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_id` ON `events` (`id`);--> statement-breakpoint
CREATE INDEX `events_time` ON `events` (`timestamp_us`);--> statement-breakpoint
CREATE INDEX `events_agent_time` ON `events` (`agent_id`,`timestamp_us`);--> statement-breakpoint
CREATE INDEX `events_type_time` ON `events` (`task_type`,`timestamp_us`) WHERE task_type IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_correlation` ON `events` (`correlation_id`,`timestamp_us`) WHERE correlation_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `events_start` ON `events` (`correlation_id`) WHERE event_type = 'task_start';--> statement-breakpoint
CREATE TABLE `stopwatches` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`agent_id` text NOT NULL,
	`name` text NOT NULL,
	`started_us` integer NOT NULL,
	`stopped_us` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `stopwatches_name` ON `stopwatches` (`agent_id`,`name`);--> statement-breakpoint
CREATE TABLE `task_types` (
	`agent_id` text NOT NULL,
	`task_type` text NOT NULL,
	PRIMARY KEY(`agent_id`, `task_type`)
);
--> statement-breakpoint
CREATE TABLE `tasks` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`correlation_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`task_type` text NOT NULL,
	`state` text NOT NULL,
	`outcome` text,
	`started_us` integer NOT NULL,
	`ended_us` integer,
	`duration_us` integer,
	`estimated_seconds` real,
	`metadata` text,
	`end_event_id` text,
	`end_sequence` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tasks_correlation` ON `tasks` (`correlation_id`);--> statement-breakpoint
CREATE INDEX `tasks_time` ON `tasks` (`started_us`);--> statement-breakpoint
CREATE INDEX `tasks_agent_time` ON `tasks` (`agent_id`,`started_us`);--> statement-breakpoint
CREATE INDEX `tasks_type_time` ON `tasks` (`task_type`,`started_us`);--> statement-breakpoint
CREATE INDEX `tasks_end` ON `tasks` (`end_sequence`) WHERE end_sequence IS NOT NULL;--> statement-breakpoint
CREATE INDEX `tasks_durations` ON `tasks` (`task_type`,`outcome`,`duration_us`,`end_sequence`,`started_us`) WHERE state = 'ended';--> statement-breakpoint
CREATE INDEX `tasks_agent_durations` ON `tasks` (`agent_id`,`task_type`,`outcome`,`duration_us`,`end_sequence`,`started_us`) WHERE state = 'ended';--> statement-breakpoint
CREATE INDEX `tasks_open` ON `tasks` (`state`,`started_us`) WHERE state <> 'ended';--> statement-breakpoint
CREATE INDEX `tasks_open_type` ON `tasks` (`task_type`,`agent_id`,`state`,`started_us`) WHERE state <> 'ended';--> statement-breakpoint
CREATE INDEX `tasks_estimated_all` ON `tasks` (`end_sequence`) WHERE estimated_seconds IS NOT NULL AND outcome = 'ok';--> statement-breakpoint
CREATE INDEX `tasks_estimated` ON `tasks` (`agent_id`,`end_sequence`) WHERE estimated_seconds IS NOT NULL AND outcome = 'ok';
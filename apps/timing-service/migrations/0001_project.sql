DROP INDEX `stopwatches_name`;--> statement-breakpoint
ALTER TABLE `stopwatches` ADD `project` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `stopwatches_name` ON `stopwatches` (`agent_id`,`name`,`project`);--> statement-breakpoint
CREATE TABLE `__new_task_types` (
	`agent_id` text NOT NULL,
	`task_type` text NOT NULL,
	`project` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`agent_id`, `task_type`, `project`)
);
--> statement-breakpoint
INSERT INTO `__new_task_types`("agent_id", "task_type") SELECT "agent_id", "task_type" FROM `task_types`;--> statement-breakpoint
DROP TABLE `task_types`;--> statement-breakpoint
ALTER TABLE `__new_task_types` RENAME TO `task_types`;--> statement-breakpoint
ALTER TABLE `events` ADD `project` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `tasks` ADD `project` text DEFAULT '' NOT NULL;
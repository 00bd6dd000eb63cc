CREATE INDEX `task_types_project` ON `task_types` (`project`);--> statement-breakpoint
CREATE INDEX `task_types_agent_project` ON `task_types` (`agent_id`,`project`);
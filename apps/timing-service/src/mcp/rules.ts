/** How to work with time. Names of tools stand in braces. */
export const RULES = `Work with a sense of time.
1. Ask {now} at the start and after every pause: you have no clock of your own, and hours may lie between two messages.
2. {start} a task before anything that takes more than a few seconds, and {end} it with its outcome, also when it failed.
3. Use the same task type for the same kind of work. {expect} before you set a timeout or tell me how long something takes.
4. {check} what runs long instead of cutting it off or waiting blindly; {compare} before you choose between ways.
5. Tell me figures with how many runs stand behind them.`;

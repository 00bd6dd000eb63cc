/** When the page is drawn: changes within one frame are drawn once, and where thousands of tasks are laid out, those of a longer time. */

/** To lay out more tasks than this takes longer than a frame. */
const MANY_TASKS = 3_000;
const MANY_TASKS_EVERY_MS = 300;

/**
 * @param {() => void} draw @param {() => number} taskCount how many tasks there are to lay out
 * @returns {() => void} draws soon
 */
export function drawSchedule(draw, taskCount) {
  let isDue = false;
  const drawInFrame = () =>
    requestAnimationFrame(() => {
      isDue = false;
      draw();
    });
  return () => {
    if (isDue) return;
    isDue = true;
    if (taskCount() > MANY_TASKS) setTimeout(drawInFrame, MANY_TASKS_EVERY_MS);
    else drawInFrame();
  };
}

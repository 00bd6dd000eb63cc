/** Joins the parts: the choice in the address bar, the controller that reads, the views that draw. */

import { createActiveTasks } from './active/active-tasks.js';
import { createCompareRanges } from './comparison/comparison.js';
import { createCalibration } from './estimates/estimates.js';
import { createEventsList } from './events/events-list.js';
import { renderConnection, renderOverview, renderWelcome } from './overview/overview.js';
import { createController } from './reading/controller.js';
import { createPastTasks } from './reading/past-tasks.js';
import { drawChoice } from './shared/choice.js';
import { byId, setText } from './shared/dom.js';
import { createSpaceField } from './shared/space-field.js';
import { ALL_AGENTS, ALL_PROJECTS, readAddress, writeAddress } from './state/view-state.js';
import { createStopwatches } from './stopwatches/stopwatches.js';
import { createTaskPage } from './task/task-page.js';
import { createTimeline } from './timeline/timeline.js';
import { createTypeDetail } from './type-detail/type-detail.js';
import { createTypeTable } from './types/type-table.js';

/** Elapsed times tick; once a second is what a reader can follow. */
const TICK_MS = 1000;
/** To lay out more tasks than this takes longer than a frame. */
const MANY_TASKS = 3_000;
const MANY_TASKS_EVERY_MS = 300;
/** The timeline moves less than a pixel in this time. */
const TIMELINE_EVERY_TICKS = 5;
/** Below this width the details lie under the table, and choosing a type goes there. */
const SIDE_BY_SIDE = matchMedia('(min-width: 1100px)');

const view = readAddress();
/** @type {ReturnType<typeof setTimeout> | number | undefined} */ let frame;
const controller = createController(view, scheduleDraw);

const agentSelect = /** @type {HTMLSelectElement} */ (byId('agent-select'));
const projectSelect = /** @type {HTMLSelectElement} */ (byId('project-select'));
const activeTasks = createActiveTasks(byId('active'), { onSelectType: selectType });
const timeline = createTimeline(byId('timeline'), { onSpan: selectSpan, onSelectType: selectType });
const pastTasks = createPastTasks(scheduleDraw);
const calibration = createCalibration(byId('calibration'), { onOpenTask: openTask });
const compareRanges = createCompareRanges(byId('compare'), controller);
const taskPage = createTaskPage(/** @type {HTMLDialogElement} */ (byId('task')), controller, {
  onClose: () => openTask(null),
});
const typeTable = createTypeTable(byId('types'), { onSelect: selectType, onSort: scheduleDraw });
const typeDetail = createTypeDetail(byId('detail'), controller);
const eventsList = createEventsList(byId('events'), controller, { onOpenTask: openTask });
const stopwatches = createStopwatches(byId('stopwatches'));

controller.typesInView = typeTable.typesInView;
controller.onStatistics = (types) => {
  draw();
  typeDetail.refresh(types);
};

/** Many changes within one frame are drawn once, and where thousands of tasks are laid out, those of a longer time. */
function scheduleDraw() {
  if (frame !== undefined) return;
  const drawInFrame = () =>
    requestAnimationFrame(() => {
      frame = undefined;
      draw();
    });
  const isLarge = controller.store.tasks.size > MANY_TASKS;
  frame = isLarge ? setTimeout(drawInFrame, MANY_TASKS_EVERY_MS) : drawInFrame();
}

/** The type of the address, else the one with most runs. */
function shownType() {
  const { summaries, taskTypes } = controller.store;
  if (view.type !== null) return view.type;
  const busiest = summaries.reduce((most, next) => (next.count > (most?.count ?? 0) ? next : most), null);
  return busiest?.task_type ?? taskTypes[0] ?? null;
}

/** @type {string | null} stays while the busiest type changes */ let preselected = null;

function draw() {
  const { store } = controller;
  // Cards that are empty at first would push each other around as they fill.
  if (store.loaded) byId('cards').hidden = false;
  preselected ??= shownType();
  const type = view.type ?? preselected;
  drawChoice(agentSelect, { all: ALL_AGENTS, label: 'All agents', known: store.agents, chosen: view.agent });
  const projects = { all: ALL_PROJECTS, label: 'All projects', known: store.projects, chosen: view.project };
  drawChoice(projectSelect, projects);
  byId('project-field').hidden = store.projects.length === 0 && view.project === ALL_PROJECTS;
  renderConnection(controller);
  renderWelcome(byId('welcome'), store, view);
  renderOverview(byId('overview'), store);
  activeTasks.render(store);
  drawTimeline();
  typeTable.render(store, type);
  typeDetail.select(store.loaded ? type : null);
  eventsList.render(store);
  stopwatches.render(store, view.agent);
  calibration.render(store, view, pastTasks.of(controller.api(), view));
  compareRanges.render();
  taskPage.show(view.task);
}

function drawTimeline() {
  timeline.render(controller.store, view, pastTasks.of(controller.api(), view));
}

/** @param {string | null} id */
function openTask(id) {
  if (view.task === id) return;
  view.task = id;
  writeAddress(view);
  taskPage.show(id);
}

/** @param {string} type */
function selectType(type) {
  view.type = type;
  writeAddress(view);
  draw();
  setText(byId('announcer'), `Details of ${type}`);
  if (!SIDE_BY_SIDE.matches) typeDetail.focus();
}

/** @param {{ range?: string, until?: string | null }} span */
function selectSpan(span) {
  Object.assign(view, span);
  writeAddress(view);
  draw();
  if (view.until === null) void controller.reload();
}

for (const select of [agentSelect, projectSelect]) {
  select.addEventListener('change', () => {
    Object.assign(view, { agent: agentSelect.value, project: projectSelect.value, type: null, task: null });
    preselected = null;
    compareRanges.forget();
    writeAddress(view);
    controller.start();
  });
}

// The address behind the # belongs to the choice above, so this link moves the focus itself.
document.querySelector('.skip-link')?.addEventListener('click', (event) => {
  event.preventDefault();
  byId('content').focus();
});

addEventListener('popstate', () => {
  const before = { ...view };
  Object.assign(view, readAddress());
  if (view.agent !== before.agent || view.project !== before.project) {
    preselected = null;
    controller.start();
  } else void controller.reload();
  draw();
});

let ticks = 0;
setInterval(() => {
  if (document.hidden) return;
  const { store } = controller;
  ticks += 1;
  renderConnection(controller);
  if (controller.connection !== 'offline') void controller.readTimeouts();
  renderOverview(byId('overview'), store);
  activeTasks.render(store);
  stopwatches.render(store, view.agent);
  if (ticks % TIMELINE_EVERY_TICKS === 0) drawTimeline();
}, TICK_MS);

createSpaceField(byId('space'));
byId('content').dataset.ready = 'yes';
draw();
controller.start();

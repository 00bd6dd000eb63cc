/** Joins the parts: the choice in the address bar, the controller that reads, the cards that draw. */

import { ActiveTasks } from './active/active-tasks.js';
import { Comparison } from './comparison/comparison.js';
import { renderEstimates } from './estimates/estimates.js';
import { EventsList } from './events/events-list.js';
import { Choices } from './header/choices.js';
import { renderConnection } from './header/connection.js';
import { renderOverview } from './overview/overview.js';
import { isEmpty, renderWelcome } from './overview/welcome.js';
import { drawSchedule } from './pieces/draw-schedule.js';
import { Controller } from './reading/controller.js';
import { DaysBeforeReader } from './reading/days-before.js';
import { createPastTasks } from './reading/past-tasks.js';
import { TimeSpentReader } from './reading/time-spent-reader.js';
import { startOfDay } from './shared/calendar-day.js';
import { nowMs } from './shared/clock.js';
import { byId, setText } from './shared/dom.js';
import { createSpaceField } from './shared/space-field.js';
import { timeZoneText } from './shared/time-zone.js';
import { ShownType } from './state/shown-type.js';
import { readAddress, sortedFirst, writeAddress } from './state/view-state.js';
import { Stopwatches } from './stopwatches/stopwatches.js';
import { TaskPage } from './task/task-page.js';
import { TimeSpentCard } from './time-spent/time-spent.js';
import { Timeline } from './timeline/timeline.js';
import { TypeDetail } from './type-detail/type-detail.js';
import { TypeTable } from './types/type-table.js';

/** Elapsed times tick; once a second is what a reader can follow. */
const TICK_MS = 1000;
/** The timeline moves less than a pixel in this time. */
const TIMELINE_EVERY_TICKS = 5;
/** Below this width the details lie under the table, and choosing a type goes there. */
const SIDE_BY_SIDE = matchMedia('(min-width: 1100px)');

/** So many rows are about as high as a timeline of few lanes, so many lanes as both the rows and the stopwatches. */
const TALL_ACTIVE_ROWS = 4;
const TALL_LANES = 7;
/** Fewer rows are about as high as the comparison, more are higher than the detail of one. */
const SOME_TYPES = 5;
const MANY_TYPES = 12;

const view = readAddress();
const shownType = new ShownType();
const drawSoon = drawSchedule(draw, () => controller.store.tasks.size);
const controller = new Controller(view, drawSoon);
const pastTasks = createPastTasks(drawSoon);
const daysBefore = new DaysBeforeReader(drawSoon);
const timeSpent = new TimeSpentReader(drawSoon);

const choices = new Choices(chooseWhose);
const activeTasks = new ActiveTasks(byId('active'), { onSelectType: selectType, onAll: listAllActive });
const timeline = new Timeline(byId('timeline'), { onSpan: selectSpan, onSelectType: selectType });
const stopwatches = new Stopwatches(byId('stopwatches'));
const timeSpentCard = new TimeSpentCard(byId('time-spent'), { onBy: tellTimeBy, onDay: selectDay });
const typeTable = new TypeTable(byId('types'), { onSelect: selectType, onSort: sortTypes, onUnfold: drawSoon });
const typeDetail = new TypeDetail(byId('detail'), controller);
const comparison = new Comparison(byId('compare'), controller, { onCompare: compareDays });
const eventsList = new EventsList(byId('events'), controller, { onOpenTask: openTask, onFilter: filterEvents });
const taskPage = new TaskPage(/** @type {HTMLDialogElement} */ (byId('task')), controller, {
  taskOf: (id) => controller.store.tasks.get(id) ?? pastTasks.find(id),
  onClose: () => openTask(null),
});

function draw() {
  const { store } = controller;
  const type = shownType.of(store, view);
  // Cards that are empty at first would push each other around as they fill; where nothing is recorded they would be empty all.
  byId('cards').hidden = !store.loaded || isEmpty(store);
  byId('overview').hidden = store.loaded && isEmpty(store);
  choices.render(store, view);
  renderConnection(controller);
  renderWelcome(byId('welcome'), store, view);
  renderOverview(byId('overview'), store, openFigure);
  activeTasks.render(store, view);
  drawTimeline();
  drawTimeSpent();
  typeTable.render(store, { selected: type, sort: view.sort });
  typeDetail.select(store.loaded ? type : null);
  eventsList.render(store);
  stopwatches.render(store, view.agent);
  renderEstimates(byId('calibration'), shownTasks(), view, openTask);
  comparison.render(view);
  taskPage.show(view.task);
  arrange();
}

/** Says how long cards are, by which layout.css places what stands beside them. Its :has() would match all of the page at each draw. */
function arrange() {
  const count = (/** @type {string} */ rows) => document.querySelectorAll(rows).length;
  const isRight = count('.active-row') >= TALL_ACTIVE_ROWS && count('.lane') < TALL_LANES;
  byId('cards').dataset.stopwatches = isRight ? 'right' : 'left';
  const types = count('#types tbody tr');
  byId('type-cards').dataset.types = types < SOME_TYPES ? 'few' : types < MANY_TYPES ? 'some' : 'many';
}

function drawTimeline() {
  const { store } = controller;
  const past = pastTasks.of(controller.api(), view);
  timeline.render({ store, view, past, before: daysBefore.of(controller.api(), view, past ?? store) });
}

function drawTimeSpent() {
  // Now and then is by the clock of the service, which is known once anything is.
  if (controller.store.loaded) timeSpentCard.render(timeSpent.of(controller.api(), view), view);
}

/** The tasks of the chosen time: those of the store, where it ends now. */
function shownTasks() {
  const { store } = controller;
  return pastTasks.of(controller.api(), view) ?? { ...store, tasks: store.tasks.values() };
}

/** What passes by itself. @param {number} ticks since the page was opened */
function drawTick(ticks) {
  const { store } = controller;
  renderConnection(controller);
  if (controller.connection !== 'offline') void controller.readTimeouts();
  renderOverview(byId('overview'), store, openFigure);
  activeTasks.render(store, view);
  stopwatches.render(store, view.agent);
  taskPage.show(view.task);
  if (ticks % TIMELINE_EVERY_TICKS !== 0) return;
  drawTimeline();
  if ([...store.tasks.values()].some(({ state }) => state === 'active')) timeSpent.changed();
  drawTimeSpent();
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

/** Shows the list behind a figure of the overview. @param {import('./overview/overview.js').Figure} figure */
function openFigure(figure) {
  if (figure === 'running' || figure === 'overdue') {
    listActive(figure === 'overdue');
    goTo('active');
  } else if (figure === 'agents') {
    tellTimeBy('agent');
    goTo('time-spent');
  } else {
    sortTypes(sortedFirst(figure === 'failures' ? 'failures' : 'count'));
    goTo('types');
  }
}

/** @param {import('./state/view-state.js').Sort} sort */
function sortTypes(sort) {
  view.sort = sort;
  writeAddress(view);
  draw();
}

/** @param {string} days */
function compareDays(days) {
  view.compared = days;
  writeAddress(view);
  comparison.render(view);
}

/** @param {import('./state/store.js').EventFilter} events */
function filterEvents(events) {
  view.events = events;
  writeAddress(view);
  void controller.loadEvents();
}

/** @param {boolean} onlyOverdue */
function listActive(onlyOverdue) {
  view.onlyOverdue = onlyOverdue;
  writeAddress(view);
  draw();
}

function listAllActive() {
  listActive(false);
  // The button is gone.
  byId('active-heading').focus({ preventScroll: true });
}

/** @param {string} card its id */
function goTo(card) {
  byId(card).scrollIntoView({ block: 'start' });
  byId(`${card}-heading`).focus({ preventScroll: true });
}

/** @param {{ range?: string, until?: string | null }} span */
function selectSpan(span) {
  Object.assign(view, span);
  writeAddress(view);
  if (view.until === null) void controller.reload();
  draw();
}

/** @param {number} startMs of a day */
function selectDay(startMs) {
  const untilMs = startOfDay(startMs, 1);
  selectSpan({ range: '24h', until: untilMs < nowMs() ? new Date(untilMs).toISOString() : null });
}

/** @param {import('./state/view-state.js').SpentBy} spentBy */
function tellTimeBy(spentBy) {
  view.spentBy = spentBy;
  writeAddress(view);
  draw();
}

/** @param {{ agent: string, project: string }} whose */
function chooseWhose(whose) {
  Object.assign(view, whose, { type: null, task: null, compared: null });
  shownType.forget();
  comparison.forget();
  writeAddress(view);
  controller.start();
}

/** The reader went back or forth. */
function followAddress() {
  const before = { ...view };
  Object.assign(view, readAddress());
  if (view.agent !== before.agent || view.project !== before.project) {
    shownType.forget();
    comparison.forget();
    controller.start();
  } else void controller.reload();
  draw();
}

controller.typesInView = () => typeTable.typesInView;
controller.onStatistics = (types) => {
  timeSpent.changed();
  draw();
  typeDetail.refresh(types);
};

addEventListener('popstate', followAddress);

// The address behind the # belongs to the choice above, so this link moves the focus itself.
document.querySelector('.skip-link')?.addEventListener('click', (event) => {
  event.preventDefault();
  byId('content').focus();
});

let ticks = 0;
setInterval(() => {
  if (document.hidden) return;
  ticks += 1;
  drawTick(ticks);
}, TICK_MS);

createSpaceField(byId('space'));
setText(byId('time-zone'), `, ${timeZoneText(nowMs())}`);
byId('content').dataset.ready = 'yes';
draw();
controller.start();

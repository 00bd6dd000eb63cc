// What the team of team.mjs talks about: made up for it. A ferry company with a booking site, a crew app and piers to run.

/** Who tells, for which projects, from which day of the quarter on, and how much. */
export const team = [
  { agent: 'planner', projects: ['booking', 'crew-app', 'piers'], from: 0, share: 3, name: 'Dana' },
  { agent: 'coder', projects: ['booking', 'crew-app'], from: 0, share: 6, name: 'Milo' },
  { agent: 'reviewer', projects: ['booking', 'crew-app'], from: 4, share: 3, name: null },
  { agent: 'tester', projects: ['booking', 'crew-app', 'piers'], from: 9, share: 4, name: null },
  { agent: 'ops', projects: ['piers', 'booking'], from: 0, share: 5, name: 'Ingrid' },
  { agent: 'support', projects: ['booking'], from: 21, share: 4, name: 'Tomas' },
  { agent: 'analyst', projects: ['booking', 'tariffs'], from: 35, share: 2, name: 'Yusra' },
  { agent: 'writer', projects: ['tariffs', null], from: 48, share: 1, name: null },
];

const things = {
  booking: [
    'seat map',
    'payment page',
    'refund form',
    'vehicle check-in',
    'ticket scanner',
    'price cache',
    'mail queue',
    'group booking',
    'loyalty card',
    'cancellation job',
    'waiting list',
    'invoice export',
  ],
  'crew-app': [
    'shift planner',
    'rest-time check',
    'drill log',
    'crew roster',
    'swap request',
    'tide table',
    'safety checklist',
    'uniform order',
    'leave calendar',
    'badge reader',
  ],
  piers: [
    'north ramp',
    'pier 4 crane',
    'fuel berth',
    'mooring camera',
    'gangway heater',
    'queue display',
    'lorry lane',
    'foot passenger hall',
    'tide gauge',
    'breakwater light',
  ],
  tariffs: ['winter tariff', 'resident discount', 'bicycle fare', 'caravan surcharge', 'night crossing', 'school rate'],
};
const attributes = [
  {
    of: ['booking', 'crew-app'],
    say: (thing, value) => `The ${thing} keeps its logs for ${value} days.`,
    values: [14, 30, 60, 90, 120],
  },
  {
    of: ['booking', 'crew-app'],
    say: (thing, value) => `The ${thing} times out after ${value} seconds.`,
    values: [3, 5, 8, 15, 20],
  },
  {
    of: ['booking', 'crew-app'],
    say: (thing, value) => `The ${thing} runs on PostgreSQL ${value}.`,
    values: [14, 15, 16, 17],
  },
  {
    of: ['booking', 'crew-app', 'piers'],
    say: (thing, value) => `${value} owns the ${thing}.`,
    values: ['Ingrid', 'Milo', 'Tomas', 'Yusra', 'Dana'],
  },
  {
    of: ['booking', 'crew-app'],
    say: (thing, value) => `The ${thing} is released on ${value}s.`,
    values: ['Monday', 'Tuesday', 'Wednesday', 'Thursday'],
  },
  { of: ['piers'], say: (thing, value) => `The ${thing} opens at ${value}.`, values: ['5:30', '6:00', '6:45', '7:15'] },
  { of: ['piers'], say: (thing, value) => `The ${thing} is inspected every ${value} weeks.`, values: [2, 4, 6, 8, 12] },
  {
    of: ['piers'],
    say: (thing, value) => `The ${thing} carries at most ${value} tonnes.`,
    values: [18, 24, 30, 36, 44],
  },
  {
    of: ['tariffs'],
    say: (thing, value) => `The ${thing} is ${value} euros for a return crossing.`,
    values: [9, 12, 16, 19, 24, 31],
  },
  {
    of: ['tariffs'],
    say: (thing, value) => `The ${thing} begins on ${value}.`,
    values: ['1 October', '15 October', '1 November', '1 December'],
  },
];

/** Facts that have one value at a time: a sentence for each of its values. */
export const subjects = attributes.flatMap(({ of, say, values }) =>
  of.flatMap((project) =>
    things[project].map((thing) => ({
      project,
      thing,
      say: (place) => say(thing, values[place % values.length]),
      values: values.length,
    })),
  ),
);

const verbs = [
  'checked',
  'rewrote',
  'measured',
  'cleaned up',
  'profiled',
  'documented',
  'restarted',
  'split',
  'reviewed',
  'moved',
];
const findings = [
  'a retry storm',
  'two unused flags',
  'a slow query',
  'a missing index',
  'a stale lock',
  'a time zone slip',
  'a leaking handle',
  'a race at start',
  'a wrong label',
  'a rounding error',
];
const places = [
  'in the harbour of Selby',
  'on the line to Marrow Island',
  'at the depot',
  'on the test ship',
  'in the night shift',
  'on the morning run',
  'at the ticket hall',
  'on the island side',
];
const nextSteps = [
  'to be looked at again',
  'fixed in the same hour',
  'waits for a part',
  'handed to the crew',
  'noted for the retrospective',
  'needs a second look',
  'done and closed',
  'put behind a flag',
];
const people = [
  'Dana',
  'Milo',
  'Ingrid',
  'Tomas',
  'Yusra',
  'captain Oyelaran',
  'Petra from finance',
  'the night watch',
];
const wishes = [
  'wants one report a day',
  'prefers short mails',
  'asks for the numbers by noon',
  'would rather call than write',
  'reads reports on paper',
  'wants to be asked before a release',
];
const causes = [
  'after the storm',
  'since the update',
  'because of the new scanner',
  'when two ships dock at once',
  'after midnight',
  'with more than 400 bookings',
  'on slow connections',
  'in the cold',
];

const moments = [
  'Before the first ship',
  'At noon',
  'During the drill',
  'After the last ferry',
  'In the second week',
  'On a quiet Sunday',
];
const moods = [
  'slow but sound',
  'quicker than we hoped',
  'hard to reach',
  'as it should be',
  'busy without a break',
  'quiet for hours',
];
const gifts = ['a second queue', 'a smaller cache', 'a plain table', 'its own alarm', 'a dry run', 'a rollback button'];

/** What is said in passing; `pick` takes one of a list, `id` makes an identifier. */
export const talk = [
  ({ thing, pick }) => `I ${pick(verbs)} the ${thing} and found ${pick(findings)}; ${pick(nextSteps)}.`,
  ({ thing, pick }) => `${pick(moments)} the ${thing} was ${pick(moods)} ${pick(places)}.`,
  ({ thing, pick }) => `${pick(people)} ${pick(wishes)} while we work on the ${thing}.`,
  ({ thing, pick }) => `The test of the ${thing} passed ${pick(causes)}; ${pick(nextSteps)}.`,
  ({ thing, pick }) => `The ${thing} failed ${pick(places)} ${pick(causes)}; ${pick(nextSteps)}.`,
  ({ thing, pick }) => `Decided with ${pick(people)}: the ${thing} gets ${pick(gifts)}.`,
  ({ thing, pick }) => `Why does the ${thing} stop ${pick(causes)}? ${pick(people)} asks.`,
  ({ thing, pick, id }) => `Commit ${id('')} touches the ${thing}: ${pick(findings)} is gone.`,
  ({ thing, pick }) =>
    `While the crew waited, we talked the ${thing} through ${pick(places)}: ${pick(findings)}, ${pick(nextSteps)}.`,
];

/** What lies ahead when the quarter ends: `told` so many days before its last day; `day` words the day that lies so far behind that. */
export const plans = [
  {
    agent: 'planner',
    project: 'booking',
    told: 6,
    say: (day) => `Milo shows the new seat map on ${day(0)} at 15:00.`,
  },
  { agent: 'ops', project: 'piers', told: 3, say: (day) => `Divers inspect the north ramp on ${day(0)}.` },
  {
    agent: 'planner',
    project: null,
    told: 8,
    say: (day) => `Call with the harbour of Selby about the winter timetable: ${day(1)}, 10:00, Dana and Yusra.`,
  },
  {
    agent: 'support',
    project: 'booking',
    told: 1,
    say: (day) => `The refund form is away for maintenance on ${day(1)} from 22:00.`,
  },
  {
    agent: 'analyst',
    project: 'tariffs',
    told: 20,
    say: (day) => `The winter tariff starts on ${day(2)}; residents pay 20 % less.`,
  },
  {
    agent: 'ops',
    project: 'piers',
    told: 11,
    say: (day) => `The pier 4 crane is shut from ${day(3)} to ${day(5)}; lorries use the fuel berth.`,
  },
  {
    agent: 'coder',
    project: 'crew-app',
    told: 4,
    say: (day) => `Release 4.2 of the crew app goes out on ${day(3)} at 6:30.`,
  },
  {
    agent: 'planner',
    project: 'crew-app',
    told: 15,
    say: (day) => `Fire drill for all crews on ${day(4)} at 9:00, led by Ingrid.`,
  },
  {
    agent: 'writer',
    project: null,
    told: 2,
    say: (day) => `The weekly letter needs its pictures by ${day(6)}.`,
  },
];

export const thingsOf = (project) =>
  things[project] ?? ['team handbook', 'weekly letter', 'meeting room', 'style guide'];

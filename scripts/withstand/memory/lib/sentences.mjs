// What a team and its agents might say: believable in length and in how often words return, the same for the same seed.
// Word frequencies fall as in real text (Zipf), every sentence has names and numbers of its own, so that hardly two are alike.

const PEOPLE =
  'Ana Boris Chen Dilara Emeka Farid Greta Hana Ivo Jun Kemal Lena Mika Nadia Omar Priya Quinn Rosa Sven Tara';
const PROJECTS =
  'Kestrel Orion Bluebird Falcon Harbour Juniper Lantern Meridian Nimbus Pelican Quartz Raven Sable Tundra';
const THINGS = `cache queue index login page invoice report backup deploy pipeline token webhook schema migration dashboard
  parser scheduler retry timeout certificate container cluster replica shard ledger payment refund receipt mailer template
  search ranking feed profile avatar upload thumbnail video transcript caption glossary survey form wizard tour release
  branch merge review test fixture mock benchmark profiler trace metric alert pager rota holiday budget contract vendor
  licence audit policy consent cookie session password key secret vault gateway proxy router switch cable rack sensor
  battery charger drone map route parcel courier warehouse shelf label barcode scanner printer kitchen coffee lunch train`;
const VERBS = `fixed broke rewrote reviewed shipped reverted measured tested planned postponed explained renamed removed
  merged documented profiled benchmarked deployed rolled-back discussed approved rejected restarted migrated archived
  duplicated translated repaired replaced ordered paid cancelled booked moved opened closed split joined cleaned`;
const TRAITS = `slow flaky broken green red old new large small noisy quiet expensive cheap stable stale fresh missing
  duplicate hidden public private urgent optional manual automatic nightly weekly broken-down half-finished brand-new`;
const PLACES = 'Lisbon Porto Berlin Oslo Nairobi Kyoto Lima Quito Zagreb Tartu office kitchen workshop station airport';
const TIMES = `yesterday, today, tomorrow, last week, next month, on Monday, on Friday, in March, before lunch, after the stand-up,
  two days ago, at noon`;
const REASONS = `because the disk was full, because nobody had looked at it for months, so that the release can go out,
  since the customer asked for it twice, although the tests were red, and it took three hours longer than planned,
  which surprised everybody, and that is why the budget is gone, but only on Windows, as agreed with legal,
  and we should never do that again, after the certificate ran out`;

const words = (text) => text.trim().split(/\s+/);
const phrases = (text) => text.split(',').map((phrase) => phrase.trim().replace(/\s+/g, ' '));

/** Customers, libraries, products: the long tail of words that occur once or twice. */
const RARE_WORDS = 60_000;
const SYLLABLES = words('ba cor den el fi gran hol ix jar ko lum mor nex or pli qua rin sol tev ur vin wex yor zan');

const LISTS = {
  person: words(PEOPLE),
  project: words(PROJECTS),
  thing: words(THINGS),
  verb: words(VERBS),
  trait: words(TRAITS),
  place: words(PLACES),
  time: phrases(TIMES),
  reason: phrases(REASONS),
};

const PATTERNS = [
  '{person} {verb} the {trait} {thing} of {rare} {time}.',
  '{person} said that the {thing} {number} is {trait} {reason}.',
  'The {thing} of customer {rare} was {verb} in {place} {time}, {reason}.',
  'Can you tell me who {verb} the {thing} with the {trait} {rare} plug-in {time}?',
  'I think we need {number} more {thing} entries for {project}; {person} wants them {time}.',
  'Decision: {project} uses the {trait} {rare} library from version {version} on, {reason}.',
  '{person} and {person} meet {time} in {place} to talk about the {thing}, {rare} and {project}.',
  'Ticket {project}-{number}: the {thing} is {trait}. {person} has {verb} the {thing} and waits for an answer.',
  'It costs {number} euros a month to keep the {trait} {thing} of {project}, {reason}.',
  'My {thing} is {trait} again. I {verb} the {thing} twice {time} and it still shows error {number}.',
];

/** @param random numbers in [0, 1) */
export function sentenceSource(random) {
  // Real words come by Zipf's law: the n-th of a list is n times rarer than the first.
  const draw = (list) => list[Math.min(list.length - 1, Math.floor(list.length ** random()) - 1)];
  const fill = (slot) => {
    if (slot === 'number') return String(Math.floor(random() * 9_000) + 10);
    if (slot === 'version')
      return `${Math.floor(random() * 9)}.${Math.floor(random() * 30)}.${Math.floor(random() * 9)}`;
    if (slot === 'rare') return rareWord(Math.floor(RARE_WORDS ** random()));
    return draw(LISTS[slot]);
  };
  const pick = (list) => list[Math.floor(random() * list.length)];
  return () => pick(PATTERNS).replace(/\{(\w+)\}/g, (_, slot) => fill(slot));
}

/** The word of a number: its digits in syllables. */
function rareWord(number) {
  let word = '';
  for (let left = number; left > 0 || word.length < 4; left = Math.floor(left / SYLLABLES.length)) {
    word += SYLLABLES[left % SYLLABLES.length];
  }
  return word[0].toUpperCase() + word.slice(1);
}

/** A question about what sentences of the same source say. */
export function questionSource(random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const patterns = [
    () => `Who ${pick(LISTS.verb)} the ${pick(LISTS.thing)} of ${pick(LISTS.project)}?`,
    () => `What did ${pick(LISTS.person)} say about the ${pick(LISTS.trait)} ${pick(LISTS.thing)}?`,
    () => `When was the ${pick(LISTS.thing)} ${pick(LISTS.verb)} in ${pick(LISTS.place)}?`,
    () => `How much do we pay for the ${pick(LISTS.thing)} of ${pick(LISTS.project)} ${pick(LISTS.time)}?`,
    () => `Is the ${pick(LISTS.thing)} still ${pick(LISTS.trait)}?`,
  ];
  return () => pick(patterns)();
}

import { stemOf, type Word } from '../../text/words/words.ts';

/** Words that exclude each other, with a bar between the two sides; chosen by hand. */
const PAIRS = `
  open opened | closed shut ; on enabled active activated running | off disabled inactive deactivated stopped paused ; up available online | down
  unavailable offline ; working works intact functional | broken defective faulty dead ; full | empty ; always | never ; everybody everyone all | nobody none ;
  before | after ; above over | below under ; first | last ; early | late ; increase increased rise rose grew growing up higher more | decrease decreased fall
  fell dropped shrank shrinking lower fewer less ; accept accepted approve approved agreed allowed permitted welcome | reject rejected refuse refused declined
  denied forbidden banned prohibited ; public | private secret confidential ; internal | external ; manual manually | automatic automatically automated ; hot warm | cold ;
  wet | dry ; big large huge | small tiny little ; long | short ; tall high | low ; wide | narrow ; thick | thin ; heavy | light ; fast quick | slow ;
  cheap | expensive costly ; paid | unpaid owe owes owed overdue outstanding ; positive | negative ; vacant | occupied rented ; light | dark ; supported | unsupported dropped ; free | paid pay pays cost costs ; easy simple | difficult hard complicated ; safe | dangerous unsafe ; clean | dirty ; rich | poor ; strong | weak ;
  good excellent great | bad poor terrible ; best favourite favorite | worst ; happy glad | unhappy sad ; healthy well | sick ill ; alive living | dead died ;
  married | single divorced unmarried ; employed | unemployed jobless ; old | new young ; left | right ; north | south ; east | west ; inside indoors indoor |
  outside outdoors outdoor ; upstairs | downstairs ; front | back rear ; win won | lost lose ; pass passed | failed fail ; success successful succeed succeeded | fail failed failure
  unsuccessful ; present | absent missing ; included | excluded ; encrypted | unencrypted plaintext ; signed | unsigned ; required mandatory compulsory
  obligatory need needs needed must | optional voluntary ; temporary | permanent ; true correct right | false wrong incorrect ; same identical | different ; odd | even ; quiet silent |
  loud noisy ; busy crowded | quiet empty ; vegetarian vegan | meat ; read-only | writable ; synchronous | asynchronous ; local | remote ; stable | unstable
  flaky ; legal | illegal ; possible | impossible ; reliable | unreliable ; finished done closed complete completed ready | unfinished incomplete pending progress ; granted approved issued passed | pending ;
  started begun | ended ; merged | unmerged ; hired | fired dismissed ; arrived | departed left ; bought | sold ; awake | asleep ; locked | unlocked ;
  raw | cooked ; fresh | stale frozen ; ripe | unripe ; smooth | rough ; sharp | blunt ; deep | shallow ; bright | dark ; sweet | bitter sour ; minimum | maximum ;
  forbidden banned prohibited | may can fine ok ; merged fixed resolved | open unresolved ;
  majority | minority ; alone | together ; male | female ; oldest eldest | youngest ; largest | smallest ; horizontal | vertical ; left-handed | right-handed`;

/** Words that distinguish two things: statements on the north gate and the south gate do not contradict each other. */
const WHICH = `
  north northern | south southern ; east eastern | west western ; upstairs | downstairs ; left | right ; front | back rear ; upper top | lower bottom ;
  inner | outer ; old former previous last | new current next this ; first | second ; second | third ; first | third ; early | late ; summer | winter ;
  primary main | secondary backup replica standby ; staging test | production prod live ; local | remote central ; public | private ; morning | evening afternoon ;
  adult | child kid ; day | night ; weekday | weekend ; mean average | median | maximum max peak | minimum min ; gross | net ; android | ios ; linux | windows | mac macos ; frontend |
  backend ; yesterday | today ; today | tomorrow ; yesterday | tomorrow ; internal | external ; big large | small little ; before | after since`;

const LIKES = wordsOf(
  `love loves loved loving like likes liked enjoy enjoys enjoyed adore adores adored prefer prefers preferred favourite favorite best
  fan keen fond happiest happy glad delight delights pleasure enthusiast`,
);
const DISLIKES = wordsOf(
  `hate hates hated dislike dislikes disliked loathe loathes detest detests despise despises worst least avoid avoids can't-stand
  abhor bore bores boring annoying annoys disgusting awful unbearable sick allergic allergy`,
);

type Sides = ReadonlyMap<string, readonly { readonly group: number; readonly side: number }[]>;

const OPPOSITES = sidesOf(PAIRS);
const WHICH_OF_TWO = sidesOf(WHICH);

type Stemmed = Pick<Word, 'stem'>;

/** The positions of words that exclude each other: open and closed, or legal and illegal by form. */
export function oppositesIn(a: readonly Stemmed[], b: readonly Stemmed[]): (readonly [number, number])[] {
  const [mine, theirs] = [placesOfListed(a), placesOfListed(b)];
  const listed = mine.flatMap((at) =>
    theirs.flatMap((other) =>
      areListedOpposites(a[at]?.stem ?? '', b[other]?.stem ?? '') ? [[at, other] as const] : [],
    ),
  );
  const denied = placesOfDenied(a, b);
  const denying = placesOfDenied(b, a).map(([other, at]) => [at, other] as const);
  return [...listed, ...denied, ...denying];
}

/** Most words have no opposite at all. */
function placesOfListed(words: readonly Stemmed[]): number[] {
  return words.flatMap(({ stem }, at) => (OPPOSITES.has(stem) || stem.endsWith('er') ? [at] : []));
}

function areListedOpposites(a: string, b: string): boolean {
  if (areOnOtherSides(OPPOSITES, a, b)) return true;
  const [one, other] = [comparedBy(a), comparedBy(b)];
  return one !== null && other !== null && areOnOtherSides(OPPOSITES, one, other);
}

/** The positions of words that deny, by their form, a word of the other side. */
function placesOfDenied(negatives: readonly Stemmed[], positives: readonly Stemmed[]): (readonly [number, number])[] {
  return negatives.flatMap((negative, at) => {
    const denied = NEGATED_FORM.exec(negative.stem)?.groups?.denied;
    if (denied === undefined) return [];
    // "Unbuilt" has the form of the verb: "built".
    const stem = stemOf(denied);
    return positives.flatMap((positive, other) =>
      positive.stem === denied || positive.stem === stem ? [[at, other] as const] : [],
    );
  });
}

/** The stem of a comparative without its ending: slower, bigger, easier; null for other words. */
function comparedBy(stem: string): string | null {
  if (!stem.endsWith('er') || stem.length < SHORTEST_COMPARATIVE) return null;
  const base = stem.slice(0, -2);
  const single = base.slice(0, -1);
  const known = [base, base.at(-1) === base.at(-2) ? single : base, `${base}e`].find((one) => OPPOSITES.has(one));
  return known ?? null;
}

const SHORTEST_COMPARATIVE = 5;

/** Whether two stems distinguish two things of one kind: north and south, old and new. */
export function tellApart(a: string, b: string): boolean {
  return areOnOtherSides(WHICH_OF_TWO, a, b);
}

/** Whether a stem tells something apart from another thing of its kind: north, old, first. */
export function tellsWhich(stem: string): boolean {
  return WHICH_OF_TWO.has(stem);
}

function areOnOtherSides(sides: Sides, a: string, b: string): boolean {
  const others = sides.get(b);
  if (!others) return false;
  return (sides.get(a) ?? []).some((one) => others.some(({ group, side }) => group === one.group && side !== one.side));
}

function sidesOf(pairs: string): Sides {
  const sides = new Map<string, { group: number; side: number }[]>();
  for (const [group, pair] of pairs.split(';').entries()) {
    for (const [side, words] of pair.split('|').entries()) {
      for (const stem of wordsOf(words)) sides.set(stem, [...(sides.get(stem) ?? []), { group, side }]);
    }
  }
  return sides;
}

/** 1 for a word of liking, -1 for a word of dislike, 0 for neither. */
export function likingOf(stem: string): number {
  if (LIKES.has(stem)) return 1;
  return DISLIKES.has(stem) ? -1 : 0;
}

const NEGATED_FORM = /^(?:un|in|im|ir|il|dis|non-?)(?<denied>.{4,})$/s;

function wordsOf(text: string): Set<string> {
  return new Set(text.split(/\s+/).filter(Boolean).map(stemOf));
}

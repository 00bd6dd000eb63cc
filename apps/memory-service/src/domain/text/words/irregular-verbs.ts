import { stemmer } from 'stemmer';

/**
 * Participles that no ending tells, by the base of the verb; chosen by hand. They say what is: "logs are kept", "it is taught by Ada".
 * Left out is a past that is none (took, wrote), because it says what was; what is mostly another word (left, found, led, fed, bound);
 * and what is a state by itself, with opposites of its own (broken, frozen, paid, sold, forbidden).
 */
const PARTICIPLES = `
  arise arisen ; beat beaten ; bite bitten ; blow blown ; breed bred ; bring brought ; build built ; catch caught ; choose chosen ; dig dug ;
  draw drawn ; drive driven ; eat eaten ; fall fallen ; fight fought ; flee fled ; fly flown ; forget forgotten ; forgive forgiven ; give given ;
  grow grown ; hang hung ; hear heard ; hide hidden ; hold held ; keep kept ; lose lost ; meet met ; overtake overtaken ; prove proven ;
  rebuild rebuilt ; repay repaid ; rewrite rewritten ; ride ridden ; ring rung ; seek sought ; send sent ; shake shaken ; shine shone ;
  shrink shrunk ; sing sung ; sink sunk ; sit sat ; sleep slept ; speak spoken ; spend spent ; spin spun ; stand stood ; steal stolen ;
  strike struck ; swear sworn ; sweep swept ; swim swum ; swing swung ; take taken ; teach taught ; tear torn ; think thought ; throw thrown ;
  understand understood ; undertake undertaken ; undergo undergone ; uphold upheld ; wake woken ; wear worn ; weave woven ; win won ;
  withdraw withdrawn ; withhold withheld ; write written`;

const BASES = basesByForm(PARTICIPLES);

/** By form, the base of each verb of a table: "take took taken ; go went". */
export function basesByForm(table: string): ReadonlyMap<string, string> {
  return new Map(verbsOf(table).flatMap(([base = '', ...forms]) => forms.map((form) => [form, base] as const)));
}

/** The forms of each verb of a table, its base first. */
function verbsOf(table: string): string[][] {
  return table.split(';').map((verb) => verb.trim().split(/\s+/));
}

/** The base of an irregular participle, in lower case: "kept" is that of "keep"; any other word itself. */
export function baseOf(lower: string): string {
  return BASES.get(lower) ?? lower;
}

/**
 * Pasts that are no participle, and participles that are left out above, by the base of the verb. "Who took the minutes?" may be answered
 * by "I take the minutes". Left out is what is mostly another word (left, led, rose, lay, bit, shot, ground, wound, bound, lent).
 */
const PASTS = `
  arise arose ; awake awoke awoken ; become became ; begin began begun ; blow blew ; break broke broken ; buy bought ; choose chose ; creep crept ;
  deal dealt ; draw drew ; drink drank drunk ; drive drove ; eat ate ; feed fed ; feel felt ; find found ; fly flew ; forbid forbade forbidden ;
  forget forgot ; forgive forgave ; freeze froze frozen ; give gave ; grow grew ; hide hid ; know knew known ; lay laid ; learn learnt ;
  mean meant ; mistake mistook mistaken ; overtake overtook ; pay paid ; rewrite rewrote ; ride rode ; ring rang ; run ran ; see saw seen ; sell sold ;
  shake shook ; show shown ; shrink shrank ; sing sang ; sink sank ; slide slid ; speak spoke ; steal stole ; stick stuck ; swear swore ; swim swam ;
  take took ; tear tore ; tell told ; throw threw ; undergo underwent ; undo undid undone ; wake woke ; wear wore ; withdraw withdrew ; write wrote`;

/** Forms of irregular verbs that tell a past, alone or with "has": "took", "taken", "kept". */
export const IRREGULAR_PASTS: readonly string[] = verbsOf(`${PARTICIPLES};${PASTS}`).flatMap(([, ...forms]) => forms);

const FORMS: ReadonlyMap<string, readonly string[]> = formsByTerm();

/** By the term of each form of an irregular verb, the terms of all. */
function formsByTerm(): Map<string, readonly string[]> {
  const byBase = new Map<string, Set<string>>();
  for (const [base = '', ...others] of verbsOf(`${PARTICIPLES};${PASTS}`)) {
    const forms = byBase.get(base) ?? new Set([stemmer(base)]);
    for (const form of others) forms.add(stemmer(form));
    byBase.set(base, forms);
  }
  return new Map([...byBase.values()].flatMap((forms) => [...forms].map((form) => [form, [...forms]] as const)));
}

/** The terms of all forms of the verb that a term is one of, such as those of "take", "took" and "taken"; of any other word itself. */
export function formsOf(term: string): readonly string[] {
  return FORMS.get(term) ?? [term];
}

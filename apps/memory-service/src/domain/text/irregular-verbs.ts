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

const BASES: ReadonlyMap<string, string> = new Map(
  PARTICIPLES.split(';').map((verb) => {
    const [base = '', participle = ''] = verb.trim().split(/\s+/);
    return [participle, base] as const;
  }),
);

/** The base of an irregular participle, in lower case: "kept" is that of "keep"; any other word itself. */
export function baseOf(lower: string): string {
  return BASES.get(lower) ?? lower;
}

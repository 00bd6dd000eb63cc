import { atOnce, type Steps } from '@agent-faculties/service-kit';
import { termsInSteps, termsOf } from './terms.ts';

/** Words that fit any subject: praise, thanks, feelings, wishes. Memories that share only these have no subject in common. */
const GENERIC = `able absolutely actually agree already also always amazing another anything appreciate around ask awesome away
  awful back bad beautiful become believe best better big bit bring bringing care caring change cherish chat check come
  congrats congratulations cool couple courage create creating cute day definitely different done dream easy else encourage
  end enjoy enjoyed especially even ever every everyone everything excited exciting experience express fantastic fave
  favorite favourite feel feeling feels felt find fine first forget forward found free friend full fun get getting give
  giving glad go going good gonna gorgeous got grateful great guess guy happen happened happy hard have having hear heard
  heart hello help helped helpful helping here hey hope hoping huge idea important impressive incredible inspire inspired
  inspiring interesting job join journey joy keep kind know last lately laugh learn let life like little live long look
  looking looks lot lots love loved lovely luck lucky made make makes making matter maybe mean meaningful means memory mind
  miss moment month more morning motivate much need never new next nice night nope now often once only part people perfect
  person pic picture place plan pleasure positive power powerful pretty probably proud push put quite ready real really
  relax remember remind reminder right same say see seem seems share sharing show side someone something soon sound sounds
  special start started stay still strength strong stuff stunning super supportive sure sweet take taking talk tell thank
  thankful thanks thing things think thought time today together tomorrow tonight totally touch touching tough treasure
  true truly try trying understand use valuable want wanted way week weekend welcome well wild wish wonder wonderful word
  work worked world worth wow wrong year years yep yes yesterday yet`;
const GENERIC_TERMS: ReadonlySet<string> = new Set(termsOf(GENERIC));

/** The terms of a text that tell its subject, each once. */
export function salientTerms(text: string): Set<string> {
  return atOnce(salientTermsInSteps(text));
}

/** What `salientTerms` gives, in steps. */
export function* salientTermsInSteps(text: string): Steps<Set<string>> {
  const terms = yield* termsInSteps(text);
  yield;
  return new Set(terms.filter((term) => !GENERIC_TERMS.has(term)));
}

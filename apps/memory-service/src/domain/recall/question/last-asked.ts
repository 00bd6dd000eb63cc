import { askingPart, asksByMark, sentencesOf } from './asking-part.ts';

/** Of what was told last: the last session, or all that is new. */
export type LastAsked = 'session' | 'news';

/** A longer text says what it asks about. */
const MOST_CHARACTERS = 160;

/** Before what is asked, once or several times. */
const OPENINGS = [
  'ok|okay|so|well|right|alright|all right|now|and|but|great|cool|perfect|sorry|again|just|quickly|quick question|first(?: of all)?|h+m+|u+m+',
  "hi|hiya|hello|hey|(?:good )?(?:morning|afternoon|evening)|good day|thanks|thank you|welcome back|(?:i'm|i am|im|we're|we are) back(?: again)?",
  'agent|all|assistant|chatgpt|claude|codex|copilot|cursor|everybody|everyone|folks|gemini|guys|team|there',
  "please|pls|kindly|go ahead and|start by|help (?:me|us)|try to|let's|lets|let us|let me(?: know)?",
  "(?:can|could|would|will) you|(?:can|could|shall|should|may) (?:we|i)|(?:i|we)(?: would|'d)? (?:want|like|need|have)(?: you)? to|(?:i|we)'ll",
  '(?:remind|tell|show|give) (?:me|us)(?: again)?(?: of| about)?',
  "do you(?: still)? (?:know|recall|remember)|(?:i|we) (?:forgot|forget|can't remember|don't remember)|any idea|know|hear|see|recall|remember",
];
const OPENING = new RegExp(`^(?:${OPENINGS.join('|')})[\\s,.!:;–—-]+(?=\\S)`);
/** Behind what is asked. */
const CLOSING =
  /(?:[\s,]+(?:please|pls|again|exactly|quickly|briefly|then|thanks|thank you|claude|for (?:me|us)|by the way|btw|do you (?:know|recall|remember)|if you (?:can|remember)|in (?:short|brief|detail)|in (?:a few|one|two|three|four|five|\d+) (?:bullets|bullet points|lines|points|sentences?|words)))+$/;
const MARKS = /^[\s"'“(*>-]+|[\s"'”)*?？!.…,:]+$/g;
/** Words of those who come back. Whatever else a message tells is what it asks about: "It crashed again. What did we do last time?" */
const COMING_BACK = new Set(
  `a after afternoon again ago am and are at away back been before begin break claude coffee continue day days delay dinner distracted
  evening few finally for from get go going good had has have hello here hey hi holiday holidays hour hours i i'm i've in interrupted is
  it it's just keep last later let's long lunch me morning my need new night now of off ok on our out over please ready return returned
  session short sick sleep so some sorry start started thank thanks that the then there this time to today trip two vacation want was we
  we're we've week weekend weeks were work working yesterday you`.split(/\s+/),
);
const WORD = /[\p{L}\p{N}']+/gu;

/** A talk with "my" or "the" may be one that was held before people. */
const SESSION =
  '(?:(?:(?:our|my|the|your) )?(?:very )?(?:last|latest|previous|prior|(?:most )?recent)(?: work| working| chat| coding)? (?:session|conversation|chat|discussion)' +
  '|our (?:last|latest|previous|prior|most recent) talk)(?: together| with (?:you|me|us)| (?:that )?(?:we|i) had(?: with you| together)?)?';
const LAST_TIME =
  '(?:the )?last time(?: (?:that )?(?:we|i|you) (?:chatted|met|spoke|talked|worked|were here|was here)(?: together| with (?:you|me|us)| to each other)?)?';
const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const PART = '(?: (?:morning|afternoon|evening|night))?';

/** "In our last session", behind what is asked of it. */
const OF_LAST = new RegExp(`,?(?: (?:at|during|for|from|in|of))? (?:${LAST_TIME}|${SESSION})$`);
/** Of what was left off: "Where were we on Friday?" asks for a place. The period of the question has it too. */
const OF_DAY = new RegExp(
  `(?<= off),? (?:earlier(?: today)?|before|last (?:night|week|${WEEKDAY})|(?:on )?${WEEKDAY}${PART}|the other day|this morning|today|yesterday${PART})$`,
);
const ASIDE = / (?:together|with (?:you|me|us)|here)$/;

const CONTINUE =
  '(?:continue|resume|proceed|carry on|go on|keep going|pick (?:(?:it|things|this|that) )?(?:back )?up|(?:re)?start(?: again| back up)?|begin again|go back|get back|take up|back)' +
  '(?: again)?(?: (?:the )?work(?:ing)?)?(?: right| just| exactly)?(?: (?:at|from|to|with))?(?: exactly)?';
const SUM_UP = '(?:summari[sz]e|recap|review|recall|sum up|go (?:over|through)|run (?:me |us )?through)';
const NOTES = '(?:summary|recap|overview|outline|rundown|notes|context|history|transcript)';
const OUTLINE = `(?:an? |the )?(?:(?:brief|quick|short|full) )*${NOTES}(?: (?:about|from|for|of))?`;
const THINGS = '(?:everything|it|that|things|this)';
const LEFT_OFF = `(?:(?:had )?left(?: ${THINGS})? off|(?:had )?left (?:it|things|everything)|(?:had )?(?:stopped|paused|ended up|got(?:ten)? to)|(?:were|was)(?: at)?)`;

/** With or without the time of it. */
const ASKS_WHERE = [
  `^where(?: exactly)?(?:'d| did| had| have) (?:we|i|you|you and i) (?:(?:leave|left)(?: ${THINGS})? off|stop|stopped|end up|ended up|get to|got(?:ten)? to|break off|pause)$`,
  `^where (?:did|had|have) (?:(?:we|you and i) (?:leave|left) ${THINGS}|i (?:leave|left) (?:everything|things))$`,
  '^where were we(?: at)?$|^how far did (?:we|i|you) get$',
  `^(?:(?:${SUM_UP}|${OUTLINE}|exactly) )?where (?:we|i|you|you and i) ${LEFT_OFF}$`,
  // "Continue where you stopped" is said in the middle of a session, and so is "continue what you were doing".
  `^${CONTINUE} where (?:we|i) ${LEFT_OFF}$`,
].map((form) => new RegExp(form));
const CONTINUES_WHERE = new RegExp(`^${CONTINUE} where you ${LEFT_OFF}$`);
const CONTINUES_WORK = new RegExp(`^${CONTINUE} what (?:we|i) (?:were|was) working on$`);

/** What is asked "of the last session", without a word of what was done in it. */
const WHOLE = new RegExp(`^(?:${CONTINUE}|${SUM_UP}|${OUTLINE})$`);
const BEFORE_DONE = new RegExp(`^(?:${CONTINUE}|${SUM_UP}|${OUTLINE}) (?=what )`);
const WAS_DONE =
  /^what (?:all )?(?:happened|was (?:said|done|discussed|decided|agreed(?: on| upon)?|covered|planned|concluded)|got (?:done|decided|said))$/;
const DID = /^what (?:did|had|have) (?:we|i|you|you and i) (.+)$/;
const WE_DID = /^what (?:we|i|you|you and i) (.+)$/;
const DID_LAST = /^what (?:did|had|have) (?:we|i) (?:last (.+)|(.+) last)$/;
const LAST_THING = /^what(?:'s| is| was|s) the last (?:thing|things|topic) (?:that )?(?:we|i) (.+)$/;
const ABOUT_SESSION = new RegExp(`^what (?:was|is) ${SESSION}(?: (?:all )?about)?$|^what did ${SESSION} cover$`);
const SESSION_ALONE = new RegExp(`^${SESSION}(?:'?s)?(?: ${NOTES})?$`);
/** Verbs that say no more than that something was said or done. */
const DO = listed(
  `do, say, discuss, talk about, speak about, chat about, work on, decide, decide on, agree, agree on, agree to, agree upon, conclude, cover, get done, get to, achieve,
  accomplish, finish, complete, learn, plan, go over, go through, settle on, come up with, end with, end up with, ask, ask you, ask me, tell you, tell me, tell us, suggest,
  recommend, propose, promise, promise me`,
);
const DONE = listed(
  `did, done, said, discussed, talked about, spoke about, spoken about, chatted about, worked on, decided, decided on, agreed, agreed on, agreed to, agreed upon, concluded,
  covered, got done, gotten done, got to, achieved, accomplished, finished, completed, learned, learnt, planned, went over, went through, settled on, came up with,
  ended with, ended up with, asked, asked you, asked me, told you, told me, told us, suggested, recommended, proposed, promised, promised me`,
);
const DOING =
  '(?:just |last )?(?:working on|doing|talking about|speaking about|discussing|chatting about|up to|busy with|in the middle of)';
const WERE_DOING = new RegExp(`^(?:were|was) ${DOING}$`);
const ASKS_DOING = new RegExp(
  `^what (?:(?:were|was) (?:we|i|you|you and i)|(?:we|i|you|you and i) (?:were|was)) ${DOING}(?: before| earlier)?$`,
);

const LATELY =
  / (?:lately|recently|meanwhile|in the meantime|since(?: then)?|in my absence|(?:while|when) (?:i|we)(?: was| were|'ve been| have been) (?:away|gone|out|off|absent|offline|sick|ill|on (?:holiday|vacation|leave)|not here)|since (?:we|i|you) (?:last )?(?:chatted|left|met|spoke|talked|(?:was|were) (?:last )?here|went away|worked)(?: together| with (?:you|me|us))?)$/;
const ASKS_NEWS = [
  "^what(?:'s| is|s| else is)? (?:new|the latest(?: news| updates?)?|the news)(?: here| around here| (?:for|with) (?:me|you|us|everyone|everybody|the team))?$",
  '^(?:(?:is|are) there |have (?:you|we) |do (?:you|we) have |got )?any(?:thing)? (?:new|(?:recent )?news|(?:new |recent )?updates?)(?: for (?:me|us)| here| to report)?$',
  '^(?:the )?(?:latest|recent) (?:news|updates?|activity)$|^the (?:latest|news)$',
  "^what (?:did|have|had) (?:i|we) miss(?:ed)?$|^(?:what|anything) (?:i|we)(?:'ve| have)? miss(?:ed)?$",
  '^(?:did|have|had) (?:i|we) miss(?:ed)? (?:anything|something|much)$',
  "^(?:catch|bring|get) (?:me|us) up(?: to (?:speed|date))?(?: on (?:everything|what (?:i|we)(?:'ve| have)? missed|what's new))?$",
  '^(?:fill (?:me|us) in|update (?:me|us))$',
].map((form) => new RegExp(form));
const HAPPENED = /^what(?:'s| has|s| all)? (?:happened|changed|been (?:happening|going on|done|new))(?: here)?$/;

/**
 * Whether a message asks for what was told last and for nothing else: "Where did we leave off?", "What's new?". Its words tell nothing of
 * the answers. One with a subject ("Where did we leave off with the parser?") is null, and so is one that tells what it asks about.
 */
export function lastAsked(text: string): LastAsked | null {
  const asking = askingPart(text);
  const told = asking === null ? [] : sentencesOf(text).filter((sentence) => !asksByMark(sentence));
  return told.every(isOfComingBack) ? asksWhole(asking ?? text) : null;
}

function asksWhole(text: string): LastAsked | null {
  if (text.length > MOST_CHARACTERS) return null;
  const asked = withoutPoliteness(plain(text));
  if (asksForSession(asked)) return 'session';
  return asksForNews(asked) ? 'news' : null;
}

function asksForSession(asked: string): boolean {
  if (SESSION_ALONE.test(asked) || ABOUT_SESSION.test(asked)) return true;
  const rest = asked.replace(OF_LAST, '');
  if (asksWhere(rest) || asksWhere(asked.replace(OF_DAY, ''))) return true;
  if (ASKS_DOING.test(rest)) return true;
  if (rest !== asked)
    return WHOLE.test(rest) || CONTINUES_WHERE.test(rest) || asksWhatWasDone(rest.replace(BEFORE_DONE, ''));
  const last = DID_LAST.exec(asked);
  const thing = LAST_THING.exec(asked)?.[1];
  return CONTINUES_WORK.test(asked) || isDone(last?.[1] ?? last?.[2]) || isDone(thing) || asked === 'where was i';
}

function asksWhere(text: string): boolean {
  return ASKS_WHERE.some((form) => form.test(text));
}

/** Of a text without the time of it. */
function asksWhatWasDone(text: string): boolean {
  return WAS_DONE.test(text) || isDone(DID.exec(text)?.[1]) || isDone(WE_DID.exec(text)?.[1]);
}

function isDone(verb: string | undefined): boolean {
  if (verb === undefined) return false;
  const alone = verb.replace(ASIDE, '');
  return DO.has(alone) || DONE.has(alone) || WERE_DOING.test(alone);
}

function asksForNews(asked: string): boolean {
  const sinceLast = asked.replace(OF_LAST, '');
  // "What's new since our last session?"
  if (sinceLast !== asked && !sinceLast.endsWith(' since')) return false;
  const rest = sinceLast.replace(LATELY, '');
  return ASKS_NEWS.some((form) => form.test(rest)) || (rest !== asked && HAPPENED.test(rest));
}

function withoutPoliteness(text: string): string {
  let rest = text.replace(MARKS, '');
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replace(OPENING, '').replace(CLOSING, '').replace(MARKS, '');
  }
  return rest;
}

function isOfComingBack(sentence: string): boolean {
  return (plain(sentence).match(WORD) ?? []).every((word) => COMING_BACK.has(word));
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[’‘]/g, "'").replace(/\s+/g, ' ');
}

function listed(phrases: string): ReadonlySet<string> {
  return new Set(phrases.split(/,\s+/));
}

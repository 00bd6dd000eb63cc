/** How a sentence is meant, as its wording shows. */
export interface Marks {
  readonly isQuestion: boolean;
  /** "If it rains ...", "unless", "suppose". */
  readonly isConditional: boolean;
  /** Perhaps, I think, would, rumour has it: the speaker does not vouch for it. */
  readonly isDoubtful: boolean;
  /** A plan, a wish, a proposal. */
  readonly isPlan: boolean;
  /** It holds for the past. */
  readonly isPast: boolean;
  /** It holds now, and mostly did not before. */
  readonly isNow: boolean;
  /** Usually, about, most: exceptions are no contradiction. */
  readonly isRough: boolean;
  /** Also, too, another: it adds to other statements and does not replace them. */
  readonly isAdditive: boolean;
  /** What the speaker tries, wants or asks for: two of these hardly exclude each other. */
  readonly isIntent: boolean;
  /** It asks for something to be done, and says nothing of how things are. */
  readonly isRequest: boolean;
}

/** The marks of a statement that has none. */
export const NO_MARKS: Marks = {
  isQuestion: false,
  isConditional: false,
  isDoubtful: false,
  isPlan: false,
  isPast: false,
  isNow: false,
  isRough: false,
  isAdditive: false,
  isIntent: false,
  isRequest: false,
};

const QUESTION =
  /\?["'”’)\]\s]*$|^(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|who|what|when|where|why|how|which)\b[^.!]*\?|\b(?:wonder(?:s|ing|ed)?|ask(?:s|ed|ing)?|unclear|not sure|no idea|find out|check|curious)\s+(?:whether|if|who|what|when|where|why|how)\b/i;
const CONDITIONAL =
  /(?:^|[,;:(—–-]\s*|\b(?:and|but|or|so|then|only|even|that)\s+)(?:if|unless|suppose|supposing|assuming|provided|in case|should (?:the|it|he|she|we|they|you|anything|anybody))\b|\b(?:if (?:only|the|it|he|she|we|they|you|i|there|a|an|my|our|your|anyone|somebody|nobody|everything|not)|as long as|in the event)\b|^(?:had|were|should)\b(?=[^?]*\b(?:would|could|might)\b)|^had (?:\S+ ){1,4}been\b/i;
const ASKED = /\b(?:know|see|sure|tell|asked?|check(?:ed)?|as|wonder(?:s|ing|ed)?|whether or not) if\b/gi;
const DOUBTFUL =
  /\b(?:might|perhaps|maybe|possibly|probably|presumably|supposedly|allegedly|apparently|reportedly|seemingly|hopefully|rumou?rs?|rumou?red|hearsay|unconfirmed|unverified|gossip|guess(?:es|ed)?|suspects?|suspected|imagines?|dreamt?|dreamed|dreams|hopes?|hoped|wish(?:es|ed)?|fears?|feared|worr(?:y|ies|ied)|bets?|would(?:n't| not)?(?! (?:rather|like|prefer))|could have|may (?:have|be(?! \w+ed\b)|well)|should have|not (?:yet )?(?:confirmed|verified|certain|clear)|i think|thinks?|thought|believes?|believed|claims?|claimed|assum(?:es|ed|ption)|heard (?:that|a)|somebody (?:said|says)|someone (?:said|says)|people say|some say|they say|as if|pretend(?:s|ed)?)\b|\b(?:'d|d’) (?:be|have)\b/i;
const PLAN =
  /\b(?:plans?|planned|planning|going to|gonna|wants?|wanted|would like|should(?! have)|propos(?:es?|ed|al|als|ing)|suggest(?:s|ed|ion)?|aims?|goals?|targets?|intend(?:s|ed)?|consider(?:s|ed|ing)?|thinking of|hop(?:es|ing) to|dream of|to-?do|idea|roadmap|wish ?list|draft|promis(?:es|ed)|needs? to|ought to|due to be|supposed to|will(?! be (?:in|at)\b))\b|\b(?:i|we|you|he|she|they|it)['’]ll\b/i;
const PAST =
  /\b(?:used to|back (?:then|in|when)|formerly|previous(?:ly)?|in the past|years? ago|months? ago|weeks? ago|once (?:was|had|were)|originally|at first|as a (?:child|kid|boy|girl|student)|when (?:i|he|she|we|they|it) (?:was|were|still)|until|up to (?:the age|last|the end)|before (?:the|that|we|i|he|she|they|it)|last (?:year|month|week|winter|spring|summer|autumn|fall|season|term|quarter)|in those days|at the time|initially|until recently|the former|yesterday|last night|(?:minutes?|hours?|days?) ago|no longer|not any ?more|old(?:en)? days|then still)\b/i;
const NOW =
  /\b(?:nowadays|these days|currently|at present|at the moment|right now|for now|today|since|by now|meanwhile|any ?more|now|as of|from now on|lately|recently|this (?:year|month|week|season|term|quarter|winter|spring|summer|autumn)|has (?:become|turned|switched|moved|changed)|have (?:become|turned|switched|moved|changed)|switched to|moved to|changed to|replaced|new)\b/i;
const ROUGH =
  /\b(?:usually|normally|mostly|typically|often|generally|in general|as a rule|on average|sometimes|occasionally|now and then|at times|rarely|seldom|tends? to|most (?:of|days|people|users|nights|mornings|evenings|weekends|times?)|roughly|approximately|approx|nearly|almost|more or less|some \d|around \d|about (?:\d|a|an|one|two|three|four|five|six|seven|eight|nine|ten|half|twenty|thirty|forty|fifty|sixty)|circa|ca\.?|or so|-ish|a few|several|many)\b/i;
const ADDITIVE =
  /\b(?:also|too|as well|in addition|besides|another|one of|among (?:other|them|the)|including|include[sd]?|both|apart from|other than|a second|not only|plus)\b/i;

const INTENT =
  /^(?:(?:and|but|so|or|well|ok(?:ay)?|lol|hmm|yeah|yes|sure|also|then|now|because|since|though|while),?\s+)*(?:(?:i|we)(?:['’](?:m|re|d|ve(?: been)?)|\s+(?:am|are|would|was|were|have(?: been)?))?\s+(?:(?:just|also|really|still|only|kinda|currently|now|even)\s+)*(?:try(?:ing)?|want(?:ed|ing)?|wanna|need(?:ed)?|set (?:a|myself a) goal|hop(?:e|ing)|aim(?:ing)?|wonder(?:ing)?|going|gonna|thinking|looking|consider(?:ing)?|would (?:love|like) to|['’]d (?:love|like) to)\b|(?:i|we)['’](?:ll|d (?:love|like) to)\b|(?:just )?(?:let me|let['’]s|give me|tell me|make sure)\b|always (?!\w+(?:ed|s|ing)\b)\w+)/i;

/** "Please prepare the agenda"; "Add a test to PR 15": the verb is one of work, and what it is done to follows. */
const REQUEST =
  /^(?:please (?!(?:note|remember|mind|be aware|keep in mind)\b)|(?:(?:ok(?:ay)?|then|now|also|and),? )*(?:add|book|bump|change|check|create|delete|document|extend|fix|implement|investigate|merge|move|order|prepare|raise|rebase|refactor|remove|rename|revert|review|send|update|write) (?:an?|the|this|that|these|those|some|all|another|our|my|it|them)\b)/i;

/** Reads how a sentence is meant from its wording. */
export function marksIn(sentence: string): Marks {
  return {
    isQuestion: QUESTION.test(sentence),
    isConditional: CONDITIONAL.test(sentence.replace(ASKED, ' ')),
    isDoubtful: DOUBTFUL.test(sentence),
    isPlan: PLAN.test(sentence),
    isPast: PAST.test(sentence),
    isNow: NOW.test(sentence),
    isRough: ROUGH.test(sentence),
    isAdditive: ADDITIVE.test(sentence),
    isIntent: INTENT.test(sentence),
    isRequest: REQUEST.test(sentence),
  };
}

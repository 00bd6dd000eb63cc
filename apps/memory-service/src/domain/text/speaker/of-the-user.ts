/** What may stand between "user" and its verb. */
const BETWEEN =
  '(?:(?:also|always|currently|generally|mostly|mainly|never|no longer|normally|now|often|only|really|recently|still|strongly|typically|usually) )*';
/** "User is redirected to /login", as specifications say it of any user; so they say what a user can and must do. */
const OF_ANY =
  '(?! (?:able|allowed|asked|authenticated|created|deleted|directed|informed|logged|notified|prompted|redirected|required|sent|shown|taken|warned)\\b)';
/** Verbs that notes about a user have; other words behind "user" name a thing: "User stories", "the user table". */
const VERBS = [
  `is${OF_ANY}|was${OF_ANY}|has|had|does|did|cannot|will|would|(?:is|was|has|had|does|did|ca|wo|would)n['’]t`,
  'adopted|agreed|applied|asked|asks|attends|avoids|believes|belongs|bought|built|buys|came|changed|chose|collects|comes|confirmed|considers',
  'cooks|decided|dislikes|drinks|drives|earns|eats|enjoys|expects|feels|finds|finished|gave|gets|goes|got|grew|hates|hired|holds|hopes',
  'intends|joined|keeps|knows|leads|learns|left|likes|listens|lives|looks|loves|made|manages|married|mentioned|met|moved|needs|noted|owns',
  'pays|plans|plays|practi[cs]es|prefers|quit|reads|reported|reports|requested|runs|said|says|sleeps|speaks|spends|started|stays|stopped',
  'studied|studies|suffers|takes|teaches|tends|thinks|told|took|trains|travels|uses|visited|visits|wakes|walks|wanted|wants|watches|wears',
  'went|wishes|works|writes',
].join('|');
const SUBJECT = new RegExp(`\\b(?:the )?user (?=${BETWEEN}(?:${VERBS})\\b)`, 'gi');
const OWNER = /\b(?:the )?user['’]s (?=\p{L})/giu;
/** A note may leave its subject out, where its verb is one of people: "Prefers dark mode." */
const BARE = '(?:dislikes|drinks|eats|enjoys|hates|likes|lives(?! in \\S*/)|loves|prefers|speaks|wants) ';
const BEGINS = new RegExp(`^\\W*(?:${SUBJECT.source}|${OWNER.source}|${BARE})`, 'iu');
const BEGINS_BARE = new RegExp(`^\\W*(?=${BARE})`, 'i');
/** A longer text speaks of more than its user. */
const MOST_CHARACTERS = 600;
/** "I is", "I also prefers": as people say it. */
const I = `\\bI (${BETWEEN})`;
const PERSON: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`${I}is\\b`, 'gi'), 'I $1am'],
  [new RegExp(`${I}has\\b`, 'gi'), 'I $1have'],
  [new RegExp(`${I}does\\b`, 'gi'), 'I $1do'],
  [new RegExp(`${I}(go|teach|watch|wish)es\\b`, 'gi'), 'I $1$2'],
  [new RegExp(`${I}studies\\b`, 'gi'), 'I $1study'],
  [new RegExp(`${I}(?!was\\b|always\\b)([a-z]{2,}[^s\\W])s\\b`, 'gi'), 'I $1$2'],
];

/** Whether a text is what an agent noted of its user: "User prefers tabs.", "The user's name is Katrin." */
export function isOfUser(text: string): boolean {
  return text.length <= MOST_CHARACTERS && BEGINS.test(text);
}

/** What such a text says as its user would say it, which is nearer to what the user asks; any other text as it is. */
export function asUserSays(text: string): string {
  if (!isOfUser(text)) return text;
  const said = text.replace(OWNER, 'my ').replace(SUBJECT, 'I ').replace(BEGINS_BARE, 'I ');
  return PERSON.reduce((changed, [form, plain]) => changed.replace(form, plain), said);
}

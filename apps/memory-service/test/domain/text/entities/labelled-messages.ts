/** The names in a message and their types as a reader sees them; written before the first measurement. */
export interface LabelledMessage {
  readonly text: string;
  /** "type name", in any order */
  readonly names: readonly string[];
}

const labelled = (text: string, ...names: string[]): LabelledMessage => ({ text, names });

export const LABELLED_MESSAGES: readonly LabelledMessage[] = [
  // People and places in talk
  labelled('I met Caroline at the library yesterday.', 'person Caroline'),
  labelled('Hey Mel! How was the trip to Lisbon?', 'person Mel', 'place Lisbon'),
  labelled('My sister Anna lives in Munich with her dog Bruno.', 'person Anna', 'place Munich', 'other Bruno'),
  labelled('Thanks, Joanna, the book by Patrick Rothfuss was great!', 'person Joanna', 'person Patrick Rothfuss'),
  labelled('We watched Star Wars and then walked along Baker Street.', 'other Star Wars', 'place Baker Street'),
  labelled('Maria said that John will come on Friday.', 'person Maria', 'person John'),
  labelled('Dana is on holiday until March.', 'person Dana'),
  labelled('Yesterday Ravi and Priya went hiking near Lake Como.', 'person Ravi', 'person Priya', 'place Lake Como'),
  labelled("Tomas's parents moved from Spain to New York City.", 'person Tomas', 'place Spain', 'place New York City'),
  labelled("Dr. Smith asked whether we had spoken to Mrs. O'Brien.", 'person Smith', "person O'Brien"),
  labelled('I love painting, it helps me relax after work.'),
  labelled('What did you do last weekend?'),
  labelled('Nature is so calming. Dancing helps me too.'),
  labelled('It was great! She told me everything about it.'),
  labelled('The University of Oxford offered Ines a place.', 'organisation University of Oxford', 'person Ines'),
  labelled('We had dinner at Luigi, the new Italian place.', 'other Luigi'),
  labelled('My favourite author is J.R.R. Tolkien.', 'person J.R.R. Tolkien'),
  labelled('Grandma turned 90 in April, the whole family came.'),
  labelled('Ludwig van Beethoven was born in Bonn.', 'person Ludwig van Beethoven', 'place Bonn'),
  labelled('Ok, see you on Tuesday at 5 PM!'),
  // Work
  labelled('The auth-service returns 500 since the deploy of v2.3.1.', 'identifier auth-service', 'version v2.3.1'),
  labelled('We decided to use PostgreSQL instead of MySQL for billing.', 'other PostgreSQL', 'other MySQL'),
  labelled('Please look at ABC-123 and #456 before the release.', 'identifier ABC-123', 'identifier #456'),
  labelled('Pull request 1300 for billing is waiting for Marta.', 'identifier #1300', 'person Marta'),
  labelled('@dana can you review src/http/ingest.ts?', 'person dana', 'identifier src/http/ingest.ts'),
  labelled('The function readEntities in entities.ts is slow.', 'identifier readEntities', 'identifier entities.ts'),
  labelled('Set MAX_RETRY_COUNT to 5 in config.yaml.', 'identifier MAX_RETRY_COUNT', 'identifier config.yaml'),
  labelled('Docs are at https://example.com/docs?page=2.', 'url https://example.com/docs?page=2'),
  labelled('Write to ops@example.org if db1.internal is down.', 'email ops@example.org', 'url db1.internal'),
  labelled('The server at 10.0.0.12:8080 does not answer.', 'identifier 10.0.0.12:8080'),
  labelled('Upgrade to Node 20.11 and Python 3.12.', 'other Node', 'version 20.11', 'other Python', 'version 3.12'),
  labelled('Bumped the gateway package to 5.10.3.', 'version 5.10.3'),
  labelled('The Phoenix project moves to Kubernetes in June.', 'project Phoenix', 'other Kubernetes'),
  labelled('Lukas dislikes ORMs, he asked for plain SQL.', 'person Lukas', 'other ORMs', 'other SQL'),
  labelled('Run `npm test` and then `user_store.save()`.', 'identifier user_store.save()'),
  labelled('Never commit to main without a review.'),
  labelled('The cache build took 40 minutes today.'),
  labelled('Deployment failed again, error code 137.'),
  labelled('Tests are green. Build passed. Nothing to do.'),
  labelled('This is a well-known, long-term problem of the front-end team.'),
  labelled('Siemens AG and Acme Inc. signed the contract.', 'organisation Siemens AG', 'organisation Acme Inc'),
  labelled('Our customer Globex pays in EUR, not USD.', 'organisation Globex', 'other EUR', 'other USD'),
  labelled('The CTO of Initech wants SSO and SAML.', 'other CTO', 'organisation Initech', 'other SSO', 'other SAML'),
  labelled('Redis runs on port 6380. We moved it because Redis was slow.', 'other Redis'),
  labelled('GitHub was down, so CI could not fetch from GitLab.', 'other GitHub', 'other CI', 'other GitLab'),
  labelled(
    'Install @agent-faculties/service-kit and faiss-node.',
    'identifier @agent-faculties/service-kit',
    'identifier faiss-node',
  ),
  labelled('Tagged it #release-notes and #q3.', 'tag #release-notes', 'tag #q3'),
  labelled('Look into /var/log/syslog or ~/notes/todo.md.', 'identifier /var/log/syslog', 'identifier ~/notes/todo.md'),
  labelled('The endpoint /ingest_and_recall needs UTF-8, yes and/or no.', 'identifier /ingest_and_recall'),
  labelled('Oleg prefers tabs; Priya prefers spaces.', 'person Oleg', 'person Priya'),
  labelled('Ask Kenji about the eu-west-1 outage.', 'person Kenji', 'identifier eu-west-1'),
  labelled(
    'Action items: Dana writes the report, Ravi calls Globex.',
    'person Dana',
    'person Ravi',
    'organisation Globex',
  ),
  labelled('- Marta: update the runbook\n- Oleg: rotate keys', 'person Marta', 'person Oleg'),
  labelled('STOP SHOUTING AT ME PLEASE THIS IS BAD'),
  labelled('How To Deploy The Service On A Monday'),
  // Other languages
  labelled('Вчера мы с Анной переехали в Берлин.', 'person Анной', 'place Берлин'),
  labelled('我们昨天把缓存迁移到Redis，见 https://example.cn/x。', 'other Redis', 'url https://example.cn/x'),
  labelled('اجتمعنا أمس مع @sara بخصوص ABC-77.', 'person sara', 'identifier ABC-77'),
  labelled('Gestern hat Jürgen mit Zoë in Köln telefoniert.', 'person Jürgen', 'person Zoë', 'place Köln'),
  labelled('Ayer hablé con José sobre la API de pagos.', 'person José', 'other API'),
];

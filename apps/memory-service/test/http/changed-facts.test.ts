import { describe, expect, test } from '@jest/globals';
import { ask, say, type TestService } from '../start-service.ts';
import { shareService } from './shared-service.ts';

let service: TestService;
shareService((started) => {
  service = started;
});

/** The answers to a question after two statements, a week apart. */
async function answersAfter(older: string, newer: string, question: string): Promise<readonly unknown[]> {
  await say(service, 'ann', { content: older, timestamp: '2026-05-04T10:00:00Z' });
  await say(service, 'ann', { content: newer, timestamp: '2026-05-11T10:00:00Z' });
  return (await ask(service, 'ann', question)).memories.map(({ gist }) => gist);
}

describe('a question about the present', () => {
  test.each([
    ['The van is on lease with Lattimer.', 'Cleared Lattimer, so the van is ours.', 'What do we still owe on the van?'],
    ['The tests need Redis.', 'The tests run on a bare machine, without Redis.', 'Do the tests still need Redis?'],
    ['A first visit costs 46.', 'A first visit is 49.50 for everyone from October.', 'What does a first visit cost?'],
    ['At Cadiz I write to Rosalind.', 'At Cadiz I write to Joaquim now.', 'Whom do I write to at Cadiz?'],
    ['The lift is out of order.', 'The lift is fixed.', 'Is the lift still out of order?'],
    ['We use Jenkins for our builds.', 'We now use GitHub Actions instead.', 'What do we use for our builds?'],
    ['Our CI is Jenkins.', 'We now use GitHub Actions instead of Jenkins.', 'Which CI do we use?'],
    ['Our database is MySQL.', 'MySQL was replaced by Postgres.', 'Which database do we use?'],
    ['I use Vim as my editor.', 'I switched to Helix, no more Vim for me.', 'Which editor do I use?'],
    ['Dana is the owner of billing.', 'Billing has moved to Omar.', 'Who is the owner of billing?'],
    ['Invoices go to Petra.', 'From now on invoices go to Malik.', 'Who do invoices go to?'],
    ['Our vet is Doctor Brandt.', 'We go to Doctor Kunze now, she is our new vet.', 'Who is our vet?'],
    ['The office is in Kreuzberg.', 'We moved, the office is in Wedding now.', 'Where is the office?'],
    ['Lena lives in Hamburg.', 'Lena no longer lives in Hamburg, she moved to Leipzig.', 'Where does Lena live?'],
    ['Standup is at nine.', 'Standup is at half past nine from Monday.', 'When is standup?'],
    ['The retro is at quarter to six.', 'The retro starts at noon from now on.', 'What time is the retro?'],
    ['Lunch is served at twelve.', "Lunch is served at one o'clock now.", 'What time is lunch served?'],
    [
      'The bakery closes at six in the evening.',
      'The bakery closes at eight in the evening now.',
      'When does the bakery close?',
    ],
    [
      'The nightly backup runs at two in the morning.',
      'The backup now runs at four in the morning.',
      'When does the nightly backup run?',
    ],
    [
      'The night bus leaves at midnight.',
      'The night bus leaves at quarter past eleven from Monday on.',
      'When does the night bus leave?',
    ],
    [
      'Piano lessons are on Wednesday at four.',
      'Piano lessons moved to Friday at five.',
      'When are the piano lessons?',
    ],
    [
      'The launch of the loyalty programme is on Thursday 10 December 2026.',
      'The launch moves to Tuesday 15 December, because the tills of the Hamburg shops are not ready.',
      'When is the launch of the loyalty programme?',
    ],
    ['The gym costs thirty euros a month.', 'The gym costs 35 euros a month now.', 'How much is the gym?'],
    [
      'Rent that comes late costs a fee of 25 euros from day six.',
      'No late fees any more, the first reminder goes out on day seven.',
      'What does it cost to pay the rent late?',
    ],
    [
      'On Saturday 19 December Ann opens the shop.',
      'Malik opens the shop on 19 December instead of Ann.',
      'Who opens the shop on 19 December?',
    ],
    [
      'The launch of the shop is on 17 December.',
      'The launch of the shop moved to 12 January.',
      'When is the launch of the shop in December?',
    ],
    [
      'The logs are stored in Elasticsearch.',
      'Logs are stored in a bucket since this morning, the old cluster is off.',
      'Where are the logs stored?',
    ],
    [
      'Depth of the foundation is 80 cm.',
      'The engineer wants the foundation 120 cm in depth.',
      'Depth of the foundation',
    ],
    [
      'The canteen is open until 14:00.',
      'The canteen is open until 15:00 from Monday.',
      'How late is the canteen open?',
    ],
    ['The club fee is 140 a year.', 'We raised the fee to 155.', 'How much is the club fee?'],
    ['I weigh 84 kilos.', 'Down to 81 kilos.', 'How much do I weigh?'],
    ['The fence is 150 cm high.', 'We extended the fence to 180 cm.', 'How high is the fence?'],
    ['My dentist is Doctor Osei.', 'Osei retired, I go to Doctor Mbeki.', 'Who is my dentist?'],
    [
      'Our error tracker is Sentry.',
      'Sentry is out, GlitchTip does the error tracking.',
      'Which error tracker do we use?',
    ],
    [
      'A haircut for children costs 18.',
      'A haircut for children takes half an hour. Now 21.',
      'What does a haircut for children cost?',
    ],
    [
      'The club has 140 members.',
      'The club has 152 members, how many chairs do we need for the meeting?',
      'How many members does the club have?',
    ],
    [
      'Our test coverage is 62 percent.',
      'We have reached 71 percent test coverage. Which modules should I look at next?',
      'What is our test coverage?',
    ],
  ])('has what replaces %j first: %j', async (older, newer, question) => {
    expect(await answersAfter(older, newer, question)).toEqual([newer, older]);
    const [best] = (await ask(service, 'ann', { query: question, top_k: 1 })).memories;
    expect(best?.gist).toBe(newer);
  });

  test.each([
    ['Ruth is the owner of returns.', 'Elif is now the owner of search.', 'Who is the owner of returns?'],
    ['Greta is the owner of shipping.', 'Shipping now sends invoices every week.', 'Who is the owner of shipping?'],
    ['Hugo lives in Erfurt.', 'Paul lives in Trier now.', 'Where does Hugo live?'],
    ['Mila lives in Dresden.', 'Mila now plays the cello instead of the violin.', 'Where does Mila live?'],
    ['The archive is in Mainz.', 'The depot is in Wedding now.', 'Where is the archive?'],
    ['Contracts go to Selma.', 'From now on parcels go to Jonas.', 'Who do contracts go to?'],
    ['We use Sketch for our drawings.', 'We now use Notion for our minutes.', 'What do we use for our drawings?'],
    ['The logs are stored in Elasticsearch.', 'The logs now contain the request id.', 'Where are the logs stored?'],
    ['Backups are kept in Nuremberg.', 'Backups are encrypted since this week.', 'Where are backups kept?'],
    ['Clara runs the book club.', 'The book club now reads science fiction.', 'Who runs the book club?'],
    ['Svenja wanted the blue logo.', 'The logo is green now.', 'Who wanted the blue logo?'],
    ['The club fee is 140 a year.', 'We raised the rent of the hall to 155.', 'How much is the club fee?'],
    ['I weigh 84 kilos.', 'My sister is down to 61 kilos.', 'How much do I weigh?'],
    ['My dentist is Doctor Osei.', 'Kofi retired, his shop went to Doctor Mbeki.', 'Who is my dentist?'],
    ['The club has 140 members.', 'The club has 152 members, right?', 'How many members does the club have?'],
    ['The backup server is named atlas.', 'The old backup job was removed.', 'What is the backup server called?'],
    [
      'Coffee in the canteen costs 2 euros.',
      'Tea is no longer sold in the canteen.',
      'What does coffee in the canteen cost?',
    ],
    ['The printer on floor 2 is a Brother.', 'The printer on floor 3 was removed.', 'Which printer is on floor 2?'],
    [
      'The review is at 10:00 on 7 December.',
      'The retro is at 15:00 on 7 December.',
      'When is the review on 7 December?',
    ],
    [
      'The Berlin trip on 10 December costs 400 euros.',
      'The Paris trip on 11 December costs 600 euros.',
      'What does the trip on 10 December cost?',
    ],
    [
      'The bus to Kyoto leaves at 9:00 on 3 December.',
      'The bus to Osaka leaves at 11:00 on 3 December.',
      'When does the bus to Kyoto leave on 3 December?',
    ],
    ['The Berlin trip costs 400 euros.', 'The Paris trip costs 600 euros.', 'What does the Berlin trip cost?'],
    ['Payments go through Stripe.', 'The payments page has a new font.', 'Do we still use Stripe for payments?'],
    ['Anke is on parental leave.', 'Anke sent a picture of the baby.', 'Is Anke still on parental leave?'],
    ['Yoga is on Monday at six.', 'Choir moved to Thursday at seven.', 'When is yoga?'],
    [
      'The search service is written in Rust.',
      'The search service is used by Zalando.',
      'Which language is the search service written in?',
    ],
  ])('has %j first, although newer is: %j', async (older, newer, question) => {
    expect((await answersAfter(older, newer, question))[0]).toBe(older);
  });

  test('has what replaces the older value in its context too, however little of the question it tells', async () => {
    await say(service, 'ann', {
      content: 'The membership fee of the choir is 140.',
      timestamp: '2026-05-04T10:00:00Z',
    });
    await say(service, 'ann', { content: 'They raised the fee, it is 155.', timestamp: '2026-05-11T10:00:00Z' });
    const { memories, context } = await ask(service, 'ann', 'How much is the choir membership?');
    expect(memories.map(({ gist, relevance }) => [gist, relevance])).toEqual([
      ['They raised the fee, it is 155.', memories[1]?.relevance],
      ['The membership fee of the choir is 140.', expect.stringMatching(/high|medium/)],
    ]);
    expect(context).toContain('155');
  });
});

describe('a verdict in a thread', () => {
  /** The answers after a note, and a week later a thread of a proposal and a reply. */
  async function answersAfterThread(
    note: string,
    proposal: string,
    reply: string,
    question: string,
    { by = 'Ann', later = [] as string[] } = {},
  ) {
    await say(service, 'ann', { content: note, timestamp: '2026-05-04T10:00:00Z' });
    const thread = { session_id: 'thread' };
    await say(service, 'ann', { ...thread, content: proposal, name: 'Bob', timestamp: '2026-05-11T10:00:00Z' });
    await say(service, 'ann', { ...thread, content: reply, name: by, timestamp: '2026-05-11T10:05:00Z' });
    for (const content of later)
      await say(service, 'ann', { ...thread, content, name: 'Ann', timestamp: '2026-05-11T10:10:00Z' });
    const { memories } = await ask(service, 'ann', question);
    return memories.map(({ gist }) => gist);
  }

  const SLOTS = 'We keep six emergency slots per day, the first at nine.';
  const PROPOSAL = 'The emergency slots are never used up any more. We could keep fewer slots per day.';
  const QUESTION = 'How many emergency slots are there per day?';

  test.each([
    [SLOTS, PROPOSAL, 'Five, then. Drop the last one.', QUESTION],
    [
      'Catalogue photos may be at most 5 MB.',
      'People complain that they have to shrink their catalogue photos. Please allow larger photos.',
      '12 then. I make them smaller on the server.',
      'What is the maximum size of a catalogue photo?',
    ],
    [
      'Our push messages are delivered by Pushwright.',
      'Pushwright was down again, no push messages were delivered for two hours. Without Pushwright we would have to deliver our push messages ourselves.',
      'ok we talk to Apple and Google ourselves. go',
      'Who delivers our push messages?',
    ],
  ])('stands before what was so: %s', async (note, proposal, reply, question) => {
    const answers = await answersAfterThread(note, proposal, reply, question);
    expect(answers.indexOf(reply)).toBeLessThan(answers.indexOf(note));
  });

  test.each([
    ['who proposes it does not decide', 'Five, then. Drop the last one.', { by: 'Bob' }],
    ['what is only considered', 'Maybe five, then.', {}],
    ['what tells the same', 'Six it is, then.', {}],
    ['what is taken back', 'Five, then. Drop the last one.', { later: ['Forget it, we keep six.'] }],
    ['what stays', 'We stay at six, not five.', {}],
  ])('%s', async (_, reply, by) => {
    const answers = await answersAfterThread(SLOTS, PROPOSAL, reply, QUESTION, by);
    expect(answers.indexOf(SLOTS)).toBeLessThan(answers.indexOf(reply));
  });

  test.each([
    [
      'The rent for the studio is 1,000 a month.',
      'I have to raise the rent for the garage from August, everything gets dearer.',
      'ok, 180 then.',
      'What is the rent of the studio?',
    ],
    [
      'The bus to Osaka leaves at 8:10.',
      'The bus to Kyoto is too early for me, can we book a later bus?',
      'Then 9:40.',
      'What time does the bus to Osaka leave?',
    ],
  ])(
    'stands behind what is asked, where the proposal is of another thing: %s',
    async (note, proposal, reply, question) => {
      const answers = await answersAfterThread(note, proposal, reply, question);
      expect(answers.indexOf(note)).toBeLessThan(answers.indexOf(reply));
    },
  );

  test.each(['No.', 'No, the others are dearer.', 'then we stay with what we have'])(
    'leaves in front who does it, where the reply refuses another one: %s',
    async (reply) => {
      const note = 'The windows are cleaned by Brightway.';
      const proposal = 'Brightway left streaks on the windows again. Shall we let somebody else clean the windows?';
      const answers = await answersAfterThread(note, proposal, reply, 'Who cleans the windows?');
      expect(answers.indexOf(note)).toBeLessThan(answers.indexOf(reply));
    },
  );
});

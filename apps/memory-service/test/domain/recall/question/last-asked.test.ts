import { expect, test } from '@jest/globals';
import { lastAsked } from '../../../../src/domain/recall/question/last-asked.ts';

const listed = (texts: string) => texts.split(/\s*[|\n]\s*/).filter((text) => text !== '');

const OF_THE_LAST_SESSION = listed(`
  Where did we leave off? | where did we leave off | So where did we leave off?
  Ok, where did we leave off last time? | Hi Claude, where did we leave off? | Where did I leave off?
  Where did you leave off? | Where did we leave things? | Where did we leave it? | Where did we leave things off?
  Where had we left off? | Where did we stop? | Where did we stop last time? | Where did we get to?
  Where did we get to in our last session? | Where did we end up last time? | Where did we leave off yesterday?
  Where did we leave off on Friday? | Where were we? | where were we | Now, where were we? | So where were we at?
  Where was I? | How far did we get? | How far did we get last time? | Remind me where we left off.
  Can you remind me where we left off? | Please remind me where we were. | Tell me where we left off last time
  Do you remember where we left off? | I forgot where we left off. | where we left off
  Let's continue where we left off | let's continue where we left off. | Lets pick up where we left off
  Pick up where we left off | Pick up from where we left off, please. | Pick it up where we left off
  Please continue from where we left off | Continue where we left off yesterday
  Can we continue where we left off? | Could you pick up where we left off?
  continue where you left off last time | Resume where we left off | Resume from where we stopped
  Carry on where we stopped | carry on from where we left off last time | Start again where we left off
  Let's start where we stopped. | OK, let's get back to where we were
  I'd like to continue where we left off last time | I want to pick up where we left off
  Good morning! Let's pick up where we left off. | I'm back. Where were we?
  I was on holiday last week. Where did we leave off? | Lunch is over. Where were we? | Sorry for the delay. Where were we?
  I'm back from lunch. Where did we leave off? | Hello again, I am back from holiday. Where did we leave off?
  Where were we? Let's continue. | What were we working on? | what were we doing | What was I working on?
  What were you working on? | What were you doing? | What were we just talking about?
  What were we talking about last time? | What were we discussing? | What were we up to?
  What were we doing in our last session? | Remind me what we were working on.
  Tell me what we were talking about | What did we do last time? | what did we do last time
  Remind me what we did last time. | Can you tell me what we did last time? | What did we do in our last session?
  What did we do in the previous session? | What did we do last session? | What did we talk about last time?
  What did we talk about the last time we spoke? | What did we discuss in our last conversation?
  What did we discuss during the last chat? | What did I say last time? | What did I tell you last time?
  What did you say in our last conversation? | What did you suggest last time? | What did we decide last time?
  What did we decide in our last discussion? | What did we agree on last time?
  What did we agree on in the last session? | What did we cover in our last session?
  What did we get done last time? | What did we get done in the last session? | What did we work on last time?
  What did we work on the last time we met? | What did we work on last? | What did we last talk about?
  What did I work on in my last session? | What have we done last time? | What had we decided last time?
  What did we do together last time? | What did I discuss with you last time? | What happened last time?
  What happened in our last session? | What happened in the last session? | What was said last time?
  What was decided in our last conversation? | What was discussed in the previous conversation?
  What was done in the last session? | What was our last conversation about? | What was the last session about?
  What was the last thing we did? | What's the last thing we worked on? | what's the last thing we talked about
  Summarize our last conversation | Summarise our last session. | Can you summarize our previous conversation?
  Please summarize what we did last time. | Summarize the last session | Summarize what we discussed last time
  Give me a summary of our last conversation | Give me a quick recap of our last session, please.
  A summary of the last session, in three bullet points. | Summary of our most recent chat
  Summary of last session | Recap our last session | Recap where we left off | recap of what we did last time
  Review what we did last time | Continue our last session | Resume our last session.
  resume the previous conversation | Let's continue our last conversation | Continue from last time
  Let's continue from last time. | pick up from last time | Continue what we were working on
  Continue what we were doing last time | Let's continue what we were working on | last session
  our last conversation | previous session summary | Last session context | Do you remember our last conversation?
  Good morning! Where did we leave off? Please keep it short. | WHERE DID WE LEAVE OFF?
  “Where did we leave off?” | Where’d we leave off? | What did we talk about the last time we worked together?
  I've been away for a few weeks. What did we do last time? | Where did you and I leave off?
  Hey there! Could you please remind me where we left off? | Let me know where we left off, please.
  Go over what we did last time | what we discussed in our last session | Pick up where we left off last night
  Where did we leave off this morning? | Where did we leave off last Friday?
`);

const OF_NEWS = listed(`
  What's new? | What’s new? | whats new | What is new? | Hi, what's new? | Hey team, what's new?
  So what is new with you? | What's the latest? | What is the latest? | What's the latest news?
  What is the news? | Anything new? | Is there anything new? | Any news? | any news | Any updates?
  Are there any updates? | Do you have any updates for me? | Any new updates? | Have you any news? | latest news
  the latest | Recent updates | What did I miss? | what did I miss | What did we miss? | What have I missed?
  What have we missed? | What did I miss while I was away? | What did I miss since last time?
  Did I miss anything? | Have I missed anything? | Tell me what I missed.
  I'm back from holiday. What did I miss? | I was away for two weeks. What did I miss? | Catch me up
  Catch me up, please. | Can you catch me up? | Please bring me up to speed | Bring me up to date.
  Get me up to speed | Get us up to date | Catch us up on what we missed | Fill me in | Update me, please
  What happened lately? | What has happened recently? | What's happened since then?
  What happened while I was away? | What happened while I was gone? | What happened since we last spoke?
  What has changed recently? | What's new since our last session? | Tell me what's new. | Show me what is new
  Anything new since last time? | Ok, what's new here?
`);

/** They have a subject, another one who did it, or a time of their own, or ask nothing. */
const OF_SOMETHING_ELSE = listed(`
  Where did we leave off with the parser? | Where did we leave the keys? | Where did I leave it?
  Where did I leave my bike? | Where did Ann leave off? | Where did you leave the report?
  Where did the team stop? | Where did we stop the deploy? | Where did we stop for lunch?
  Where did we end up eating? | Where were we born? | Where were we on 3 May? | Where are we?
  Where are we at with billing? | Where was Ann? | Where was I yesterday? | Where is the report?
  How far did Ann get? | How far did we get with the migration? | How far is it? | Remind me where the keys are.
  Remind me where we left the car | Let's continue where we left off with the migration
  Let's continue where we left off and add tests | Pick up where Ann left off | pick up the laundry
  Pick me up at noon | Continue | continue please | Let's continue. | go on | Keep going | Carry on
  Continue the conversation | Continue with the parser | Resume the deploy | Resume | Start again
  What were we working on in March? | What were we doing wrong? | What were they working on?
  What was Ann working on? | What are we working on? | What am I working on? | What are you doing?
  What were we talking about with Acme? | What were the results? | What did we do? | What did we do yesterday?
  What did we do on Friday? | What did we do last week? | What did we do about the leak?
  What did we do last time the build broke? | What did we do last time about the leak?
  What did we do in the last sprint? | What did Ann do last time? | What did Ann say in the last session?
  What did they decide last time? | What did the board decide in its last session? | What did we decide?
  What did we decide about the database? | What did we decide in the last meeting?
  What did we decide in our last session about the logo? | What did we discuss with Acme last time?
  What did we talk about at dinner? | What did I say? | What did you say? | What did you say about Rust last time?
  What did I order last time? | What did we pay last time? | What happened? | What happened yesterday?
  What happened last week? | What happened last time we deployed?
  What happened in the last session of parliament? | What happened at the last session with Dr. Meier?
  What happened in the last episode? | What was said about the roof last time? | What was said?
  What was decided last week? | What was the last conversation with Ann about? | What was the last book about?
  What is the last session in the conference? | What was the last thing Ann did?
  What's the last thing on the list? | Summarize the conversation | Summarize the meeting | Summarize last week
  Summarize our last sprint | Summarize our last conversation with Acme | Summarize this session
  Summary of the last quarter | Give me a summary of the report | Recap | Recap the week
  Recap of our last release | Review the pull request | Continue our last project | Continue the last migration
  last week | last time | last session of the council | the last talk | What was said in the last talk?
  previous version | conversation | session | session timeout | last session timeout | last conversation with Bob
  When was our last session? | When did we last talk? | Who was in our last session?
  How long was the last session? | How many people came last time? | Why did we stop last time?
  Did we talk about the roof last time? | Was the last session good?
  The build is red again. What did we do last time? | We meet Acme tomorrow. What did we discuss last time?
  I want to work on the parser. Where did we leave off? | The team met without me. What did I miss?
  I upgraded to Rust 1.90. What's new? | Where did we leave off? And is the parser done?
  Where did we leave off? Where are the keys? | Ann asked where we left off. | Ann: where did we leave off?
  We left off at the parser. | I know what we did last time. | What's new in Rust 1.90?
  What's new in the billing service? | What is new about it? | What's new with Ann? | What's new today?
  What is new this week? | What's up? | What's going on? | What's happening? | What's the latest version?
  What is the latest on the parser? | What is the latest release? | What's the news about Rust? | News about Rust
  News | new | Any news from Ann? | Any news on the roof? | Any updates on the migration? | Any new customers?
  Anything new from Acme? | Is there a new version? | Are there updates for the printer? | update
  Update the docs | Updates | latest release notes | What did Ann miss? | What did I miss in the meeting?
  What did I miss in class on Monday? | Did I miss the deadline? | Do I miss anything? | Catch the 9:30 train
  Catch up with Ann | Catch me up on the migration | Let's catch up | Bring me a coffee
  Bring me up to date on billing | Get me the report | Get the kettle up to temperature | Fill in the form
  Fill me in on the outage | What has changed? | What has changed about the demo?
  What changed recently in billing? | What has Ann done recently? | What happened recently in Paris?
  What happened since Monday? | What happened since the release? | What happened while Ann was away?
  What's new pussycat? | What is the last session key? | What do we do next? | What's next? | What is on tomorrow?
  Who are you? | What do you know about me? | ok | thanks | yes | Update | What's happened? | up to date
  The meeting was long. What did I miss? | What did we fix last time? | What did we change last time?
  Where did we finish? | What did I learn at school last time? | continue where Ann left off
  What was left off the list? | I left off the last comma. | We missed the train. What did we miss?
  The last time we met was in May. | What about our last session? | Our last session was on Friday.
  our last conversation was about Rust | Continue what we were doing | continue what you were doing
  continue from where you left off | Continue where you stopped. | What did you say last?
  What was the last thing you said? | Where were we on Friday? | Where were we last week?
  Where did we end up last night? | Where did we stop yesterday? | What did we miss last time?
  What did we learn about Rust last time?
`);

test.each(OF_THE_LAST_SESSION)('%j asks for the last session', (text) => {
  expect(lastAsked(text)).toBe('session');
});

test.each(OF_NEWS)('%j asks for what is new', (text) => {
  expect(lastAsked(text)).toBe('news');
});

test.each(OF_SOMETHING_ELSE)('%j asks for neither', (text) => {
  expect(lastAsked(text)).toBeNull();
});

test('a long text asks for neither, and is read in no time', () => {
  const again = 'again '.repeat(30);
  expect(lastAsked(`${again}where did we leave off?`)).toBeNull();
  for (const part of ['so ', 'ok, where ', 'where did we leave off ', '?'])
    expect(lastAsked(part.repeat(Math.ceil(160 / part.length)).slice(0, 160))).toBeNull();
});

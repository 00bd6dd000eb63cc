import { expect, test } from '@jest/globals';
import { type Statement, statementsOf } from '../../../../src/domain/contradictions/statements/statement.ts';

function entries(text: string): string[] {
  const { words, entries: found } = statementsOf(text, { role: null })[0] as Statement;
  return found.map(({ about, given, kind }) => {
    return `${kind}: ${[...about].join(' ')} = ${given.map((at) => words[at]?.text).join(' ')}`;
  });
}

test.each([
  ['payroll contact: Ingrid', ['filled in: payrol contact = Ingrid']],
  ['mailer = Elixir', ['filled in: mailer = Elixir']],
  ['Fatima is the treasurer of the club.', ['name: treasur club = Fatima']],
  ['Our club treasurer is Henrik.', ['name: club treasur = Henrik']],
  ['Kenji is on call.', ['name: call = Kenji', 'place: kenji = call']],
  ['At the open day Dr Mbeki is our speaker.', ['name: open speaker = Dr Mbeki']],
  ['Dana is responsible for the alerts.', ['name: respons alert = Dana']],
  ['The puppy is called biscuit.', ['name: puppi = biscuit']],
  ['Our mailer is a little Go program.', ['name: mailer = Go']],
  ["The canoe is Peter's.", ['name: cano own = Peter']],
  ['The canoe belongs to Aunt Helen.', ['name: cano own = Aunt Helen']],
  ['Ann owns the canoe.', ['name: own cano = Ann']],
  ['The offsite is in Porto this year.', ['place: offsit = Porto']],
  ['Priya is based in Toronto.', ['place: priya work = Toronto']],
  ['Dinner takes place in the library.', ['place: dinner = library']],
  ['spare key under the mat', ['place: spare kei = mat']],
  ['We use Redis for the sessions.', ['filled in: session = Redis']],
  ['Prod runs on Postgres.', ['filled in: product = Postgres']],
  ['The phone is answered by Farida.', ['name: phone answer = Farida']],
  ['Half of it is answered by Farida.', []],
  // A list, a "not", a time, a state, what may be in several places, and more than one sentence.
  ['kids menu: pasta, pizza', []],
  ['dogs: none', []],
  ['todo for me: call mum', []],
  ['Ann: vegetarian', []],
  ['Ann and Bob: they play chess', []],
  ['The train is at 8:12.', []],
  ['The kids menu is available.', []],
  ['Trackers are sold in Poland.', []],
  ['The train stops in Fulda.', []],
  ['Petra wants short mails while we work on the seat map.', []],
  ['Petra works on the seat map.', []],
  ['While they waited we talked the seat map through: a slow query', []],
  ['We met when Ann was the lead: a good year', []],
  ['The key is in the drawer. Ann has it.', []],
])('%j is read as %j', (text, expected) => {
  expect(entries(text)).toEqual(expected);
});

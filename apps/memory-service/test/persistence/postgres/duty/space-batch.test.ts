import type { Postgres } from '@agent-faculties/postgres-kit';
import { expect, test } from '@jest/globals';
import { SpaceBatch } from '../../../../src/persistence/postgres/duty/space-batch.ts';

type Row = { readonly space: string; readonly held: string };

/** Answers for all spaces but `nobody`, and keeps what it was asked. */
function openBatch() {
  const asked: unknown[] = [];
  let fault: Error | null = null;
  const query = async ({ values }: { values: [string[], string[]] }) => {
    asked.push(values);
    if (fault) throw fault;
    const [spaces, holders] = values;
    const rows = spaces.map((space, index) => ({ space, held: `${space} by ${holders[index]}` }));
    return { rows: rows.filter(({ space }) => space !== 'nobody') };
  };
  const batch = new SpaceBatch<Row>({ query } as unknown as Postgres, { text: 'SELECT' });
  const fail = () => {
    fault = new Error('away');
  };
  return { batch, asked, fail };
}

test('spaces that are asked about together cost one statement, which names them in order', async () => {
  const { batch, asked } = openBatch();
  const answers = await Promise.all(['shop', 'blog', 'nobody', 'shop'].map((space) => batch.ask(space, 'me')));
  expect(answers.map((row) => row?.held)).toEqual(['shop by me', 'blog by me', undefined, 'shop by me']);
  expect(asked).toEqual([
    [
      ['blog', 'nobody', 'shop'],
      ['me', 'me', 'me'],
    ],
  ]);
});

test('another value of a space goes into a statement of its own, and so does whoever asks later', async () => {
  const { batch, asked } = openBatch();
  const [one, two] = await Promise.all([batch.ask('shop', 'me'), batch.ask('shop', 'you')]);
  expect([one?.held, two?.held]).toEqual(['shop by me', 'shop by you']);
  await batch.ask('shop', 'me');
  expect(asked).toEqual([
    [['shop'], ['me']],
    [['shop'], ['you']],
    [['shop'], ['me']],
  ]);
});

test('a statement that fails fails for all who asked, and not for the next ones', async () => {
  const { batch, asked, fail } = openBatch();
  fail();
  const settled = await Promise.allSettled([batch.ask('shop'), batch.ask('blog')]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(batch.ask('shop')).rejects.toThrow('away');
  expect(asked).toHaveLength(2);
});

import { expect, test } from '@jest/globals';
import { SavesInTurn } from '../../src/persistence/saves-in-turn.ts';

/** Saves that end when they are told to, by the names of those who asked. */
function manualSaves() {
  const begun: string[] = [];
  const ends = new Map<string, { end: () => void; fail: () => void }>();
  const save = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      begun.push(name);
      ends.set(name, { end: () => resolve(name), fail: () => reject(new Error(name)) });
    });
  return { begun, save, of: (name: string) => ends.get(name) as { end: () => void; fail: () => void } };
}

test('who asks during a save gets the next one, with all others who ask meanwhile', async () => {
  const { begun, save, of } = manualSaves();
  const saves = new SavesInTurn<string>();
  const first = saves.next(save('first'));
  await Promise.resolve();
  const others = [saves.next(save('second')), saves.next(save('third'))];
  expect(begun).toEqual(['first']);
  of('first').end();
  await expect(first).resolves.toBe('first');
  await Promise.resolve();
  expect(begun).toEqual(['first', 'second']);
  of('second').end();
  await expect(Promise.all(others)).resolves.toEqual(['second', 'second']);
});

test('a save that fails is the failure of those who share it, and the next one runs', async () => {
  const { save, of } = manualSaves();
  const saves = new SavesInTurn<string>();
  const first = saves.next(save('first'));
  const shared = saves.next(save('second'));
  expect(shared).toBe(first);
  await Promise.resolve();
  of('first').fail();
  await expect(first).rejects.toThrow('first');
  const next = saves.next(save('third'));
  await Promise.resolve();
  of('third').end();
  await expect(next).resolves.toBe('third');
});

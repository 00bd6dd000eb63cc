import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Outgoing, push, pushable } from '../../../src/domain/transfer/push.ts';
import { type Remote, RemoteError, type RemoteReport } from '../../../src/domain/transfer/remote.ts';

interface Request {
  readonly agentId: string;
  readonly dryRun: boolean;
  readonly lines: readonly string[];
}

/** A server that records what it receives. */
function server(answer: (request: Request, number: number) => Partial<RemoteReport> = () => ({})) {
  const requests: Request[] = [];
  const remote = {
    merge: async (lines: readonly string[], options: { agentId: string; dryRun: boolean }) => {
      const request = { ...options, lines };
      requests.push(request);
      const report = { added: lines.length, updated: 0, duplicates: 0, rejected: [], without_vectors: 0 };
      return { ...report, ...answer(request, requests.length) };
    },
  } as unknown as Remote;
  return { remote, requests };
}

const outgoing = (id: string, agentId: string, scope: 'TEAM' | 'PRIVATE' = 'TEAM', line = id): Outgoing => ({
  memory: { id, agentId, scope },
  line: async () => line,
});
const OPTIONS = { agentId: 'me', includePrivate: true, dryRun: false, onProgress: () => {} };

describe('a push', () => {
  test('sends what all may see as one agent, and PRIVATE memories each as its own', async () => {
    const { remote, requests } = server();
    const memories = [
      outgoing('1', 'ann'),
      outgoing('2', 'ann', 'PRIVATE'),
      outgoing('3', 'bob', 'PRIVATE'),
      outgoing('4', 'bob'),
      outgoing('5', 'me', 'PRIVATE'),
    ];
    expect(await push(remote, memories, OPTIONS)).toMatchObject({ sent: 5, added: 5 });
    expect(requests).toEqual([
      { agentId: 'me', dryRun: false, lines: ['1', '4', '5'] },
      { agentId: 'ann', dryRun: false, lines: ['2'] },
      { agentId: 'bob', dryRun: false, lines: ['3'] },
    ]);
  });

  test('leaves PRIVATE memories where they are unless it is told otherwise', async () => {
    const { remote, requests } = server();
    const memories = [outgoing('1', 'ann', 'PRIVATE'), outgoing('2', 'bob')];
    expect(pushable(memories, { includePrivate: false }).map(({ memory }) => memory.id)).toEqual(['2']);
    expect(await push(remote, memories, { ...OPTIONS, includePrivate: false })).toMatchObject({ sent: 1 });
    expect(requests.map(({ lines }) => lines)).toEqual([['2']]);
  });

  test('of nothing asks nobody', async () => {
    const { remote, requests } = server();
    expect(await push(remote, [], OPTIONS)).toEqual({
      sent: 0,
      added: 0,
      updated: 0,
      duplicates: 0,
      rejected: [],
      withoutVectors: 0,
    });
    expect(requests).toEqual([]);
  });

  test('sends requests of at most 500 lines and 768 KiB; a longer line goes alone', async () => {
    const bytes = fc.oneof(fc.constant(1), fc.integer({ min: 200_000, max: 900_000 }));
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { maxLength: 6 }), fc.constantFrom(0, 499, 500, 501), async (long, short) => {
        const { remote, requests } = server();
        // Two bytes of UTF-8 each.
        const lines = [...long.map((count) => 'ä'.repeat(Math.ceil(count / 2))), ...Array<string>(short).fill('x')];
        await push(
          remote,
          lines.map((line, index) => outgoing(String(index), 'me', 'TEAM', line)),
          OPTIONS,
        );
        expect(requests.flatMap((request) => request.lines)).toEqual(lines);
        for (const [index, request] of requests.entries()) {
          const size = (some: readonly string[]) => some.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
          expect(request.lines.length).toBeLessThanOrEqual(500);
          if (request.lines.length > 1) expect(size(request.lines)).toBeLessThanOrEqual(768 * 1024);
          const [next] = requests[index + 1]?.lines ?? [];
          // Each request but the last is as full as the limits allow.
          const isFull = request.lines.length === 500 || size([...request.lines, next ?? '']) > 768 * 1024;
          expect(next === undefined || isFull).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('adds up what the server says, and names what it rejects by its id', async () => {
    const answers: Partial<RemoteReport>[] = [
      { added: 400, duplicates: 99, rejected: [{ index: 7, reason: 'too old' }], without_vectors: 3 },
      { added: 0, updated: 1, without_vectors: 1 },
    ];
    const { remote } = server((_, number) => answers[number - 1] as Partial<RemoteReport>);
    const progress: number[] = [];
    const memories = Array.from({ length: 501 }, (_, index) => outgoing(`m${index}`, 'me'));
    const summary = await push(remote, memories, { ...OPTIONS, onProgress: (sent) => progress.push(sent) });
    expect(summary).toEqual({
      sent: 501,
      added: 400,
      updated: 1,
      duplicates: 99,
      rejected: [{ id: 'm7', reason: 'too old' }],
      withoutVectors: 4,
    });
    expect(progress).toEqual([500, 501]);
  });

  test('that says so is a dry run, and ends where the server ends it', async () => {
    const { remote, requests } = server((_, number) => {
      if (number === 2) throw new RemoteError('gone');
      return {};
    });
    const memories = Array.from({ length: 1_001 }, (_, index) => outgoing(`m${index}`, 'me'));
    await expect(push(remote, memories, { ...OPTIONS, dryRun: true })).rejects.toThrow('gone');
    expect(requests.map(({ dryRun }) => dryRun)).toEqual([true, true]);
  });
});

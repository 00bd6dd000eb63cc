import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './root.mjs';
import { runQuietly } from './run-quietly.mjs';

const member = join(root, 'apps', 'memory-service');

// Whether it loads, and whether it finds the right neighbour through each kind of index that the service uses.
const program = `
  const { IndexFlatIP, Index } = require(process.argv[1]);
  const vectors = [1, 0, 0, 0, 1, 0, 0.6, 0, 0.8];
  const flat = new IndexFlatIP(3);
  const made = Index.fromFactory(3, 'IVF1,Flat', 0);
  made.train(vectors);
  for (const index of [flat, made]) {
    index.add(vectors);
    for (const searched of [index, index.constructor.fromBuffer(index.toBuffer())]) {
      const { labels, distances } = searched.search([0.8, 0, 0.6], 2);
      if (labels.join() !== '2,0' || Math.abs(distances[0] - 0.96) > 1e-6) throw new Error('Error: it finds the wrong vectors');
    }
  }`;

/** The folder of faiss-node, as memory-service finds it; null where it is not installed. */
export function faissPackage() {
  try {
    return dirname(createRequire(join(member, 'package.json')).resolve('faiss-node/package.json'));
  } catch {
    return null;
  }
}

/**
 * Loads FAISS's binding and searches with it, in a process of its own, because a bad binary ends the process. Takes the path of
 * a binary, else looks at the one installed. Resolves to {ok: true} or {ok: false, reason}.
 */
export async function checkFaiss(binary = 'faiss-node') {
  if (faissPackage() === null) return { ok: false, reason: 'faiss-node is not installed' };
  const { code, output } = await runQuietly(process.execPath, ['-e', program, binary], { cwd: member });
  if (code === 0) return { ok: true };
  const reason = output.split('\n').find((line) => /error/i.test(line)) ?? output.trim().split('\n').at(-1);
  return { ok: false, reason: reason.trim() || `exit code ${code}` };
}

// The real worker, which also crashes on demand: `EXIT`, `THROW` or `OOM`, and `... ONCE <path>` only while no file is at the path.
import { existsSync, writeFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

const CRASHES = {
  EXIT: () => process.exit(3),
  THROW: () => {
    throw new Error('thrown on demand');
  },
  OOM: () => {
    const held = [];
    for (;;) held.push(new Array(1_000_000).fill(held.length));
  },
};

parentPort.on('message', ({ texts }) => {
  for (const text of texts) {
    const [, name, path] = /^(EXIT|THROW|OOM)(?: ONCE (.+))?$/.exec(text) ?? [];
    if (!name || (path && existsSync(path))) continue;
    if (path) writeFileSync(path, '');
    CRASHES[name]();
  }
});

await import('../src/embedding-worker.js');

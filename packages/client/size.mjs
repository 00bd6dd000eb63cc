#!/usr/bin/env node
// Prints the size of the client in a bundle for browsers: node packages/client/size.mjs [--limit BYTES].
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const { values } = parseArgs({ options: { limit: { type: 'string' } } });

const PARTS = {
  'both clients': "export * from './src/index.ts'",
  'memory alone': "export { memoryClient } from './src/index.ts'",
  'timing alone': "export { timingClient } from './src/index.ts'",
};

let largest = 0;
for (const [name, contents] of Object.entries(PARTS)) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
  });
  const [{ contents: code }] = outputFiles;
  const compressed = gzipSync(code, { level: 9 }).length;
  largest = Math.max(largest, compressed);
  console.log(`${name.padEnd(14)} ${code.length} bytes, ${compressed} compressed`);
}
if (values.limit !== undefined && largest > Number(values.limit)) {
  console.error(`The client is over ${values.limit} bytes compressed.`);
  process.exitCode = 1;
}

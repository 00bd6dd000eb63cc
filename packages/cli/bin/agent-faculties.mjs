#!/usr/bin/env node
// Apart from the compiled program, so that it is there, and linked, before the first build.
import { existsSync } from 'node:fs';

const program = new URL('../dist/main.js', import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  console.error('agent-faculties is not built. Run: npm run build');
  process.exitCode = 1;
}

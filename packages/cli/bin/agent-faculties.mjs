#!/usr/bin/env node
// Not compiled, so that package managers find and link it before the first build.
import { existsSync } from 'node:fs';

const program = new URL('../dist/main.js', import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  console.error('agent-faculties is not built. Run: npm run build');
  process.exitCode = 1;
}

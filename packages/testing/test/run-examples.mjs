// Run as a process of its own, with the loader of TypeScript: node run-examples.mjs OUTCOMES EXAMPLE... imports the examples, one after
// the other, and writes into the file OUTCOMES by example what it threw, or null. One process for all, because each one that is started
// takes a second to load what it has in common with the others.
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [outcomes, ...examples] = process.argv.slice(2);
const thrown = {};
for (const example of examples) {
  try {
    await import(pathToFileURL(example).href);
    thrown[example] = null;
  } catch (error) {
    thrown[example] = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}
writeFileSync(outcomes, JSON.stringify(thrown));

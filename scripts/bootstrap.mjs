#!/usr/bin/env node
// Sets the workspace up: checks Node, installs packages with the pinned pnpm, proves that SQLite loads; --build compiles too.
// Each step says what it does; what is done already is skipped. Needs Node and npm, nothing installed.
// This file uses only what old versions of Node understand, so that they get a sentence and not a syntax error.
const OLDEST_NODE = [20, 11]; // node --disable-warning, which npm test uses, came with 20.11

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
  console.error(
    `This project needs Node ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node}. Install the current version from https://nodejs.org and try again.`,
  );
  process.exitCode = 1;
} else {
  void import('./lib/set-up.mjs').then(({ setUp }) => setUp({ build: process.argv.includes('--build') }));
}

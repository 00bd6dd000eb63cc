#!/usr/bin/env node
// Asks both built services for their dashboard, their documentation and every file that these pages load, and for the tools over MCP.
// The tests run the sources, and a build has the compiled modules of src alone.
import { join } from 'node:path';
import { KnownFailure, runMain, say } from './lib/say.mjs';
import { startMemory } from './withstand/memory/lib/memory-service.mjs';
import { scratchFolder, startTiming } from './withstand/timing/lib/timing-service.mjs';

/** What a page, a style sheet and a module load from the same server; a comment of a module may take types from a .ts, which nobody loads. */
const LOADED = {
  'text/html': /\b(?:src|href)="([^"#]+)"/g,
  'text/css': /\burl\(["']?([^"')]+)["']?\)/g,
  'text/javascript': /\b(?:from|import)\s*\(?\s*["'](\.[^"']+\.js)["']/g,
};

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'check-built', version: '1' } },
};

await runMain(async () => {
  const without = ['--contradiction-model', 'none'];
  await check('timing-service', await startTiming(join(scratchFolder(), 'timing.db')));
  await check('memory-service', await startMemory(null, { model: 'none', flags: without }));
});

async function check(name, service) {
  try {
    const files = await loadedFrom(new URL('/dashboard', service.url));
    await answerOf(new URL('/mcp', service.url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify(INITIALIZE),
    });
    say('built', `${name} serves its dashboard, its documentation and MCP: ${files} files`);
  } finally {
    await service.stop();
  }
}

/** How many files a page and what it leads to load, itself among them. @throws KnownFailure where one is not served */
async function loadedFrom(page) {
  const urls = new Set([page.href]);
  for (const url of urls) {
    const { type, text } = await answerOf(url);
    const links = [...text.matchAll(LOADED[type] ?? /$^/g)].map(([, link]) => new URL(link, url));
    for (const { origin, pathname } of links) if (origin === page.origin) urls.add(origin + pathname);
  }
  return urls.size;
}

async function answerOf(url, request) {
  const answer = await fetch(url, request);
  const text = await answer.text();
  if (answer.status !== 200) throw new KnownFailure(`${url} is answered with ${answer.status}: ${text.slice(0, 500)}`);
  return { type: answer.headers.get('Content-Type')?.split(';')[0] ?? '', text };
}

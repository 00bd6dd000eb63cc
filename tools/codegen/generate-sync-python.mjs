// The client for Python without asyncio, made of the one with it: what waits is left out, word by word.
import { readFileSync, writeFileSync } from 'node:fs';

const home = new URL('../../clients/python/src/agent_faculties/', import.meta.url);

const WITHOUT_ASYNCIO = [
  [/\basync (?=def|with|for)/g, ''],
  [/\bawait /g, ''],
  // Only under asyncio may something be either.
  [/\bR \| Awaitable\[R\]/g, 'R'],
  [/\bIterable\[Line\] \| AsyncIterable\[Line\]/g, 'Iterable[Line]'],
  [/\bAsyncIterable, /g, ''],
  [/\bAwaitable, /g, ''],
  // Of two names in _waiting.py.
  [/\basync_(?=\w)/g, ''],
  [/\basync(?=contextmanager)/g, ''],
  [/\bAsync(?=[A-Z])/g, ''],
  [/\b__a(?=(?:enter|exit)__)/g, '__'],
  [/(?<=\.)a(?=(?:read|close|iter_text)\()/g, ''],
  [/ under asyncio(?=\. Nothing)/g, ''],
];

for (const name of ['calls', 'clients']) {
  const source = readFileSync(new URL(`_async_${name}.py`, home), 'utf8');
  const [, body] = /^"""[\s\S]*?"""\n([\s\S]*)$/.exec(source);
  const made = WITHOUT_ASYNCIO.reduce(
    (text, [pattern, word]) => text.replace(/** @type {RegExp} */ (pattern), /** @type {string} */ (word)),
    body,
  );
  const head = `"""Generated from _async_${name}.py by tools/codegen/generate-sync-python.mjs. Do not change."""\n`;
  writeFileSync(new URL(`_${name}_gen.py`, home), head + made);
}

import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const PACKAGE = new URL('../../', import.meta.url);

test('the page lies where the sources and where the built service look for it, with all that it names', () => {
  const source = readFileSync(new URL('src/http/dashboard.ts', PACKAGE), 'utf8');
  const folder = /dashboardPage\(new URL\('([^']+)'/.exec(source)?.[1] ?? '';
  for (const place of ['src/http/dashboard.ts', 'dist/http/dashboard.js']) {
    const page = new URL('index.html', new URL(folder, new URL(place, PACKAGE)));
    expect(`${place}: ${existsSync(page)}`).toBe(`${place}: true`);
    const named = readFileSync(page, 'utf8').match(/(?<=")dashboard\/assets\/[^"]+/g) ?? [];
    expect(named).toHaveLength(2);
    for (const name of named) {
      const file = new URL(name.replace('dashboard/', ''), page);
      const map = /sourceMappingURL=(\S+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
      const { sources } = JSON.parse(readFileSync(new URL(map, file), 'utf8')) as { sources: string[] };
      expect(sources.some((path) => path.includes('src/dashboard/'))).toBe(true);
    }
  }
});

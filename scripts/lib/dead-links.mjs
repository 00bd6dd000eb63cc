import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { root } from './root.mjs';

const LINK = /\]\(([^)\s]+)\)/g;
const HEADING = /^#{1,6} (.+)$/gm;
const ELSEWHERE = /^[a-z]+:/;

/** Links of the Markdown files that lead to no file, or to no heading in it. */
export function deadLinks() {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { cwd: root });
  const pages = listed.toString().split('\n').filter(Boolean);
  const anchors = new Map(pages.map((page) => [page, anchorsOf(proseOf(page))]));
  return pages.flatMap((page) =>
    linksOf(proseOf(page))
      .filter((link) => !ELSEWHERE.test(link) && leadsNowhere(page, link, anchors))
      .map((link) => `${page}: the link ${link} leads nowhere`),
  );
}

function linksOf(prose) {
  return [...prose.replace(/`[^`\n]*`/g, '').matchAll(LINK)].map(([, link]) => link);
}

function leadsNowhere(page, link, anchors) {
  const [path, anchor] = link.split('#');
  const target = path ? posix.join(posix.dirname(page), path) : page;
  if (!existsSync(posix.join(root, target))) return true;
  return anchor !== undefined && anchors.has(target) && !anchors.get(target).has(anchor);
}

function proseOf(page) {
  return existsSync(posix.join(root, page))
    ? readFileSync(posix.join(root, page), 'utf8').replace(/^ *```[\s\S]*?^ *```$/gm, '')
    : '';
}

/** As GitHub makes them: the second heading of one text ends in -1. */
function anchorsOf(prose) {
  const times = new Map();
  return new Set(
    [...prose.matchAll(HEADING)].map(([, heading]) => {
      const anchor = heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\- _]/gu, '')
        .replaceAll(' ', '-');
      const before = times.get(anchor) ?? 0;
      times.set(anchor, before + 1);
      return before === 0 ? anchor : `${anchor}-${before}`;
    }),
  );
}

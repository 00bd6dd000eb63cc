// Reads a profile of V8 (.cpuprofile) as a tree of calls: of what a thread did, without the time in which it waited.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { root } from '../../scripts/lib/root.mjs';

const WAITING = '(idle)';
/** What V8 names itself. */
const ENGINE = { '(garbage collector)': 'collector', '(program)': 'Node itself, kernel' };

/** @returns {{ name: string, library: string, self: number, total: number, children: Map }} times in µs */
export function readCallTree(path) {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(path, 'utf8'));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const own = new Map();
  // A delta is the time since the sample before.
  for (let index = 0; index < samples.length; index++) {
    own.set(samples[index], (own.get(samples[index]) ?? 0) + (timeDeltas[index + 1] ?? 0));
  }
  return joined('all', [nodes[0]], { byId, own, caller: 'Node itself, kernel' });
}

/** One call out of several of the same function below the same caller. */
function joined(name, nodes, { byId, own, caller }) {
  const library = name === 'all' ? caller : libraryOf(nodes[0].callFrame, caller);
  const children = new Map();
  for (const child of nodes.flatMap((node) => node.children ?? []).map((id) => byId.get(id))) {
    const key = nameOf(child.callFrame);
    if (child.callFrame.functionName !== WAITING) children.set(key, [...(children.get(key) ?? []), child]);
  }
  const calls = [...children].map(([key, list]) => joined(key, list, { byId, own, caller: library }));
  const self = nodes.reduce((sum, { id }) => sum + (own.get(id) ?? 0), 0);
  const total = calls.reduce((sum, call) => sum + call.total, self);
  return { name, library, self, total, children: calls.sort((a, b) => b.total - a.total) };
}

/** A name that is the same in two profiles: 'run (bench/x.mjs:12)', or 'run' alone for native code. */
function nameOf({ functionName, url, lineNumber }) {
  const name = functionName || '(anonymous)';
  return url === '' ? name : `${name} (${shortPath(url)}:${lineNumber + 1})`;
}

/** Within the repository, within a package ('express/lib/router.js'), or a module of Node. */
function shortPath(url) {
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  const inPackage = path.lastIndexOf('node_modules/');
  if (inPackage >= 0) return path.slice(inPackage + 'node_modules/'.length);
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

/** Code without a file is native; it counts for the library that calls it. */
function libraryOf({ functionName, url }, caller) {
  if (url === '') return ENGINE[functionName] ?? `${caller.replace(/, native$/, '')}, native`;
  const path = shortPath(url);
  if (path.startsWith('node:')) return 'Node, JavaScript';
  const parts = path.split('/');
  const isOwn = ['apps', 'packages'].includes(parts[0]);
  return parts.slice(0, isOwn || path.startsWith('@') ? 2 : 1).join('/');
}

/** Self time and time with what it calls, in µs, by a key of the calls; a function that calls itself counts once. */
export function sums(tree, keyOf) {
  const found = new Map();
  const open = new Set();
  const walk = (call) => {
    const key = keyOf(call);
    const sum = found.get(key) ?? { key, self: 0, total: 0 };
    found.set(key, sum);
    sum.self += call.self;
    const isOuter = !open.has(key);
    if (isOuter) {
      sum.total += call.total;
      open.add(key);
    }
    for (const child of call.children) walk(child);
    if (isOuter) open.delete(key);
  };
  for (const call of tree.children) walk(call);
  return [...found.values()];
}

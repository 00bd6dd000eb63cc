import { expect, test } from '@jest/globals';

type State = Record<string, unknown> & { readonly view: string };

// Written for the browser, without types.
const FILE = new URL('../../../src/dashboard/state/view-state.js', import.meta.url).href;
const {
  parseViewState,
  serializeViewState,
}: { parseViewState(fragment: string): State; serializeViewState(state: State): string } = await import(FILE);

const afterwards = (fragment: string) => serializeViewState(parseViewState(fragment));

test.each([
  '',
  '#learnt=week',
  '#agent=ann&project=web-shop&view=contradictions',
  '#view=contradictions&tab=doubtful&alone=yes&speakers=%5B%22ann%22%2C%22bob%22%5D&memory=01a222',
  '#view=browse&q=note+11&by=ann&session=s&tag=t&kind=episodic&scope=TEAM&recalled=never&from=2026-11-01&to=2026-11-02&held=2026-11-03',
  '#view=search&query=mails&trust=user&by=bob&kind=semantic&tokens=250&style=json',
  '#view=timeline&since=2026-11-01T00%3A00%3A00.000Z&until=2026-11-02T00%3A00%3A00.000Z&as_of=2026-11-01T12%3A00%3A00.000Z',
  '#view=search&tokens=100000',
  '#view=timeline&since=2026-11-01',
  '#view=health&memory=01a222',
])('%s is the same address when it is read and written again', (fragment) => {
  expect(afterwards(fragment)).toBe(fragment);
});

test.each([
  ['a view that is none is the overview', '#view=nowhere', ''],
  ['an unknown trust and span are any', '#view=search&trust=nobody&learnt=year', '#view=search'],
  ['so are kind, scope and recall', '#view=browse&kind=foo&scope=team&recalled=once', '#view=browse'],
  ['and a form and a budget of the context', '#view=search&style=xml&tokens=many', '#view=search'],
  ['so is a budget that is too large', '#view=search&tokens=100001', '#view=search'],
  ['what is no instant is none', '#view=timeline&since=soon&until=later&as_of=2026-13-01', '#view=timeline'],
  [
    'so is one of another year than four digits have, and a window that ends before it begins',
    '#view=timeline&since=2026-11-30&until=2026-11-01&as_of=%2B012026-01-01',
    '#view=timeline',
  ],
  ['an unknown tab is that of what is open', '#view=contradictions&tab=open', '#view=contradictions'],
  ['so is another', '#view=contradictions&tab=lost&alone=no', '#view=contradictions'],
  [
    'what belongs to another view is dropped',
    '#view=browse&query=mails&tokens=250&as_of=2026&learnt=week&tab=resolved&speakers=ann',
    '#view=browse',
  ],
  ['all projects are no project', '#project=*', ''],
])('%s', (_, read, written) => {
  expect(afterwards(read)).toBe(written);
});

test('filters of the list and conditions of a recall have the same names and are held apart', () => {
  expect(parseViewState('#view=browse&by=ann')).toMatchObject({ filters: { by: 'ann' }, recall: { by: '' } });
  expect(parseViewState('#view=search&by=ann')).toMatchObject({ filters: { by: '' }, recall: { by: 'ann' } });
});

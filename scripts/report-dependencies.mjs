#!/usr/bin/env node
// Licences and known vulnerabilities of everything that runs in production: node scripts/report-dependencies.mjs [--output FILE]
// Fails on a licence that nobody has allowed, and on a vulnerability of high or critical severity. Where the registry knows of
// no vulnerabilities, the report says so.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from './lib/command-line.mjs';
import { packagesInDashboards } from './lib/dashboards.mjs';
import { root } from './lib/root.mjs';
import { lastLines, runQuietly } from './lib/run-quietly.mjs';
import { KnownFailure, runMain } from './lib/say.mjs';

/** They ask for nothing but their own text in what is passed on, which the packages in an image bring. */
const ALLOWED = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  '0BSD',
  'CC0-1.0',
  'Python-2.0',
  'WTFPL',
]);

/** Looked at one by one: which licence it is, and why it may be here. */
const REVIEWED = [
  {
    package: /^flatbuffers@1\.12\.0$/,
    licence: 'Apache-2.0',
    reason: 'its package.json points to its LICENSE.txt, which is that licence',
  },
  {
    package: /^@img\/sharp-libvips-/,
    licence: 'LGPL-3.0-or-later',
    reason:
      'an unchanged shared library in a package of its own, which anybody may exchange; sharp would load it, which @xenova/transformers brings and nothing imports',
  },
  {
    package: /^axe-core@/,
    licence: 'MPL-2.0',
    reason: 'unchanged, in a package of its own; the tests alone load it into a page, and no image or tarball has it',
  },
];

/** From here on a vulnerability is a failure. */
const FAILING = ['high', 'critical'];

await runMain(async () => {
  const { values } = commandLine(import.meta.url, { options: { output: { type: 'string' } } });
  const joined = await packagesInDashboards();
  const packages = await productionPackages(joined);
  const refused = packages.filter(({ verdict }) => verdict === null);
  const audit = await knownVulnerabilities(joined);
  const report = `${licenceReport(packages)}\n${auditReport(audit)}`;
  if (values.output) writeFileSync(values.output, report);
  process.stdout.write(report);
  const faults = [
    ...refused.map(
      ({ name, licence }) => `${name}: ${licence} is neither allowed nor reviewed in scripts/report-dependencies.mjs`,
    ),
    ...(audit.found ?? []).filter(({ severity }) => FAILING.includes(severity)).map(({ title }) => title),
  ];
  if (faults.length > 0) throw new KnownFailure(faults.join('\n'));
});

/** @param joined packages of development for pnpm, whose code is in the pages that are built */
async function productionPackages(joined) {
  const { code, output } = await pnpm('licenses', 'list', '--prod', '--recursive', '--json');
  const listed = parsedAfterNoise(output);
  if (code !== 0 || listed === null) throw new KnownFailure(`pnpm could not list licences:\n${lastLines(output)}`);
  const installed = Object.entries(listed).flatMap(([licence, packages]) =>
    packages.flatMap(({ name, versions }) => versions.map((version) => ({ name: `${name}@${version}`, licence }))),
  );
  return [
    ...installed,
    ...joined.map(({ name, version, license }) => ({ name: `${name}@${version}`, licence: license })),
  ]
    .map(({ name, licence }) => ({ name, licence, verdict: verdictOf(name, licence) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Why it may be here; null when nobody has decided. */
function verdictOf(name, licence) {
  const choices = licence.replaceAll(/[()]/g, '').split(' OR ');
  if (choices.some((choice) => choice.split(' AND ').every((part) => ALLOWED.has(part)))) return 'allowed';
  const review = REVIEWED.find((reviewed) => reviewed.package.test(name));
  return review ? `${review.licence}: ${review.reason}` : null;
}

/** `found` is null where the registry does not say. */
/** @returns {Promise<{ found: { severity: string, title: string }[] | null, reason?: string }>} */
async function knownVulnerabilities(joined) {
  const names = joined.map(({ name }) => name);
  const installed = await audited('--prod');
  const built = await audited('--dev');
  if (!installed.found || !built.found) return installed.found ? built : installed;
  return { found: [...installed.found, ...built.found.filter(({ name }) => names.includes(name))] };
}

async function audited(which) {
  const { output } = await pnpm('audit', which, '--json');
  const answer = parsedAfterNoise(output);
  if (!answer?.advisories) return { found: null, reason: output.trim().split('\n').slice(-3).join(' ').trim() };
  const found = Object.values(answer.advisories).map(({ severity, title, module_name: name, url }) => ({
    name,
    severity,
    title: `${name}: ${title} (${severity}) ${url}`,
  }));
  return { found };
}

function licenceReport(packages) {
  const counts = new Map();
  for (const { licence } of packages) counts.set(licence, (counts.get(licence) ?? 0) + 1);
  const special = packages.filter(({ verdict }) => verdict !== 'allowed');
  return [
    '# Packages that run in production',
    '',
    `${packages.length} packages of pnpm-lock.yaml.`,
    '',
    '| licence | packages |',
    '| --- | --- |',
    ...[...counts].sort((a, b) => b[1] - a[1]).map(([licence, count]) => `| ${licence} | ${count} |`),
    '',
    ...special.map(({ name, licence, verdict }) => `- ${name} (${licence}): ${verdict ?? 'NOT ALLOWED'}`),
    '',
  ].join('\n');
}

function auditReport({ found, reason = '' }) {
  const lines =
    found === null
      ? ['Not known: this registry has no list of vulnerabilities, or did not answer.', '', `> ${reason}`]
      : found.length === 0
        ? ['None that the registry knows of.']
        : found.map(({ title }) => `- ${title}`);
  return ['# Known vulnerabilities', '', ...lines, ''].join('\n');
}

function pnpm(...args) {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return runQuietly('npx', ['-y', packageManager, ...args]);
}

/** npx and pnpm may say something before the JSON. */
function parsedAfterNoise(output) {
  const start = output.indexOf('\n{') + 1;
  try {
    return JSON.parse(output.slice(output.startsWith('{') ? 0 : start));
  } catch {
    return null;
  }
}

// Types and operations of both contracts for packages/client.
import { writeFileSync } from 'node:fs';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { readContract } from './contract.mjs';

const root = new URL('../../', import.meta.url);

for (const service of ['memory', 'timing']) {
  const contract = new URL(`apps/${service}-service/openapi.yaml`, root);
  const home = new URL('packages/client/src/', root);
  // A field with a default may be left out of a request.
  const types = astToString(await openapiTS(contract, { defaultNonNullable: false }));
  writeFileSync(new URL(`${service}.gen.ts`, home), `${COMMENT_HEADER}${types}`);
  writeFileSync(new URL(`${service}-operations.gen.ts`, home), table(service, readContract(contract).operations));
}

/** One entry an operation, with what the contract says of it as its documentation. */
function table(service, operations) {
  const name = `${service.toUpperCase()}_OPERATIONS`;
  const entries = operations.map((operation) => `${comment(operation)}  ${operation.id}: ${fields(operation)},\n`);
  return `// Generated from apps/${service}-service/openapi.yaml; do not edit.\n\nexport const ${name} = {\n${entries.join('')}} as const;\n`;
}

function comment({ method, path, summary, description }) {
  const lines = [`${summary}.`, ...(description ? ['', ...description.split('\n')] : []), '', `\`${method} ${path}\``];
  return `  /**\n${lines.map((line) => `   * ${line.replaceAll('*/', '*\\/')}`.trimEnd()).join('\n')}\n   */\n`;
}

/** Only what is not as with most: small tables make small clients. */
function fields({ method, path, parameters, bodySchema, takesLines, answers, pages, repeatable, key }) {
  const entry = {
    method,
    path,
    ...(bodySchema && { body: true }),
    ...(takesLines && { takesLines }),
    ...headersOf(parameters),
    ...(answers !== 'json' && { answers }),
    ...(pages && { pages }),
    ...(method !== 'GET' && repeatable && { repeatable }),
    ...(key && { key }),
  };
  return `{ ${Object.entries(entry)
    .map(([field, value]) => `${field}: ${JSON.stringify(value).replaceAll('"', "'")}`)
    .join(', ')} }`;
}

function headersOf(parameters) {
  const names = parameters.filter(({ in: place }) => place === 'header').map(({ name }) => name);
  return names.length > 0 ? { headers: names } : {};
}

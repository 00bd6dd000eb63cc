import { readFileSync } from 'node:fs';
import { CORE_SCHEMA, load } from 'js-yaml';
import type { OpenApiDocument } from './openapi.ts';

/** Reads a contract from YAML. @throws Error naming the file when it is no OpenAPI 3.1 document */
export function loadSpec(url: URL): OpenApiDocument {
  const document = load(readFileSync(url, 'utf8'), { schema: CORE_SCHEMA }) as OpenApiDocument | null;
  if (!document?.openapi?.startsWith('3.1.') || !document.paths) {
    throw new Error(`${url.pathname} is no OpenAPI 3.1 document: it needs "openapi: 3.1.x" and "paths".`);
  }
  return document;
}

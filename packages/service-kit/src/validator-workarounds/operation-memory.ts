import type { RequestHandler } from 'express';
import type { FoundOperation } from '../contract/found-operation.ts';
import type { OpenApiDocument } from '../contract/openapi.ts';

interface PathTemplate {
  readonly path: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

/**
 * Caches the results of `find` per method and path of the contract. The validator's own handler builds a regular expression for
 * each path until one fits, at every request: up to 100 µs of processor time. It is still called for the first request of an
 * operation, and for every request whose path fits none or several paths of the contract.
 */
export function rememberOperations(spec: OpenApiDocument, find: RequestHandler): RequestHandler {
  const templates = Object.keys(spec.paths).map(pathTemplate);
  const literals = new Map(templates.filter(({ names }) => names.length === 0).map((found) => [found.path, found]));
  const patterns = templates.filter(({ names }) => names.length > 0);
  const known = new Map<string, FoundOperation>();

  /** A literal path wins over a parameter that would fit too, as in the validator. */
  const templateOf = (path: string): PathTemplate | undefined => {
    const literal = literals.get(path);
    if (literal) return literal;
    const [only, ...others] = patterns.filter(({ pattern }) => pattern.test(path));
    return others.length === 0 ? only : undefined;
  };

  return (req, res, next) => {
    const target = req as { openapi?: FoundOperation };
    const [path = ''] = req.originalUrl.split('?', 1);
    const template = templateOf(path);
    if (!template) return find(req, res, next);
    const key = `${req.method} ${template.path}`;
    const found = known.get(key);
    if (found) {
      const pathParams = pathParameters(template, path);
      target.openapi = { ...found, pathParams };
      req.params = pathParams;
      return next();
    }
    return find(req, res, (error?: unknown) => {
      if (!error && target.openapi?.openApiRoute === template.path) known.set(key, target.openapi);
      next(error);
    });
  };
}

function pathTemplate(path: string): PathTemplate {
  const names: string[] = [];
  const source = path.replace(/\{([^{}]+)\}|[.*+?^$()|[\]\\]/g, (part, name: string | undefined) => {
    if (name === undefined) return `\\${part}`;
    names.push(name);
    return '([^/]+)';
  });
  return { path, names, pattern: new RegExp(`^${source}$`) };
}

/** @throws URIError for percent-encoding that is no UTF-8 */
function pathParameters({ names, pattern }: PathTemplate, path: string): Record<string, string> {
  if (names.length === 0) return {};
  const values = pattern.exec(path) ?? [];
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index + 1] ?? '')]));
}

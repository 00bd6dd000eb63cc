import type { Request } from 'express';
import { foundOperation } from './found-operation.ts';

/** Routes outside the contract, such as /docs. */
const routes = new WeakMap<Request, string>();

export function setRoute(req: Request, route: string): void {
  routes.set(req, route);
}

/** The path template that answers, such as '/events/{event_id}': few values, so that it can label metrics. Null for an unknown path. */
export function routeOf(req: Request): string | null {
  return foundOperation(req)?.openApiRoute ?? routes.get(req) ?? null;
}

import type { RequestHandler } from 'express';

/**
 * One handler that runs others in order, as a router does. A router matches the path before each of them, which took longer than
 * most of these handlers.
 */
export function inSequence(...handlers: readonly RequestHandler[]): RequestHandler {
  return (req, res, next) => {
    const run = (index: number): void => {
      const handler = handlers[index];
      try {
        if (!handler) next();
        else handler(req, res, (error?: unknown) => (error ? next(error) : run(index + 1)));
      } catch (error) {
        next(error);
      }
    };
    run(0);
  };
}

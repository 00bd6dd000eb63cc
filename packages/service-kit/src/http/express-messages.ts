import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** The classes of which a server makes requests and answers: options of `createServer`. */
export type ExpressMessages = Required<Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>>;

/**
 * Classes whose requests and answers have the methods of an Express app from the beginning. Express gives them to each request and
 * answer by changing its prototype, which makes every access to it slower, and after which the engine keeps it, with all that hangs on
 * it, until the next full collection: 40 % of what requests allocated outlived the collections of young objects, each of which then
 * held up a request for milliseconds. A prototype that is the right one already is not changed.
 */
export function expressMessages(app: Express): ExpressMessages {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  app.request = ExpressRequest.prototype as Express['request'];
  app.response = ExpressResponse.prototype as unknown as Express['response'];
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

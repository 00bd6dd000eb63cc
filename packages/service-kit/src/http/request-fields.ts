// What requestLog notes on a request. Apart from it, so that who only reads the fields need not load it.
declare global {
  namespace Express {
    interface Request {
      /** The client's X-Request-ID when it is usable, else a new id. Set by requestLog. */
      id?: string;
      /** When it came, epoch milliseconds. Set by requestLog. */
      arrivedMs?: number;
      /** More fields for this request's line in the log. */
      logFields?: Readonly<Record<string, unknown>>;
    }
  }
}

export {};

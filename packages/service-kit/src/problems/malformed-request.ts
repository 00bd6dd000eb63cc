import { TOO_DENSE } from '../http/dense-body.ts';
import { NOT_UTF8 } from '../http/request-guards.ts';
import type { Description } from './description.ts';

const NO_JSON =
  'The body is no JSON object or array: send one of these in UTF-8, with names and texts in double quotes.';

/** Errors of body-parser, which carry a stable `type`, and of the zlib below it. */
export function malformedBody(error: unknown): Description | undefined {
  const { type, limit, detail = '' } = (error ?? {}) as { type?: unknown; limit?: number; detail?: string };
  switch (type) {
    case 'entity.parse.failed':
      return { kind: 'malformed_json', detail: NO_JSON };
    case NOT_UTF8:
      return { kind: 'malformed_json', detail: 'The body is not UTF-8: send one JSON object or array in UTF-8.' };
    case 'request.aborted':
    case 'request.size.invalid':
      return { kind: 'malformed_json', detail: 'The body ended too early: send as many bytes as Content-Length says.' };
    case 'entity.too.large':
      return { kind: 'payload_too_large', detail: `The body is over ${limit} bytes: send less at once.` };
    case TOO_DENSE:
      return { kind: 'payload_too_large', detail };
    case 'encoding.unsupported':
      return {
        kind: 'unsupported_media_type',
        detail: 'The Content-Encoding is not understood: send the body plain, or with gzip, deflate or br.',
      };
    case 'charset.unsupported':
      return { kind: 'unsupported_media_type', detail: 'The charset is not understood: send the body in UTF-8.' };
    default:
      return badCompression(error);
  }
}

/** Errors of zlib for a body that does not match Content-Encoding. */
function badCompression(error: unknown): Description | undefined {
  const code = codeOf(error);
  if (typeof code !== 'string' || !/^(Z_|ZSTD_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_PADDING)/.test(code)) return undefined;
  return {
    kind: 'malformed_json',
    detail: 'The body is not what its Content-Encoding says: compress it again or send it plain.',
  };
}

/** Errors of decodeURIComponent and of the URL parser. */
export function malformedUrl(error: unknown): Description | undefined {
  if (!(error instanceof URIError) && codeOf(error) !== 'ERR_INVALID_URL') return undefined;
  return {
    kind: 'malformed_url',
    detail:
      'The URL is not valid: encode each value once as UTF-8, and repeat a parameter without brackets (tag=a&tag=b).',
  };
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code;
}

import type { Request } from 'express';
import { UnsupportedMediaTypeError } from '../problems/errors.ts';

/** Refuses a compressed body where the body is read as a stream, which nothing decompresses. @throws UnsupportedMediaTypeError */
export function requirePlainBody(req: Pick<Request, 'get'>): void {
  if ((req.get('Content-Encoding') ?? 'identity').toLowerCase() === 'identity') return;
  throw new UnsupportedMediaTypeError('A body of lines is not decompressed: send it without Content-Encoding.');
}

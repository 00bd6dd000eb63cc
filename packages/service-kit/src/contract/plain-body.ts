import type { Request } from 'express';
import { UnsupportedMediaTypeError } from '../problems/errors.ts';

/** For bodies that are read as a stream, which nothing decompresses. @throws UnsupportedMediaTypeError */
export function requirePlainBody(req: Pick<Request, 'get'>): void {
  if ((req.get('Content-Encoding') ?? 'identity').toLowerCase() === 'identity') return;
  throw new UnsupportedMediaTypeError('Lines are not decompressed: send them plain.');
}

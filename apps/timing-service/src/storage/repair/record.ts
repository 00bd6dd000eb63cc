/** SQLite's record format: https://www.sqlite.org/fileformat2.html#record_format */

export type Value = number | string | Buffer | null;

/** @returns the number and where the next byte is; numbers above 2^53 are not exact, and none here is */
export function varint(bytes: Buffer, at: number): readonly [value: number, next: number] {
  let value = 0;
  for (let index = 0; index < 8; index++) {
    const byte = bytes.readUInt8(at + index);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + index + 1];
  }
  return [value * 256 + bytes.readUInt8(at + 8), at + 9];
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8];

/** The values of a record. @throws RangeError where it is none */
export function recordOf(payload: Buffer): Value[] {
  const [headerEnd, first] = varint(payload, 0);
  if (headerEnd > payload.length) throw new RangeError('The header of the record is longer than the record');
  const values: Value[] = [];
  let body = headerEnd;
  for (let at = first; at < headerEnd; ) {
    const [type, next] = varint(payload, at);
    at = next;
    const length = lengthOf(type);
    if (body + length > payload.length) throw new RangeError('A value of the record ends behind it');
    values.push(decoded(type, payload.subarray(body, body + length)));
    body += length;
  }
  return values;
}

function lengthOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  if (type === 7) return 8;
  return INTEGER_BYTES[type] ?? 0;
}

function decoded(type: number, bytes: Buffer): Value {
  if (type === 0) return null;
  if (type === 7) return bytes.readDoubleBE(0);
  if (type === 6) return Number(bytes.readBigInt64BE(0));
  if (type <= 5) return bytes.readIntBE(0, bytes.length);
  if (type === 8 || type === 9) return type - 8;
  if (type < 12) throw new RangeError(`No value is of type ${type}`);
  return type % 2 === 1 ? bytes.toString('utf8') : Buffer.from(bytes);
}

import { inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;

/**
 * The bytes of one file in a zip archive of less than 4 GB. Field offsets: section 4.3 of PKWARE's APPNOTE.
 * @throws Error when there is no such file in it
 */
export function zipEntry(archive, name) {
  const end = archive.lastIndexOf(signature(END_OF_DIRECTORY));
  if (end < 0) throw new Error('This is no zip archive.');
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error('The directory of the zip archive is damaged.');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => archive.readUInt16LE(at + field));
    if (archive.toString('utf8', at + 46, at + 46 + nameLength) === name) return content(archive, at);
    at += 46 + nameLength + extraLength + commentLength;
  }
  throw new Error(`The archive holds no ${name}.`);
}

function content(archive, entry) {
  const method = archive.readUInt16LE(entry + 10);
  const length = archive.readUInt32LE(entry + 20);
  const header = archive.readUInt32LE(entry + 42);
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  const bytes = archive.subarray(start, start + length);
  if (method === STORED) return bytes;
  if (method !== DEFLATED) throw new Error(`The archive uses compression method ${method}.`);
  return inflateRawSync(bytes);
}

function signature(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

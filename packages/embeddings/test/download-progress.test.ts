import { expect, test } from '@jest/globals';
import { downloadProgress } from '../src/download-progress.ts';

const STEPS = [0, 1_000_000, 1_100_000, 4_000_000].map((loadedBytes) => ({
  model: 'owner/name',
  file: 'onnx/model.onnx',
  loadedBytes,
  totalBytes: 4_000_000,
}));

function show(isTTY: boolean) {
  const written: string[] = [];
  const logged: string[] = [];
  const stream = { isTTY, write: (text: string) => void written.push(text) };
  STEPS.forEach(downloadProgress({ stream, log: (line) => void logged.push(line) }));
  return { written, logged };
}

test('draws a bar on a terminal and ends its line', () => {
  const { written, logged } = show(true);
  expect(written.slice(1)).toEqual([
    '\r[########......................] 25 % 1.0/4.0 MB onnx/model.onnx\x1b[K',
    '\r[########......................] 27 % 1.1/4.0 MB onnx/model.onnx\x1b[K',
    '\r[##############################] 100 % 4.0/4.0 MB onnx/model.onnx\x1b[K\n',
  ]);
  expect(logged).toEqual([]);
});

test('writes a line at each quarter to the log where there is no terminal', () => {
  const { written, logged } = show(false);
  expect(written).toEqual([]);
  expect(logged).toEqual([0, 25, 100].map((percent) => `downloading owner/name: onnx/model.onnx ${percent} %`));
});

import type { DownloadProgress, OnDownloadProgress } from './download-model.ts';

/** The part of a stream that the progress needs. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressTarget {
  readonly stream: ProgressStream;
  readonly log: (line: string) => void;
}

const BAR_CELLS = 30;
const MEGABYTE = 1e6;
/** A log gets a line each time the progress grows by this many per cent. */
const LOG_STEP_PERCENT = 25;

/** Shows a download as a bar on a terminal, else as a few lines in the log. */
export function downloadProgress({ stream, log }: ProgressTarget): OnDownloadProgress {
  return stream.isTTY ? barOn(stream) : linesIn(log);
}

function barOn(stream: ProgressStream): OnDownloadProgress {
  let shown = '';
  return (progress) => {
    const line = barOf(progress);
    if (line === shown) return;
    shown = line;
    const finished = progress.loadedBytes === progress.totalBytes;
    // Return to the start of the line, write, and clear the rest of the old text.
    stream.write(`\r${line}\x1b[K${finished ? '\n' : ''}`);
  };
}

function barOf({ file, loadedBytes, totalBytes }: DownloadProgress): string {
  const loaded = (loadedBytes / MEGABYTE).toFixed(1);
  if (totalBytes === undefined) return `${file} ${loaded} MB`;
  const share = Math.min(1, loadedBytes / totalBytes);
  const filled = Math.round(share * BAR_CELLS);
  const bar = '#'.repeat(filled) + '.'.repeat(BAR_CELLS - filled);
  return `[${bar}] ${Math.floor(share * 100)} % ${loaded}/${(totalBytes / MEGABYTE).toFixed(1)} MB ${file}`;
}

function linesIn(log: (line: string) => void): OnDownloadProgress {
  let last = '';
  return ({ model, file, loadedBytes, totalBytes }) => {
    const share = totalBytes === undefined ? 0 : Math.min(1, loadedBytes / totalBytes);
    const percent = Math.floor((share * 100) / LOG_STEP_PERCENT) * LOG_STEP_PERCENT;
    const line = `downloading ${model}: ${file}${totalBytes === undefined ? '' : ` ${percent} %`}`;
    if (line !== last) log(line);
    last = line;
  };
}

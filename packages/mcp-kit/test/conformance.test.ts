import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CONFORMANCE_LIMIT_MS, REVISIONS, runConformance } from './conformance/run.ts';
import { startSampleService } from './sample-service.ts';

let service: Awaited<ReturnType<typeof startSampleService>>;

beforeAll(async () => {
  service = await startSampleService();
});
afterAll(() => service.close());

/** The names that the suite asks a test server for, as far as the kit can offer what stands behind them. */
const OFFERED = [
  'tools-call-simple-text',
  'tools-call-error',
  'resources-read-text',
  'resources-templates-read',
  'prompts-get-simple',
  'prompts-get-with-args',
];

test.each(REVISIONS)(
  'a service with the names of the test server conforms to %s in all that the kit offers',
  async (revision) => {
    const { code, said } = await runConformance(service.url, { revision, passes: OFFERED });
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
  },
  CONFORMANCE_LIMIT_MS,
);

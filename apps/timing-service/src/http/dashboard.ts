import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type DashboardPage, dashboardPage } from '@agent-faculties/service-kit';

/** The page as it stands in the sources; the build copies nothing. */
export const dashboard: DashboardPage = dashboardPage({
  folder: new URL('../../src/dashboard', import.meta.url),
  vendor: join(dirname(createRequire(import.meta.url).resolve('uplot/package.json')), 'dist'),
});

import { type DashboardPage, dashboardPage } from '@agent-faculties/service-kit';

/** Serves the page from the sources; the build copies nothing. */
export const dashboard: DashboardPage = dashboardPage({ folder: new URL('../../src/dashboard', import.meta.url) });

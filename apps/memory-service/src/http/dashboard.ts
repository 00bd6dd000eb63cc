import { type DashboardPage, dashboardPage } from '@agent-faculties/service-kit/http';

/** The page as scripts/lib/dashboards.mjs joins it, for the sources and for what is built of them. */
export const dashboard: DashboardPage = dashboardPage(new URL('../../dist/dashboard/', import.meta.url));

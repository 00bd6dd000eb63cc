import { type RequestHandler, Router } from 'express';
import swaggerUi from 'swagger-ui-express';
import { methodNotAllowed } from '../contract/contract-violation.ts';
import type { OpenApiDocument } from '../contract/openapi.ts';
import { setRoute } from '../contract/route-of.ts';
import type { Metrics } from '../observability/metrics.ts';
import { lazily } from '../values/lazily.ts';
import type { Probes } from './probes.ts';

/** Swagger UI needs inline styles and data: images; scripts and requests stay on this server. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** One check instead of one for each route: most requests are not for these paths. */
const OWN_PATH = /^\/(openapi\.json|metrics|docs|health\/(live|ready))(\/|$)/;

interface DocumentationOptions {
  readonly spec: OpenApiDocument;
  readonly metrics: Metrics;
  readonly probes: Pick<Probes, 'live' | 'ready'>;
}

/**
 * The routes on which every service describes itself: /openapi.json, /docs, /metrics, /health/live and /health/ready. They need no
 * identity, no validation and no network.
 */
export function documentation(options: DocumentationOptions): RequestHandler {
  // The pages take 10 ms.
  const router = lazily(() => documentationRouter(options));
  return (req, res, next) => (OWN_PATH.test(req.path) ? router()(req, res, next) : next());
}

function documentationRouter({ spec, metrics, probes }: DocumentationOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const specText = JSON.stringify(spec);
  // validatorUrl: the default sends the address of the contract to an outside host.
  const ui = { customCss: '', customSiteTitle: spec.info.title, swaggerOptions: { validatorUrl: null } };
  // Relative to the page, so that a gateway may serve both in a folder.
  const shown = { ...spec, servers: [{ url: '.' }] };
  // The page is served at /docs without a redirect to /docs/, so its assets are named relative to that.
  const page = swaggerUi.generateHTML(shown, ui).replaceAll('"./', '"./docs/');

  serve(router, '/openapi.json', (_req, res) => {
    res.type('application/json').send(specText);
  });
  serve(router, '/metrics', metrics.handler);
  serve(router, '/health/live', probes.live);
  serve(router, '/health/ready', probes.ready);
  serve(router, '/docs', (_req, res) => {
    res.set('Content-Security-Policy', DOCS_POLICY).type('html').send(page);
  });
  router.get('/docs/', (_req, res) => res.redirect(308, '../docs'));
  router.use('/docs', (req, res, next) => {
    setRoute(req, '/docs');
    // The files of Swagger UI have 2.2 MB: browsers keep them, and ask whether they have changed.
    res.set('Cache-Control', 'no-cache');
    next();
  });
  router.use('/docs', ...swaggerUi.serveFiles(shown as never, ui));
  return router;
}

/** Answers GET and HEAD; 405 for other methods. */
function serve(router: Router, path: string, handler: RequestHandler): void {
  router.all(path, (req, res, next) => {
    setRoute(req, path);
    if (req.method !== 'GET' && req.method !== 'HEAD') throw methodNotAllowed(req.path, 'GET, HEAD');
    return handler(req, res, next);
  });
}

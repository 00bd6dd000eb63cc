// The side of a service that answers requests. Apart from index.ts, because it loads Express and the validator, which rules, stores and
// commands never need.
export { type Contract, openContract } from './contract/contract.ts';
export { loadSpec } from './contract/load-spec.ts';
export { type LocatedOperation, type OpenApiDocument, operationsOf } from './contract/openapi.ts';
export type { Handler, Handlers, Reply } from './contract/operations.ts';
export { requirePlainBody } from './contract/plain-body.ts';
export { recordReader } from './contract/record-reader.ts';
export { type DashboardPage, dashboardPage } from './http/dashboard-page.ts';
export { connectedMessage, type EventStream, EventStreams, eventMessage } from './http/event-stream.ts';
export { HookCalls } from './http/hook-door.ts';
export { type InProcessAnswer, requestInProcess } from './http/in-process.ts';
export { type Listening, listen } from './http/listen.ts';
export { type JsonFields, type NdjsonLine, ndjsonLines, requireWhole } from './http/ndjson.ts';
export type { Degradation } from './http/probes.ts';
export { createServiceApp, type ServiceApp, type ServiceAppOptions } from './http/service-app.ts';
export { ADMIN_ROLES, type MayName, mayAct, type Role } from './http/trusted-identity.ts';
export { createMetrics, type Metrics } from './observability/metrics.ts';
export { openTracing, type Tracing } from './observability/tracing.ts';
export { type ErrorForm, type Problem, problemFor } from './problems/problem.ts';
export { serviceFields, spaceFields } from './process/service-fields.ts';
export { refuseLongTexts } from './redaction/long-texts.ts';
export { type LineRedaction, listed, REDACT_MODES, redactLine } from './redaction/request-redaction.ts';
export { OpenSpaces, type SpaceRoom, type SpaceSource } from './spaces/open-spaces.ts';

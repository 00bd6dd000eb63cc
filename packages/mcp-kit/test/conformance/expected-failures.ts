import type { Revision } from './run.ts';

/**
 * Scenarios of the conformance suite that a service cannot pass, because it does not offer what they need. All others must pass, and
 * one of these that passes fails the run.
 */
export const EXPECTED_FAILURES: readonly string[] = [
  // They call tools, read resources and get prompts of a test server by their names; ../sample-service.ts has these.
  'tools-call-simple-text',
  'tools-call-error',
  'resources-read-text',
  'resources-templates-read',
  'prompts-get-simple',
  'prompts-get-with-args',
  // Not offered: content other than text, and resources within results.
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'resources-read-binary',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
  // Not offered: progress. A tool answers once.
  'tools-call-with-progress',
  // Not offered: completion of arguments, which are free text.
  'completion-complete',
];

export const EXPECTED_FAILURES_OF: Readonly<Record<Revision, readonly string[]>> = {
  '2025-11-25': [
    // Not offered: subscriptions, questions to the client and logging to the client, because each request stands for itself.
    'logging-set-level',
    'tools-call-with-logging',
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    'resources-subscribe',
    'resources-unsubscribe',
    // Not offered: sessions, which the revision of 2026 no longer has.
    'server-sse-multiple-streams',
  ],
  '2026-07-28': [
    // Not testable without tools of the test server: nothing here asks a client for a capability, streams or logs.
    'server-stateless:sep-2575-server-rejects-undeclared-capability',
    'server-stateless:sep-2575-missing-capability-http-400',
    'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
    'server-stateless:sep-2575-server-no-log-without-loglevel',
    // Not offered: questions to the client.
    'input-required-result-basic-elicitation',
    'input-required-result-basic-sampling',
    'input-required-result-basic-list-roots',
    'input-required-result-request-state',
    'input-required-result-multiple-input-requests',
    'input-required-result-multi-round',
    'input-required-result-non-tool-request',
    'input-required-result-result-type',
    'input-required-result-tampered-state',
    'input-required-result-capability-check',
    'input-required-result-missing-input-response',
    'input-required-result-ignore-extra-params',
  ],
};

export type Method = 'get' | 'post' | 'delete';

/** Without the ids that the service makes and the times that it takes. */
export const told = ({ status, text }: { status: number; text: string }) => [
  status,
  text
    .replace(/"(id|event_id|end_event_id|request_id)":"\w+"/g, '"$1":""')
    .replace(/"correlation_id":"[0-9a-f]{32}"/g, '"correlation_id":""')
    .replace(/"took_ms":[\d.]+/g, '"took_ms":0'),
];

const COMPARISON = { approaches: [{ name: 'a', steps: [{ task_type: 'build' }, { task_type: 'lint' }] }] };
const LINE = { kind: 'task', agent_id: 'ann', task_type: 'imported', state: 'active', started_at: '2026-01-01' };
const IMPORT = `${JSON.stringify({ ...LINE, correlation_id: 'imported' })}\n`;
const TOOL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'expect', arguments: { task_type: 'build' } },
};
const SPAN = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  name: 'x',
  startTimeUnixNano: '1795253400000000000',
  endTimeUnixNano: '1795253401000000000',
  attributes: [{ key: 'gen_ai.tool.name', value: { stringValue: 'Read' } }],
};
const TRACES = { resourceSpans: [{ scopeSpans: [{ spans: [SPAN] }] }] };
const PROMPT = { hook_event_name: 'UserPromptSubmit', session_id: 's', cwd: '/w', prompt: 'hello there' };

/** Requests of every operation that happens in a space: questions first, then what writes. */
export const REQUESTS: Readonly<Record<string, readonly [Method, string, (object | string)?][]>> = {
  listAgents: [['get', '/agents']],
  listProjects: [['get', '/projects']],
  getStopwatch: [['get', '/stopwatch/tea']],
  listStopwatches: [['get', '/stopwatches']],
  listEvents: [
    ['get', '/events?limit=1000'],
    ['get', '/events?task_type=of%20shop'],
  ],
  listActiveTasks: [['get', '/events/active']],
  getEvent: [['get', '/events/nothing']],
  listTasks: [
    ['get', '/tasks?limit=1000'],
    ['get', '/tasks?state=active&agent_id=*'],
  ],
  getTask: [
    ['get', '/tasks/run-3'],
    ['get', '/tasks/run-8'],
  ],
  listSummaries: [['get', '/stats/durations']],
  getSummary: [
    ['get', '/stats/durations/build?agent_id=*'],
    ['get', '/stats/durations/build?since=2026-11-21T09:31:00Z'],
  ],
  listTaskTypes: [['get', '/stats/task-types']],
  recommendTimeout: [['get', '/stats/recommend-timeout/build']],
  checkTimeout: [['get', '/stats/check-timeout/build?elapsed_seconds=1&timeout_seconds=3']],
  compareApproaches: [['post', '/stats/compare-approaches', COMPARISON]],
  estimateDuration: [
    ['get', '/stats/estimate/build'],
    ['get', '/stats/estimate/unknown?estimated_seconds=5'],
  ],
  getDistribution: [['get', '/stats/distribution/build']],
  getTrend: [['get', '/stats/trend/build']],
  getTimeSpent: [['get', '/stats/time-spent?group_by=agent']],
  exportData: [['get', '/export?agent_id=*']],
  postMcp: [['post', '/mcp', TOOL]],
  startTask: [
    ['post', '/events/task-start', { task_type: 'build', correlation_id: 'run-3' }],
    ['post', '/events/task-start', { task_type: 'new', correlation_id: 'new' }],
  ],
  endTask: [
    ['post', '/events/task-end', { task_type: 'build', correlation_id: 'run-9' }],
    ['post', '/events/task-end', { task_type: 'new' }],
    ['post', '/events/task-end', { task_type: 'new', correlation_id: 'nobody' }],
  ],
  recordEvent: [['post', '/events', { event_type: 'note' }]],
  startStopwatch: [
    ['post', '/stopwatch/tea/start'],
    ['post', '/stopwatch/more/start'],
  ],
  stopStopwatch: [['post', '/stopwatch/tea/stop']],
  deleteStopwatch: [
    ['delete', '/stopwatch/tea'],
    ['delete', '/stopwatch/nothing'],
  ],
  importData: [['post', '/import', IMPORT]],
  receiveTraces: [['post', '/v1/traces', TRACES]],
  receiveHook: [['post', '/hooks/claude-code', PROMPT]],
  listHooks: [['get', '/hooks?agent_id=*']],
};

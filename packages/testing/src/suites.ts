// Apart from index.ts, because @jest/globals can be imported within a test alone.
export { describeOtherPages } from './browser/other-pages.ts';
export { type OperationExample, walkContract } from './contract/contract-walk.ts';
export { expectProblem } from './http/problem-answer.ts';

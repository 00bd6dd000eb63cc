import supertest from 'supertest';
import type { TestService } from '../start-service.ts';

/** The requests that several tests of one service make. */
export function requestsTo(service: () => TestService) {
  const get = async (path: string) => (await supertest(service().app).get(path)).body;
  return {
    post: (path: string, body: object, headers: Record<string, string> = {}) =>
      supertest(service().app).post(path).set(headers).send(body),
    /** How many memories an agent sees. */
    total: async (agent = 'ann') => (await get(`/stats?agent_id=${agent}`)).totals.total,
    memoryOf: async (id: string, agent = 'ann') => (await get(`/memory/${id}?agent_id=${agent}`)).memory,
    /** The gists of what is in it. */
    workingMemory: async (query: string) =>
      (await get(`/working_memory?${query}`)).working_memory.map(({ gist }: { gist: string }) => gist),
  };
}

export const idsOf = ({ memories }: { memories: readonly { id: string }[] }) => memories.map(({ id }) => id);

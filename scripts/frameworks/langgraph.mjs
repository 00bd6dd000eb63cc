// A graph of LangGraph whose nodes keep and find things in memory-service.
import { deepStrictEqual, match } from 'node:assert/strict';
import { MemoryServiceStore } from '@agent-faculties/adapters/langgraph';
import { memoryClient } from '@agent-faculties/client';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const memory = memoryClient({ url: process.env.MEMORY_URL, agentId: 'graph' });
const store = new MemoryServiceStore(memory);
const state = Annotation.Root({ question: Annotation(), answer: Annotation() });
const graph = new StateGraph(state)
  .addNode('learn', async (_, config) => {
    await config.store.put(['users', 'dana'], 'food', { likes: 'Dana likes pizza with mushrooms.' });
    await config.store.put(['users', 'dana'], 'car', { drives: 'Dana drives a green bus.' });
    return {};
  })
  .addNode('recall', async ({ question }, config) => {
    const [found] = await config.store.search(['users'], { query: question, limit: 1 });
    return { answer: found.value.likes };
  })
  .addEdge(START, 'learn')
  .addEdge('learn', 'recall')
  .addEdge('recall', END)
  .compile({ store });
const { answer } = await graph.invoke({ question: 'What does Dana like to eat?' });
match(answer, /mushrooms/);
deepStrictEqual(await store.listNamespaces(), [['users', 'dana']]);
deepStrictEqual((await store.get(['users', 'dana'], 'car')).value, { drives: 'Dana drives a green bus.' });
console.log('a graph keeps and finds');

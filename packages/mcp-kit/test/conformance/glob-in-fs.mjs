// Given to node --import. The conformance suite imports globSync from fs, which Node 20 does not have yet; only its commands for
// maintainers use it.
import fs from 'node:fs';
import { register } from 'node:module';

if (!fs.globSync) {
  const shim = 'export * from "node:fs"; export { default } from "node:fs"; export const globSync = () => [];';
  const hooks = `export const resolve = (name, context, next) =>
    name === 'fs' && context.parentURL?.includes('/conformance/dist/')
      ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(shim)}`)}, shortCircuit: true }
      : next(name, context);`;
  register(`data:text/javascript,${encodeURIComponent(hooks)}`);
}

import type { ContractSchemas, Tool } from '@agent-faculties/mcp-kit';
import type { operations } from '../api.gen.ts';
import { checkTool } from './check-tool.ts';
import { compareTool } from './compare-tool.ts';
import { expectTool } from './expect-tool.ts';
import { nowTool } from './now-tool.ts';
import { endTool, startTool } from './task-tools.ts';

/** What a model may do with time: six tools. */
export function coreTools(schemas: ContractSchemas): Tool<operations>[] {
  return [
    startTool(schemas),
    endTool(schemas),
    expectTool(schemas),
    checkTool(schemas),
    compareTool(schemas),
    nowTool(schemas),
  ];
}

import type { ToolHost } from '../../src/core/agentTools/toolHost';
import type { AgentAnswer } from '../../src/core/agentTools/agentTool';
import { agentTools } from '../../src/core/agentTools/agentTools';
import { runAgentTool } from '../../src/core/agentTools/runAgentTool';

/** Returns a tool host with only the given parts. Anything else throws, so that unexpected calls fail. */
export function toolHostWith(parts: Partial<ToolHost>): ToolHost {
  return new Proxy(parts as ToolHost, {
    get(target, name) {
      const part = Reflect.get(target, name) as unknown;
      if (part === undefined) throw new Error(`The desk was asked for ${String(name)}.`);
      return part;
    },
  });
}

/** Runs a tool by the end of its name. */
export async function runTool(
  name: string,
  input: unknown,
  parts: Partial<ToolHost> = {},
  signal = new AbortController().signal,
): Promise<AgentAnswer> {
  const tool = agentTools.find((one) => one.name === `inferenceDesk_${name}`);
  if (!tool) throw new Error(`Unknown tool: ${name}.`);
  return runAgentTool(tool, input, { host: toolHostWith(parts), signal });
}

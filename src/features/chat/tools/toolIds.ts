import type { ChatParameters } from '../../../core/conversation/chatParameters';
import type { OfferedTool, ToolChoice } from '../../../core/conversation/tools';
import type { ToolChoiceForm } from '../../../protocol/chatTools';

/** Returns the page's id for a tool. */
export function toolId({ source, name }: Pick<OfferedTool, 'source' | 'name'>): string {
  return `${source}:${name}`;
}

/** Converts a choice to its wire format; `undefined` for none, and for a tool that is not offered. */
export function choiceOf(
  { type, tool, single }: ToolChoiceForm,
  offered: readonly OfferedTool[],
): ToolChoice | undefined {
  const once = single ? { disable_parallel_tool_use: true } : {};
  if (type === 'none') return { type };
  if (type === 'unset') return single ? { type: 'auto', ...once } : undefined;
  if (type !== 'tool') return { type, ...once };
  const name = offered.find((one) => toolId(one) === tool)?.name;
  return name === undefined ? undefined : { type, name, ...once };
}

export function toChoiceForm({ tool_choice: choice, tools = [] }: ChatParameters): ToolChoiceForm {
  if (!choice) return { type: 'unset', single: false };
  if (choice.type === 'none') return { type: 'none', single: false };
  const single = choice.disable_parallel_tool_use ?? false;
  if (choice.type !== 'tool') return { type: choice.type, single };
  const found = tools.find(({ name }) => name === choice.name);
  return { type: 'tool', ...(found ? { tool: toolId(found) } : {}), single };
}

import { createHash } from 'node:crypto';
import type { MessageRequest } from '../api/messages/messages.schema';
import { isObject } from '../api/isObject';

/** A tool as defined in a request. */
export type ToolDefinition = NonNullable<MessageRequest['tools']>[number];

/** The tool choice as on the wire; `tool` has the tool's own name, which may differ from its name on the wire. */
export type ToolChoice = NonNullable<MessageRequest['tool_choice']>;

/**
 * A tool that a conversation offers. VS Code tools are looked up for each request. The user's own are stored completely, so that later
 * edits to the library don't change the conversation.
 */
export type OfferedTool = { readonly source: 'editor'; readonly name: string } | OwnTool;

export type OwnTool = { readonly source: 'own' } & ToolDefinition;

/** Per request. https://docs.siliconflow.com/en/api-reference/chat-completions/chat-completions */
export const mostTools = 128;

/** Tool names valid on the wire. The length is from the same page; the characters are those of its examples. */
export const toolNamePattern = /^[a-zA-Z0-9_-]{1,64}$/;

/** A tool with its name on the wire. */
export interface NamedTool {
  readonly offered: OfferedTool;
  readonly definition: ToolDefinition;
}

/**
 * Returns the offered tools that exist, each with a valid and unique name on the wire: its own name if possible. `editorTools` have
 * their own names.
 */
export function namedTools(
  offered: readonly OfferedTool[],
  editorTools: readonly ToolDefinition[],
): readonly NamedTool[] {
  const taken = new Set<string>();
  // The user's own tools first: their names are what the user typed.
  const inOrder = offered.toSorted((a, b) => Number(a.source === 'editor') - Number(b.source === 'editor'));
  return inOrder.flatMap((tool) => {
    const found = tool.source === 'own' ? tool : editorTools.find(({ name }) => name === tool.name);
    if (!found) return [];
    const fits = toolNamePattern.test(tool.name) && !taken.has(tool.name);
    const name = fits ? tool.name : shortName(tool);
    taken.add(name);
    const { description, input_schema } = found;
    const described = description === undefined || description === '' ? {} : { description };
    return [{ offered: tool, definition: { name, ...described, input_schema } }];
  });
}

/** Returns the same name for the same tool, whatever else is offered. */
function shortName({ source, name }: OfferedTool): string {
  const hash = createHash('sha256').update(`${source}:${name}`).digest('hex').slice(0, 8);
  return `${name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 55)}_${hash}`;
}

/** Returns the choice with the name on the wire; `undefined` if there are no tools, or the tool is not offered. */
export function wireChoice(choice: ToolChoice, tools: readonly NamedTool[]): ToolChoice | undefined {
  if (tools.length === 0) return undefined;
  if (choice.type !== 'tool') return choice;
  const name = tools.find(({ offered }) => offered.name === choice.name)?.definition.name;
  return name === undefined ? undefined : { ...choice, name };
}

/** Returns the valid tools of a record. */
export function readOfferedTools(value: unknown): readonly OfferedTool[] {
  return Array.isArray(value) ? value.filter(isOfferedTool) : [];
}

function isOfferedTool(value: unknown): value is OfferedTool {
  if (!isObject(value) || typeof value['name'] !== 'string') return false;
  if (value['source'] === 'editor') return true;
  const { source, description, input_schema } = value;
  const isDescribed = description === undefined || typeof description === 'string';
  return source === 'own' && isDescribed && isObject(input_schema);
}

export function isToolChoice(value: unknown): value is ToolChoice {
  if (!isObject(value)) return false;
  const { type, name, disable_parallel_tool_use: single } = value;
  if (single !== undefined && typeof single !== 'boolean') return false;
  return type === 'tool' ? typeof name === 'string' : type === 'auto' || type === 'any' || type === 'none';
}

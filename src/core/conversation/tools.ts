import { createHash } from 'node:crypto';
import type { MessageRequest } from '../api/messages/messages.schema';

/** A tool as a request defines it. */
export type ToolDefinition = NonNullable<MessageRequest['tools']>[number];

/** What the wire takes as the choice among tools; `tool` holds the tool's own name, which the wire may know by another. */
export type ToolChoice = NonNullable<MessageRequest['tool_choice']>;

/**
 * A tool that a conversation offers. What the editor's tools are is known when a request is made; an own one comes whole, so
 * that the conversation does not change with the library.
 */
export type OfferedTool = { readonly source: 'editor'; readonly name: string } | OwnTool;

export type OwnTool = { readonly source: 'own' } & ToolDefinition;

/** Of one request. https://docs.siliconflow.com/en/api-reference/chat-completions/chat-completions */
export const mostTools = 128;

/** The names the wire takes. From the same page, which names the length; the letters are those of its examples. */
export const toolNamePattern = /^[a-zA-Z0-9_-]{1,64}$/;

/** A tool under the name it has on the wire. */
export interface NamedTool {
  readonly offered: OfferedTool;
  readonly definition: ToolDefinition;
}

/**
 * The offered tools that are there, each under a name the wire takes and no other has: its own name where that is possible.
 * `editorTools` are under their own names.
 */
export function namedTools(
  offered: readonly OfferedTool[],
  editorTools: readonly ToolDefinition[],
): readonly NamedTool[] {
  const taken = new Set<string>();
  // Own names first: they are what the person typed.
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

/** The same for the same tool, whatever else is offered. */
function shortName({ source, name }: OfferedTool): string {
  const hash = createHash('sha256').update(`${source}:${name}`).digest('hex').slice(0, 8);
  return `${name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 55)}_${hash}`;
}

/** The choice under the wire's name; `undefined` where there is nothing to choose, or the tool is not offered. */
export function wireChoice(choice: ToolChoice, tools: readonly NamedTool[]): ToolChoice | undefined {
  if (tools.length === 0) return undefined;
  if (choice.type !== 'tool') return choice;
  const name = tools.find(({ offered }) => offered.name === choice.name)?.definition.name;
  return name === undefined ? undefined : { ...choice, name };
}

/** The tools a record holds; what is not one is left out. */
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

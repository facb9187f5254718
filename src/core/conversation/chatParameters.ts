import type { Bounds } from '../api/bounds';
import type { MessageRequest } from '../api/messages/messages.schema';
import { boundsAt, parametersAt, refusalOf } from '../parameters/parameterTable';
import type { NumberAt } from '../parameters/parameterTable';
import { refusedAmong } from '../parameters/refusal';
import type { Refusal } from '../parameters/refusal';
import { isToolChoice, namedTools, readOfferedTools, wireChoice } from './tools';
import type { OfferedTool, ToolChoice, ToolDefinition } from './tools';

/** Parameters the user set for a conversation, under the wire's own names. Absent ones are not sent. */
export interface ChatParameters extends Readonly<Partial<Record<NumberAt<'chat'>, number>>> {
  readonly system?: string;
  readonly stop_sequences?: readonly string[];
  /** The beginning of each new answer; sent as the last message of the request. */
  readonly prefill?: string;
  /** Whether the model thinks first. Not set: as the service likes. */
  readonly enable_thinking?: boolean;
  readonly tools?: readonly OfferedTool[];
  /** Not sent without tools. */
  readonly tool_choice?: ToolChoice;
}

export type ParameterName = keyof ChatParameters;

/** In display order. */
export const parameterNames: readonly ParameterName[] = parametersAt('chat');

export const chatBounds: Bounds<ChatParameters> = boundsAt('chat');

const isString = (value: unknown): value is string => typeof value === 'string';

/** Returns the valid fields of a stored value; omits the rest, including fields of later versions. */
export function readChatParameters(raw: unknown): ChatParameters {
  if (typeof raw !== 'object' || raw === null) return {};
  const fields = raw as Readonly<Record<string, unknown>>;
  const known = parameterNames.filter((name) => fits(name, fields[name]));
  const tools = readOfferedTools(fields['tools']);
  return {
    ...Object.fromEntries(known.map((name) => [name, fields[name]])),
    ...(tools.length > 0 ? { tools } : {}),
  };
}

function fits(name: ParameterName, value: unknown): boolean {
  if (name === 'system' || name === 'prefill') return isString(value);
  if (name === 'tools') return false;
  if (name === 'enable_thinking') return typeof value === 'boolean';
  if (name === 'tool_choice') return isToolChoice(value);
  if (name === 'stop_sequences') return Array.isArray(value) && value.every(isString);
  return typeof value === 'number' && Number.isFinite(value);
}

/** Counts the parameters that are set, except tools and tool choice. */
export function countSet(parameters: ChatParameters): number {
  const { tools: _tools, tool_choice: _choice, ...rest } = parameters;
  return Object.values(rest).filter((value) => value !== undefined).length;
}

/** The parameters next to the messages in a request. */
export type RequestParameters = Omit<ChatParameters, 'prefill' | 'tools' | 'enable_thinking' | 'thinking_budget'> & {
  readonly tools?: readonly ToolDefinition[];
  readonly thinking?: NonNullable<MessageRequest['thinking']>;
};

/** The settings of a request besides the conversation. */
export interface RequestTerms {
  /** Parameters the model is known to reject. */
  readonly notTaken: readonly ParameterName[];
  /** The editor's current tools, under their own names. */
  readonly editorTools: readonly ToolDefinition[];
  /** System text that every request of the conversation sends, after the conversation's own; empty if none. */
  readonly instructions: string;
}

/**
 * Returns the parameters of a request: those set, except any the model is known to reject and tools that no longer exist. Sends no
 * tool choice if there are no tools to choose from.
 */
export function requestParameters(
  parameters: ChatParameters,
  { notTaken, editorTools, instructions }: RequestTerms,
): RequestParameters {
  const { prefill: _prefill, tools: offered = [], tool_choice: choice, ...others } = parameters;
  const { enable_thinking: _isOn, thinking_budget: _budget, ...rest } = others;
  const named = notTaken.includes('tools') ? [] : namedTools(offered, editorTools);
  const chosen = choice && wireChoice(choice, named);
  const thinking = thinkingOf(parameters, notTaken);
  const system = [rest.system ?? '', instructions].filter((text) => text.trim() !== '').join('\n\n');
  const sent = {
    ...rest,
    ...(instructions !== '' && { system }),
    ...(named.length > 0 ? { tools: named.map(({ definition }) => definition) } : {}),
    ...(chosen ? { tool_choice: chosen } : {}),
    ...(thinking && { thinking }),
  };
  return Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => value !== undefined && !notTaken.includes(name as ParameterName)),
  );
}

/** A budget alone turns thinking on: it has no use otherwise. */
function thinkingOf(
  { enable_thinking: isOn, thinking_budget: budget }: ChatParameters,
  notTaken: readonly ParameterName[],
): RequestParameters['thinking'] {
  if (notTaken.includes('enable_thinking')) return undefined;
  if (isOn === false) return { type: 'disabled' };
  const tokens = notTaken.includes('thinking_budget') ? undefined : budget;
  if (tokens !== undefined) return { type: 'enabled', budget_tokens: tokens };
  return isOn ? { type: 'enabled' } : undefined;
}

/** Returns how the answer must begin; empty if not set or if the model is known to reject it. */
export function requestPrefill({ prefill = '' }: ChatParameters, notTaken: readonly ParameterName[]): string {
  return notTaken.includes('prefill') ? '' : prefill;
}

/** Returns which of the parameters sent an error is about. */
export function refusedParameter(
  refusal: Refusal,
  sent: RequestParameters & Pick<ChatParameters, 'prefill'>,
): ParameterName | undefined {
  const { thinking, ...rest } = sent;
  const set: ChatParameters = {
    ...(rest as ChatParameters),
    ...(thinking && { enable_thinking: thinking.type === 'enabled' }),
    ...(thinking?.budget_tokens !== undefined && { thinking_budget: thinking.budget_tokens }),
  };
  const names = parameterNames.filter((name) => set[name] !== undefined && set[name] !== '');
  const named = refusal.parameter && wireNames[refusal.parameter];
  return refusedAmong(named ? { ...refusal, parameter: named } : refusal, names, refusalOf);
}

/** Services' other names for parameters. */
const wireNames: Readonly<Record<string, ParameterName>> = {
  stop: 'stop_sequences',
  max_completion_tokens: 'max_tokens',
  thinking: 'enable_thinking',
  'thinking.budget_tokens': 'thinking_budget',
  'thinking.enabled.budget_tokens': 'thinking_budget',
  reasoning: 'enable_thinking',
  reasoning_effort: 'enable_thinking',
  chat_template_kwargs: 'enable_thinking',
};

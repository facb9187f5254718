import { refusedAmong } from '../parameters/refusal';
import type { Refusal } from '../parameters/refusal';
import { isToolChoice, namedTools, readOfferedTools, wireChoice } from './tools';
import type { OfferedTool, ToolChoice, ToolDefinition } from './tools';

/** What a person set for a conversation, under the wire's own names. What is absent is not sent. */
export interface ChatParameters {
  /** Absent: the model's default is sent, because the service wants it always. */
  readonly max_tokens?: number;
  readonly system?: string;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly stop_sequences?: readonly string[];
  /** How each new answer begins; sent as the last turn of the request. */
  readonly prefill?: string;
  readonly tools?: readonly OfferedTool[];
  /** Not sent without tools. */
  readonly tool_choice?: ToolChoice;
}

export type ParameterName = keyof ChatParameters;

/** In the order in which they are shown. */
export const parameterNames = [
  'system',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'prefill',
  'tool_choice',
  'tools',
] as const satisfies readonly ParameterName[];

const isString = (value: unknown): value is string => typeof value === 'string';

/** What of a stored value is understood; the rest, and what a later version added, is left out. */
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
  if (name === 'tool_choice') return isToolChoice(value);
  if (name === 'stop_sequences') return Array.isArray(value) && value.every(isString);
  return typeof value === 'number' && Number.isFinite(value);
}

/** How many are set, tools and the choice among them not counted. */
export function countSet(parameters: ChatParameters): number {
  const { tools: _tools, tool_choice: _choice, ...rest } = parameters;
  return Object.values(rest).filter((value) => value !== undefined).length;
}

/** What of the parameters stands beside the messages in a request. */
export type RequestParameters = Omit<ChatParameters, 'prefill' | 'tools'> & {
  readonly tools?: readonly ToolDefinition[];
};

/** What requests are made of besides the conversation. */
export interface RequestTerms {
  /** What the model was seen to refuse. */
  readonly notTaken: readonly ParameterName[];
  /** The editor's tools as they are now, under their own names. */
  readonly editorTools: readonly ToolDefinition[];
}

/**
 * The parameters of a request: those set, without those the model was seen to refuse and without tools that are gone. No
 * choice is sent where there is nothing to choose from.
 */
export function requestParameters(
  parameters: ChatParameters,
  { notTaken, editorTools }: RequestTerms,
): RequestParameters {
  const { prefill: _prefill, tools: offered = [], tool_choice: choice, ...rest } = parameters;
  const named = notTaken.includes('tools') ? [] : namedTools(offered, editorTools);
  const chosen = choice && wireChoice(choice, named);
  const sent = {
    ...rest,
    ...(named.length > 0 ? { tools: named.map(({ definition }) => definition) } : {}),
    ...(chosen ? { tool_choice: chosen } : {}),
  };
  return Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => value !== undefined && !notTaken.includes(name as ParameterName)),
  );
}

/** What an answer is to begin with; empty where it is not set or the model was seen to refuse it. */
export function requestPrefill({ prefill = '' }: ChatParameters, notTaken: readonly ParameterName[]): string {
  return notTaken.includes('prefill') ? '' : prefill;
}

/** What a service calls a parameter in words, where it does not name it as the wire does. */
const wordsFor: Readonly<Record<ParameterName, RegExp>> = {
  max_tokens: /\bmax[_ -]?(new[_ -]?)?tokens\b/i,
  // "system" alone stands in many a message about the service itself.
  system: /\bsystem[_ -](prompt|message|role|instruction)|[`'"]system[`'"]/i,
  temperature: /\btemperature\b/i,
  top_p: /\btop[_ -]?p\b/i,
  top_k: /\btop[_ -]?k\b/i,
  stop_sequences: /\bstop[_ -]?sequences?\b|[`'"]stop[`'"]/i,
  // It is a last message of the assistant's, and refused as such.
  prefill:
    /\bprefill|\b(last|final) (message|turn|role)\b.*\b(user|assistant)\b|\bend with an? (user|assistant) (message|turn)/i,
  tool_choice: /\btool[_ -]?choice\b/i,
  // Messages about a call or its result name "tool" too, and are about the messages.
  tools:
    /[`'"]tools[`'"]|\btools\b.*\bsupport|\bsupport\w* (the )?(use of )?(tool|function)|\b(function|tool)[_ -]?call(s|ing)?\b.*\bnot\b/i,
};

/** Which of the parameters that were sent a refusal is about. */
export function refusedParameter(
  refusal: Refusal,
  sent: RequestParameters & Pick<ChatParameters, 'prefill'>,
): ParameterName | undefined {
  const names = parameterNames.filter((name) => sent[name] !== undefined && sent[name] !== '');
  return refusedAmong(refusal, names, wordsFor);
}

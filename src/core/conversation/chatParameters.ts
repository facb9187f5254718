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
] as const satisfies readonly ParameterName[];

const isString = (value: unknown): value is string => typeof value === 'string';

/** What of a stored value is understood; the rest, and what a later version added, is left out. */
export function readChatParameters(raw: unknown): ChatParameters {
  if (typeof raw !== 'object' || raw === null) return {};
  const fields = raw as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    parameterNames.filter((name) => fits(name, fields[name])).map((name) => [name, fields[name]]),
  );
}

function fits(name: ParameterName, value: unknown): boolean {
  if (name === 'system' || name === 'prefill') return isString(value);
  if (name === 'stop_sequences') return Array.isArray(value) && value.every(isString);
  return typeof value === 'number' && Number.isFinite(value);
}

/** How many are set. */
export function countSet(parameters: ChatParameters): number {
  return parameterNames.filter((name) => parameters[name] !== undefined).length;
}

/** The parameters of a request: those set, without those the model was seen to refuse. */
export function requestParameters(
  parameters: ChatParameters,
  notTaken: readonly ParameterName[],
): Omit<ChatParameters, 'prefill'> {
  const { prefill: _prefill, ...sent } = parameters;
  return Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => value !== undefined && !notTaken.includes(name as ParameterName)),
  );
}

/** What a service calls a parameter in words, where it does not name it as the wire does. */
const wordsFor: { readonly [Name in Exclude<ParameterName, 'prefill'>]-?: RegExp } = {
  max_tokens: /\bmax[_ -]?(new[_ -]?)?tokens\b/i,
  // "system" alone stands in many a message about the service itself.
  system: /\bsystem[_ -](prompt|message|role|instruction)|[`'"]system[`'"]/i,
  temperature: /\btemperature\b/i,
  top_p: /\btop[_ -]?p\b/i,
  top_k: /\btop[_ -]?k\b/i,
  stop_sequences: /\bstop[_ -]?sequences?\b|[`'"]stop[`'"]/i,
};

/** Which of the parameters that were sent a refusal is about: as it names it, else as its words say; of several the first. */
export function refusedParameter(
  refusal: { readonly parameter?: string | undefined; readonly message: string },
  sent: Omit<ChatParameters, 'prefill'>,
): Exclude<ParameterName, 'prefill'> | undefined {
  const names = parameterNames.filter((name) => name !== 'prefill').filter((name) => sent[name] !== undefined);
  const named = refusal.parameter?.split(/[.[]/)[0];
  return names.find((name) => name === named) ?? names.find((name) => wordsFor[name].test(refusal.message));
}

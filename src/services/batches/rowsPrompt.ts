/** A prompt for requests made of rows, as it is handed to the command that makes them. Its places stand for columns. */
export interface RowsPrompt {
  readonly prompt: string;
  /** Empty: none. */
  readonly system: string;
  readonly model?: string;
  /** Beside the messages, by the wire's names of batch requests. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** By the name of a place that is no column: what stands there in each request. */
  readonly constants: Readonly<Record<string, string>>;
}

/** `undefined` for anything else, e.g. what a menu hands over. */
export function toRowsPrompt(value: unknown): RowsPrompt | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { prompt, system, model, parameters, constants } = value as Readonly<Record<string, unknown>>;
  const areTexts = typeof prompt === 'string' && typeof system === 'string';
  if (!areTexts || !isRecord(parameters) || !isRecord(constants)) return undefined;
  const fixed = Object.entries(constants).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return {
    prompt,
    system,
    ...(typeof model === 'string' && { model }),
    parameters,
    constants: Object.fromEntries(fixed),
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { isObject } from '../../core/api/isObject';

/** A prompt for generating requests from rows, as passed to that command. Its placeholders stand for columns. */
export interface RowsPrompt {
  readonly prompt: string;
  /** Empty for none. */
  readonly system: string;
  readonly model?: string;
  /** Parameters other than the messages, by their names in batch requests. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Values used in every request, by the name of a placeholder that is not a column. */
  readonly constants: Readonly<Record<string, string>>;
}

/** Returns `undefined` for anything else, e.g. what a menu passes. */
export function toRowsPrompt(value: unknown): RowsPrompt | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { prompt, system, model, parameters, constants } = value as Readonly<Record<string, unknown>>;
  const areTexts = typeof prompt === 'string' && typeof system === 'string';
  if (!areTexts || !isObject(parameters) || !isObject(constants)) return undefined;
  const fixed = Object.entries(constants).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return {
    prompt,
    system,
    ...(typeof model === 'string' && { model }),
    parameters,
    constants: Object.fromEntries(fixed),
  };
}

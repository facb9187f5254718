import { defaultSeverities, sendableAlone } from '../problem';
import type { Problem } from '../problem';
import { readLine } from '../readLine';

/** A line of a batch file as a request to be tried at once. */
export interface Trial {
  readonly customId: string | undefined;
  /** `undefined` where the line leaves it to the batch. */
  readonly model: string | undefined;
  /** As it is written. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a line asks for, or the errors by which it asks for nothing a service answers. `text` is without its end. */
export function readTrial(text: string): Trial | { readonly errors: readonly Problem[] } {
  const { isBlank, customId, model, problems } = readLine(text);
  const errors = problems.filter(({ code }) => defaultSeverities[code] === 'error' && !sendableAlone.has(code));
  if (isBlank || errors.length > 0) return { errors: isBlank ? problems : errors };
  const { body } = JSON.parse(text) as { readonly body?: unknown };
  // Of lines that nest too deep to be looked into nothing is known.
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (!isObject) return { errors: problems };
  return { customId: customId?.value, model: model?.value, body: body as Readonly<Record<string, unknown>> };
}

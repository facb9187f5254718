import { defaultSeverities, sendableAlone } from '../problem';
import type { Problem } from '../problem';
import { readLine } from '../readLine';
import { isObject } from '../../api/isObject';

/** A line of a batch file as a request to be tried at once. */
export interface Trial {
  readonly customId: string | undefined;
  /** `undefined` if the line leaves it to the batch. */
  readonly model: string | undefined;
  /** As written. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Returns the request in a line, or the errors because of which no service would answer it. `text` excludes the line break. */
export function readTrial(text: string): Trial | { readonly errors: readonly Problem[] } {
  const { isBlank, customId, model, problems } = readLine(text);
  const errors = problems.filter(({ code }) => defaultSeverities[code] === 'error' && !sendableAlone.has(code));
  if (isBlank || errors.length > 0) return { errors: isBlank ? problems : errors };
  const { body } = JSON.parse(text) as { readonly body?: unknown };
  // Lines that nest too deeply are not checked, so their body may be anything.
  if (!isObject(body)) return { errors: problems };
  return { customId: customId?.value, model: model?.value, body };
}

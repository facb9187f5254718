import { isOfModel, sendableAlone } from '../problem';
import type { ProblemCode } from '../problem';
import { readLine } from '../readLine';

/** A line of a batch file as a request that can be sent at once, or the reason why it cannot. */
export type LocalLine = LocalRequest | FaultyLine;

export interface LocalRequest {
  readonly kind: 'request';
  readonly customId: string;
  readonly model: string;
  /** As it is written. `model` takes precedence over the model in it. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface FaultyLine {
  readonly kind: 'faulty';
  /** `undefined` if it has none that can be read. */
  readonly customId: string | undefined;
  readonly code: ProblemCode;
  /** For the user. */
  readonly message: string;
}

export interface LineReadingOptions {
  /** Replaces the line's own model. */
  readonly model?: string | undefined;
  /** Whether a problem of this kind prevents a line from being sent. */
  readonly isError: (code: ProblemCode) => boolean;
}

/** `text` must exclude the line break and not be blank. */
export function readLocalLine(text: string, { model, isError }: LineReadingOptions): LocalLine {
  const reading = readLine(text);
  const customId = reading.customId?.value;
  const isMet = (code: ProblemCode) => sendableAlone.has(code) || (model !== undefined && isOfModel(code));
  const error = reading.problems.find(({ code }) => isError(code) && !isMet(code));
  if (error) return { kind: 'faulty', customId, code: error.code, message: error.message };
  const body = bodyOf(text);
  const asked = model ?? reading.model?.value;
  // Whichever problems the user ignores, a request needs these.
  const [first = { code: 'line.not-json', message: '' } as const] = reading.problems;
  const lacking = asked === undefined && (reading.problems.find(({ code }) => code === 'model.missing') ?? first);
  if (!body || customId === undefined || lacking) {
    const { code, message } = lacking || first;
    return { kind: 'faulty', customId, code, message };
  }
  return { kind: 'request', customId, model: asked!, body };
}

function bodyOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const { body } = (JSON.parse(text) ?? {}) as { readonly body?: unknown };
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    return isObject ? (body as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

import { isUtf8 } from 'node:buffer';
import * as l10n from '@vscode/l10n';
import { readLines } from '../transform/lines';
import type { FileLine } from '../transform/lines';
import { isOfModel, sendableAlone } from '../problem';
import type { ProblemCode } from '../problem';
import { readLine } from '../readLine';
import type { LocalRunOptions } from './localRun';
import { isObject } from '../../api/isObject';

export interface SourceLine {
  /** The line of the batch file, from 1. */
  readonly number: number;
  readonly content: LocalLine;
}

/** Returns the lines of a batch file that have no result yet, one by one. */
export interface LineSource {
  /** Returns `undefined` at the end. Throws if reading fails. Only one call at a time. */
  next(): Promise<SourceLine | undefined>;
  close(): Promise<void>;
}

/** Leaves out the lines in `done`, which have a result. Of several lines with one id, the first is sent; the others are faulty, whichever problems the user ignores. */
export function openLineSource(options: LocalRunOptions, done: ReadonlySet<number>): LineSource {
  const pieces = readLines(options.input);
  const ids = new Set<string>();
  let lines: readonly FileLine[] = [];
  let at = 0;
  const nextLine = async (): Promise<FileLine | undefined> => {
    while (at >= lines.length) {
      const next = await pieces.next();
      if (next.done) return undefined;
      lines = next.value;
      at = 0;
    }
    return lines[at++];
  };
  const contentOf = (text: string): LocalLine => {
    const content = readLocalLine(text, options);
    const { customId } = content;
    const isRepeated = customId !== undefined && ids.has(customId);
    if (customId !== undefined) ids.add(customId);
    if (!isRepeated || content.kind === 'faulty') return content;
    return { kind: 'faulty', customId, code: 'custom-id.duplicate', message: localWords.repeatedId() };
  };
  const notUtf8: LocalLine = {
    kind: 'faulty',
    customId: undefined,
    code: 'line.not-utf8',
    message: localWords.notUtf8(),
  };
  return {
    async next() {
      for (let line = await nextLine(); line; line = await nextLine()) {
        const text = line.bytes.toString('utf8');
        if (done.has(line.number)) {
          const id = idOf(text);
          if (id !== undefined) ids.add(id);
          continue;
        }
        return { number: line.number, content: isUtf8(line.bytes) ? contentOf(text) : notUtf8 };
      }
      return undefined;
    },
    close: async () => void (await pieces.return(undefined)),
  };
}

function idOf(text: string): string | undefined {
  try {
    const { custom_id: id } = (JSON.parse(text) ?? {}) as { readonly custom_id?: unknown };
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}

/** A line of a batch file as a request that can be sent at once, or the reason why it cannot. */
type LocalLine = LocalRequest | FaultyLine;

export interface LocalRequest {
  readonly kind: 'request';
  readonly customId: string;
  readonly model: string;
  /** As written. `model` takes precedence over its model. */
  readonly body: Readonly<Record<string, unknown>>;
}

interface FaultyLine {
  readonly kind: 'faulty';
  /** `undefined` if it has none that can be read. */
  readonly customId: string | undefined;
  readonly code: ProblemCode;
  /** For the user. */
  readonly message: string;
}

/** `text` must exclude the line break and not be blank. */
function readLocalLine(text: string, { model, rules, isError, sendsAny = false }: LocalRunOptions): LocalLine {
  const reading = readLine(text, rules);
  const customId = reading.customId?.value;
  const isMet = (code: ProblemCode) => sendableAlone.has(code) || (model !== undefined && isOfModel(code));
  const error = reading.problems.find(({ code }) => isError(code) && !isMet(code));
  if (error) return { kind: 'faulty', customId, code: error.code, message: error.message };
  if (reading.kind !== 'chat' && !sendsAny)
    return { kind: 'faulty', customId, code: 'url.unknown', message: localWords.notChat() };
  const body = bodyOf(text);
  const requested = model ?? reading.model?.value;
  // Whichever problems the user ignores, a request needs these.
  const [first = { code: 'line.not-json', message: '' } as const] = reading.problems;
  const lacking = requested === undefined && (reading.problems.find(({ code }) => code === 'model.missing') ?? first);
  if (!body || customId === undefined || lacking) {
    const { code, message } = lacking || first;
    return { kind: 'faulty', customId, code, message };
  }
  return { kind: 'request', customId, model: requested!, body };
}

function bodyOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const { body } = (JSON.parse(text) ?? {}) as { readonly body?: unknown };
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

const localWords = {
  repeatedId: () => l10n.t('An earlier line has the same custom_id.'),
  notChat: () => l10n.t('Only chat requests can run immediately. Submit the file as a batch.'),
  notUtf8: () => l10n.t("This line isn't UTF-8."),
};

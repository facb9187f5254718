import { siliconFlow } from '../services/batchServices';
import type { BatchRules } from '../services/batchRules';
import type { LineReading } from '../line';
import type { EndpointKind } from '../rules/endpoint';
import { readLine } from '../readLine';
import { placeholderStart } from '../rules/messages';
import { knowsLinesOf, LineScanner } from '../scan/lineScanner';

/** The stored facts about a line. */
export interface LineFacts {
  readonly text: string;
  /** The size in UTF-8, without the line break. */
  readonly bytes: number;
  readonly isBlank: boolean;
  /** It has no problems by itself. */
  readonly isClean: boolean;
  readonly customId: string | undefined;
  readonly model: string | undefined;
  readonly url: string | undefined;
  readonly kind: EndpointKind;
  /** Created on demand if the line is clean. */
  reading(): Omit<LineReading, 'isBlank'>;
}

const firstSize = 1 << 16;
const lineFeed = 0x0a;

/** `rulesNow` returns the rules of the service that the file is for; `most` is that of `readLine`. */
export function createLineFacts(
  rulesNow: () => BatchRules = () => siliconFlow,
  most?: number,
): (text: string) => LineFacts {
  let scanner = new LineScanner(firstSize, rulesNow());
  /** Most lines use the same model: sharing one string makes comparing fast. */
  let model = '';

  return (text) => {
    const rules = rulesNow();
    if (scanner.rules !== rules) scanner = new LineScanner(firstSize, rules);
    // No UTF-16 unit takes more than three bytes, and the line feed takes one.
    if (text.length * 3 >= scanner.buffer.length) scanner.reserve(text.length * 3 + 1);
    const { buffer } = scanner;
    const bytes = buffer.write(text);
    buffer[bytes] = lineFeed;
    const isClean =
      knowsLinesOf(rules) &&
      bytes <= (rules.lineBytes ?? Infinity) &&
      scanner.read(0) === bytes &&
      scanner.nextSecret(0, bytes) === bytes &&
      !text.includes(placeholderStart);
    if (!isClean) return closeLook(text, bytes, readLine(text, rules, most));
    const named = buffer.toString('utf8', scanner.modelStart, scanner.modelEnd);
    if (named !== model) model = named;
    const { idStart, modelStart, url } = scanner;
    const customId = buffer.toString('utf8', idStart, scanner.idEnd);
    const facts = { text, bytes, isBlank: false, isClean, customId, model, url, kind: 'chat' } as const;
    return { ...facts, reading: () => cleanReading(facts, { idStart, modelStart }) };
  };
}

/** In a clean line, no value is followed by a colon, so this is the name and nothing else. */
const urlKey = /"url"[ \t]*:[ \t]*/;

/** Creates the reading without parsing the line again: if every id is used twice, this is called for every line. */
function cleanReading(
  {
    text,
    bytes,
    customId,
    model,
    url,
  }: {
    readonly text: string;
    readonly bytes: number;
    readonly customId: string;
    readonly model: string;
    readonly url: string;
  },
  { idStart, modelStart }: { readonly idStart: number; readonly modelStart: number },
): ReturnType<LineFacts['reading']> {
  const before = (byte: number) => (bytes === text.length ? byte : Buffer.from(text).toString('utf8', 0, byte).length);
  const name = (value: string, byte: number) => {
    const start = before(byte) - 1;
    return { value, span: { start, end: start + value.length + 2 } };
  };
  const { 0: key = '', index = 0 } = urlKey.exec(text) ?? {};
  const urlAt = index + key.length;
  const urlSpan = { start: urlAt, end: urlAt + url.length + 2 };
  return {
    customId: name(customId, idStart),
    model: name(model, modelStart),
    url: { value: url, span: urlSpan },
    kind: 'chat',
    problems: [],
  };
}

function closeLook(text: string, bytes: number, reading: LineReading): LineFacts {
  const { isBlank, customId, model, url, kind, problems } = reading;
  const names = { customId: customId?.value, model: model?.value, url: url?.value, kind };
  return { text, bytes, isBlank, isClean: problems.length === 0, ...names, reading: () => reading };
}

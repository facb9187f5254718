import { siliconFlow } from '../services/batchServices';
import type { BatchRules } from '../services/batchRules';
import type { LineReading } from '../line';
import { readLine } from '../readLine';
import { placeholderStart } from '../rules/messages';
import { knowsLinesOf, LineScanner } from '../scan/lineScanner';

/** What an index stores about a line. */
export interface LineFacts {
  readonly text: string;
  /** The size in UTF-8, without the line break. */
  readonly bytes: number;
  readonly isBlank: boolean;
  /** It has no problems of its own. */
  readonly isClean: boolean;
  readonly customId: string | undefined;
  readonly model: string | undefined;
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
  const scanner = new LineScanner(firstSize);
  /** Most lines use the same model: sharing one string makes comparing fast. */
  let model = '';

  return (text) => {
    // No UTF-16 unit takes more than three bytes, and the line feed takes one.
    if (text.length * 3 >= scanner.buffer.length) scanner.reserve(text.length * 3 + 1);
    const { buffer } = scanner;
    const bytes = buffer.write(text);
    buffer[bytes] = lineFeed;
    const rules = rulesNow();
    const isClean =
      knowsLinesOf(rules) &&
      scanner.read(0) === bytes &&
      scanner.nextSecret(0, bytes) === bytes &&
      !text.includes(placeholderStart);
    if (!isClean) return closeLook(text, bytes, readLine(text, rules, most));
    const named = buffer.toString('utf8', scanner.modelStart, scanner.modelEnd);
    if (named !== model) model = named;
    const { idStart, modelStart } = scanner;
    const customId = buffer.toString('utf8', idStart, scanner.idEnd);
    const facts = { text, bytes, isBlank: false, isClean, customId, model };
    return { ...facts, reading: () => cleanReading(facts, { idStart, modelStart }) };
  };
}

/** Creates the reading without parsing the line again: if every id is used twice, this is called for every line. */
function cleanReading(
  {
    text,
    bytes,
    customId,
    model,
  }: Pick<LineFacts, 'text' | 'bytes'> & { readonly customId: string; readonly model: string },
  { idStart, modelStart }: { readonly idStart: number; readonly modelStart: number },
): ReturnType<LineFacts['reading']> {
  const before = (byte: number) => (bytes === text.length ? byte : Buffer.from(text).toString('utf8', 0, byte).length);
  const name = (value: string, byte: number) => {
    const start = before(byte) - 1;
    return { value, span: { start, end: start + value.length + 2 } };
  };
  return { customId: name(customId, idStart), model: name(model, modelStart), problems: [] };
}

function closeLook(text: string, bytes: number, reading: LineReading): LineFacts {
  const { isBlank, customId, model, problems } = reading;
  const names = { customId: customId?.value, model: model?.value };
  return { text, bytes, isBlank, isClean: problems.length === 0, ...names, reading: () => reading };
}

import { matches } from '../rules/chatOptions';
import { numbersAt } from '../../parameters/parameterTable';
import { batchMethod, longId, roles } from '../limits';
import type { BatchRules } from '../services/batchRules';
import { siliconFlow } from '../services/batchServices';
import { chatBodyAt, type Shape } from '../shape';
import code from './scanner.wasm';

interface Scanner {
  readonly memory: WebAssembly.Memory;
  prepare(otherRoles: number, numbers: number, longId: number): void;
  read(start: number): number;
  nextSecret(from: number, end: number): number;
}

/** In the order of `assembly/names.ts`. Tool results are not clean because each must follow its call, which needs a full check. */
const textsAt = (url: string) => [
  'custom_id',
  'method',
  'url',
  'body',
  batchMethod,
  url,
  'messages',
  'model',
  'role',
  'content',
];
const otherRoles = roles.filter((role) => role !== 'user' && role !== 'tool');
/** In quotes, a name has room for so many bytes. A line with a longer one gets the full check. */
const mostNameBytes = 24;
/**
 * Returns the numeric properties that a line of a service can have. Those that depend on its model or on other properties require the full
 * check.
 */
function numbersOf(rules: BatchRules): readonly string[] {
  const { members = {} } = chatBodyAt(rules);
  const isOfModel = (name: string) =>
    (name === 'max_tokens' && rules.completionTokensOnly !== undefined) ||
    (name === 'top_logprobs' && rules.checksTools === true);
  return numbersAt('batch').filter(
    (name) => name.length + 2 <= mostNameBytes && Object.hasOwn(members, name) && !isOfModel(name),
  );
}

// The layout of the memory, as in `assembly/cleanLine.ts` and `assembly/names.ts`.
const namesStart = 1024;
const nameBytes = 72;
const linesStart = 1 << 13;
/** Reads of sixteen bytes at a time go a little beyond the end. */
const spareBytes = 64;
const pageBytes = 1 << 16;

const scannerModule = new WebAssembly.Module(code);

/** Whether the scanner can recognize lines for a service. */
export function knowsLinesOf({ line, endpoints: [url = ''], idPattern }: BatchRules): boolean {
  return (
    line === 'request' && idPattern === undefined && url.endsWith('/completions') && url.length + 2 <= mostNameBytes
  );
}

/**
 * Recognizes, without creating a string, lines that no single-line rule has anything to report on, and finds possible keys. A line
 * it does not recognize is not necessarily wrong but needs a full check. WebAssembly because that processes sixteen bytes at a
 * time: measured, a third of the time of the same in JavaScript.
 */
export class LineScanner {
  /** The lines to scan, as UTF-8. Replaced by `reserve`. */
  buffer: Buffer = Buffer.alloc(0);
  private readonly scanner: Scanner;
  private found = new Uint32Array();
  private last: { readonly model: Buffer; readonly isStrict: boolean } | undefined;

  /** The endpoint of the lines that it recognizes. */
  readonly url: string;

  /** `rules`: those of the service that the lines are for. */
  constructor(
    bytes: number,
    readonly rules: BatchRules = siliconFlow,
  ) {
    this.scanner = new WebAssembly.Instance<Scanner>(scannerModule).exports;
    this.reserve(bytes);
    const { memory } = this.scanner;
    const numbers = numbersOf(rules);
    [this.url = ''] = rules.endpoints;
    const { members = {} } = chatBodyAt(rules);
    for (const [index, text] of [...textsAt(this.url), 'user', ...otherRoles, ...numbers].entries()) {
      const view = new DataView(memory.buffer, namesStart + index * nameBytes, nameBytes);
      if (knowsLinesOf(rules)) writeName(view, text, Object.hasOwn(members, text) ? members[text] : undefined);
    }
    this.scanner.prepare(otherRoles.length, numbers.length, longId);
  }

  /** Grows the buffer to this many bytes in total. */
  reserve(bytes: number): void {
    const { memory } = this.scanner;
    const missing = linesStart + bytes + spareBytes - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / pageBytes));
    this.found = new Uint32Array(memory.buffer, 0, 4);
    this.buffer = Buffer.from(memory.buffer, linesStart, bytes);
  }

  /**
   * Returns the position of the line feed that ends the line starting at `start`, or -1 if the line needs a full check. There must
   * be a line feed somewhere after the line.
   */
  read(start: number): number {
    const lineFeed = this.scanner.read(linesStart + start);
    return lineFeed === 0 || this.isOfStrictModel() ? -1 : lineFeed - linesStart;
  }

  /** Whether the model of the line rejects parameters that other models take, which is not looked for here. */
  private isOfStrictModel(): boolean {
    const { fixedSampling } = this.rules;
    if (fixedSampling === undefined) return false;
    const model = this.buffer.subarray(this.modelStart, this.modelEnd);
    if (!this.last || !this.last.model.equals(model)) {
      this.last = { model: Buffer.from(model), isStrict: matches(fixedSampling, model.toString()) };
    }
    return this.last.isStrict;
  }

  /** Returns a position within the first possible key between `from`, the start of a line, and `end`; `end` if there is none. */
  nextSecret(from: number, end: number): number {
    return this.scanner.nextSecret(linesStart + from, linesStart + end) - linesStart;
  }

  // In the last recognized line: the position of its ID and its model, without quotes.
  get idStart(): number {
    return this.found[0]! - linesStart;
  }
  get idEnd(): number {
    return this.found[1]! - linesStart;
  }
  get modelStart(): number {
    return this.found[2]! - linesStart;
  }
  get modelEnd(): number {
    return this.found[3]! - linesStart;
  }
}

/** Writes a text in quotes, an equally long run of 0xff bytes, its length, and the bounds of a number of this name. */
function writeName(view: DataView, text: string, shape: Shape | undefined): void {
  const written = Buffer.from(`"${text}"`);
  for (const [index, byte] of written.entries()) {
    view.setUint8(index, byte);
    view.setUint8(mostNameBytes + index, 0xff);
  }
  const { integer = false } = shape ?? {};
  const { min = -Infinity, max = Infinity } = { ...shape, ...shape?.usual };
  view.setUint32(48, written.length, true);
  view.setUint32(52, integer ? 1 : 0, true);
  view.setFloat64(56, min, true);
  view.setFloat64(64, max, true);
}

import { isUtf8 } from 'node:buffer';
import {
  bomProblem,
  crlfProblem,
  emptyProblem,
  loneCrProblem,
  noFinalNewline,
  notTextProblem,
  notUtf8Problem,
  spreadProblem,
} from '../fileProblems';
import {
  createModelRule,
  createUrlRule,
  duplicateFinding,
  limitFindings,
  numberFindings,
  withFindings,
} from '../fileRules';
import type { ListedModel, ListedModels, RequestedModel, RequestFinding } from '../fileRules';
import type { LineReading } from '../line';
import type { LineProblem, Problem, ProblemCode } from '../problem';
import { siliconFlow } from '../services/batchServices';
import type { BatchRules } from '../services/batchRules';
import { readLine } from '../readLine';
import { knowsLinesOf, type LineScanner } from '../scan/lineScanner';
import { placeholderStart } from '../rules/messages';
import { lineWords } from '../words/lineWords';

/** The position of a line in the file, with its id and model. */
export interface WalkedLine {
  /** The offset of its first byte, and the one after its last, not counting the line break. */
  readonly start: number;
  readonly end: number;
  /** Empty if it has none. */
  readonly customId: string;
  readonly model: string | undefined;
}

export interface FileCheckOptions {
  /** Those of the service that the file is for; without them, the public service's. */
  readonly rules?: BatchRules;
  /** The model ids the service lists; without them, unknown models are not reported. */
  readonly models?: ListedModels;
  /** Set if repeated ids are not to be reported, which takes less time. */
  readonly allowsRepeatedIds?: true;
  /** Called for every problem, in document order. */
  readonly onProblem: (problem: LineProblem) => void;
  /** Called for every line in order, including blank ones. */
  readonly onLine?: (line: WalkedLine) => void;
  /** Called with all bytes read, in order, in a buffer that is reused. */
  readonly onBytes?: (bytes: Uint8Array) => void;
  /** Called with the number of bytes checked. */
  readonly onProgress?: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

/** Whole lines of a file, as read into the scanner's buffer. */
interface Piece {
  /** The offset after the last line feed. */
  readonly end: number;
  /** The position in the file of the scanner's first byte. */
  readonly base: number;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const bom = Buffer.from([0xef, 0xbb, 0xbf]);
const nowhere = { start: 0, end: 0 };
/** IDs beyond these aren't compared: a service accepts a two-hundredth of them, and a Map holds 16 times as many. */
const mostIds = 1 << 20;

/** Whether an ID is longer than the previous one, or follows it by its units. If each one does, none occurs twice. */
function follows(id: string, before: string): boolean {
  return id.length > before.length || (id.length === before.length && id > before);
}

/** Checks a file piece by piece from its start and reports every problem in order. */
export class FileWalk {
  requests = 0;
  readonly models: ModelUses;

  private line = 0;
  /**
   * The IDs so far, with their lines, while each is longer than the previous one or follows it alphabetically. Then none occurs twice, and
   * looking them up would take most of the time. Written as single bytes, which are faster to read than the text.
   */
  private readonly ascending: { readonly ids: string[]; readonly lines: number[] } = { ids: [], lines: [] };
  private lastId = '';
  /** The first line of each ID, once they are not in that order. */
  private firstLines: Map<string, number> | undefined;
  private readonly reported = new Set<ProblemCode>();
  private readonly rules: BatchRules;
  private readonly isScannable: boolean;
  private readonly urlRule: ReturnType<typeof createUrlRule>;
  private buffer: Buffer = Buffer.alloc(0);
  private base = 0;

  constructor(
    private readonly scanner: LineScanner,
    private readonly options: FileCheckOptions,
  ) {
    this.models = new ModelUses(options.models);
    this.rules = options.rules ?? siliconFlow;
    this.urlRule = createUrlRule(this.rules);
    this.isScannable = knowsLinesOf(this.rules);
  }

  /** Checks the first bytes. Returns `false` if they are not text; pass no further pieces then. */
  begin(bytes: Buffer): boolean {
    const problem = notTextProblem(bytes);
    if (problem) this.tell(problem);
    return !problem;
  }

  /** Checks whole lines. Returns `false` if the file is an array; pass no further pieces then. */
  lines({ end, base }: Piece): boolean {
    const { scanner } = this;
    const { buffer } = scanner;
    this.buffer = buffer;
    this.base = base;
    const areUtf8 = isUtf8(buffer.subarray(0, end));
    let secret = -1;
    let placeholder = -1;
    for (let at = 0; at < end;) {
      if (secret < at) secret = scanner.nextSecret(at, end);
      if (placeholder < at) placeholder = placeOf(placeholderStart, buffer, at, end);
      const clean = areUtf8 && this.isScannable ? scanner.read(at) : -1;
      const isShort = clean - at <= (this.rules.lineBytes ?? Infinity);
      if (clean >= 0 && isShort && secret > clean && placeholder > clean) {
        this.cleanLine(at, clean);
        at = clean + 1;
      } else {
        const lineEnd = buffer.indexOf(lineFeed, at);
        if (!this.otherLine(at, lineEnd)) return false;
        at = lineEnd + 1;
      }
    }
    return true;
  }

  /** Reports a line that is not read completely; `end` is as far as it was read. */
  tooLong(longest: string, start: number, end: number): void {
    this.options.onLine?.({ start, end, customId: '', model: undefined });
    this.tell({ code: 'line.too-long', message: lineWords.tooLong(longest), span: nowhere });
    this.line++;
    this.requests++;
  }

  /** Ends the check. `piece` is what follows the last line feed: a line feed is appended to check it as a line. */
  end({ end, base }: Piece): void {
    const { buffer } = this.scanner;
    buffer[end] = lineFeed;
    const isBomAlone = base === 0 && end === bom.length && buffer.subarray(0, end).equals(bom);
    if (isBomAlone) this.tell(bomProblem(''));
    else if (end > 0 && !this.lines({ end: end + 1, base })) return;
    if (this.requests === 0) this.tellAt(0, emptyProblem());
    const text = buffer.toString('utf8', 0, end).slice(base === 0 && buffer.indexOf(bom) === 0 ? 1 : 0);
    if (text.trim() !== '') this.tellAt(this.line - 1, noFinalNewline(text));
  }

  private cleanLine(start: number, lineEnd: number): void {
    const { buffer, base } = this;
    const { idStart, idEnd, modelStart, modelEnd, url } = this.scanner;
    const { onLine, allowsRepeatedIds } = this.options;
    const first = allowsRepeatedIds ? undefined : this.firstLineOf(buffer.toString('latin1', idStart, idEnd));
    const { name, limits, findings: model } = this.models.addWritten(buffer, modelStart, modelEnd, url);
    const otherUrl = this.urlRule({ url, kind: 'chat' });
    const hasCr = buffer[lineEnd - 1] === carriageReturn;
    const end = hasCr ? lineEnd - 1 : lineEnd;
    if (onLine) {
      const customId = buffer.toString('utf8', idStart, idEnd);
      onLine({ start: base + start, end: base + end, customId, model: name });
    }
    const beyond = limits ? limitFindings(limits, end - start, () => buffer.toString('utf8', start, end)) : [];
    const isOfOwn = first === undefined && model.length + otherUrl.length + beyond.length === 0;
    const isOrdinary = isOfOwn && this.requests !== this.rules.requests;
    if (!isOrdinary || (hasCr && !this.reported.has('file.crlf'))) {
      const text = buffer.toString('utf8', start, end);
      if (hasCr) this.tellEnding('file.crlf', text);
      const reading = readLine(text, this.rules);
      const duplicate = first === undefined ? [] : [duplicateFinding(reading.customId?.value ?? '', first)];
      this.tellAll(reading, [
        ...duplicate,
        ...model,
        ...otherUrl,
        ...beyond,
        ...numberFindings(this.requests, this.rules),
      ]);
    }
    this.requests++;
    this.line++;
  }

  /** Returns the line that already has this id; `undefined` if it is the first. */
  private firstLineOf(id: string): number | undefined {
    if (!this.firstLines) {
      const { ids, lines } = this.ascending;
      const { lastId } = this;
      if (follows(id, lastId)) {
        this.lastId = id;
        if (ids.length < mostIds) {
          ids.push(id);
          lines.push(this.line);
        }
        return undefined;
      }
      this.firstLines = new Map(ids.map((one, index) => [one, lines[index] ?? 0]));
    }
    const first = this.firstLines.get(id);
    if (first === undefined && this.firstLines.size < mostIds) this.firstLines.set(id, this.line);
    return first;
  }

  /** Checks a line that is not clean or has problems with others. Returns `false` if no line of the file is a request. */
  private otherLine(start: number, lineEnd: number): boolean {
    const { buffer } = this;
    const hasCr = lineEnd > start && buffer[lineEnd - 1] === carriageReturn;
    const end = hasCr ? lineEnd - 1 : lineEnd;
    for (let at = start; ;) {
      const next = buffer.subarray(0, end).indexOf(carriageReturn, at);
      const ending = next >= 0 ? 'file.lone-cr' : hasCr ? 'file.crlf' : undefined;
      if (!this.segment(at, next < 0 ? end : next, ending)) return false;
      if (next < 0) return true;
      at = next + 1;
    }
  }

  private segment(start: number, end: number, ending: 'file.lone-cr' | 'file.crlf' | undefined): boolean {
    const { buffer, base } = this;
    const bytes = buffer.subarray(start, end);
    const decoded = bytes.toString('utf8');
    const hasBom = base + start === 0 && decoded.startsWith('\ufeff');
    const text = hasBom ? decoded.slice(1) : decoded;
    if (hasBom) this.tell(bomProblem(text));
    if (ending) this.tellEnding(ending, text);
    const spread = this.requests === 0 ? spreadProblem(text) : undefined;
    if (spread) {
      this.tell(spread);
      this.requests++;
      return false;
    }
    const reading = isUtf8(bytes) ? readLine(text, this.rules) : withoutNames(readLine(text, this.rules), text);
    const { customId, model, url, kind, isBlank } = reading;
    this.options.onLine?.({
      start: base + start,
      end: base + end,
      customId: customId?.value ?? '',
      model: model?.value,
    });
    const findings: RequestFinding[] = [];
    if (customId) for (const one of this.idFindings(customId.value)) findings.push(one);
    const use = model && this.models.add({ model: model.value, kind, url: url?.value });
    if (use) for (const one of use.findings) findings.push(one);
    if (url ?? customId) for (const one of this.urlRule({ url: url?.value, kind })) findings.push(one);
    if (use?.limits)
      for (const one of limitFindings(use.limits, Buffer.byteLength(text), () => text)) findings.push(one);
    if (!isBlank) for (const one of numberFindings(this.requests++, this.rules)) findings.push(one);
    this.tellAll(reading, findings);
    this.line++;
    return true;
  }

  private idFindings(id: string): readonly RequestFinding[] {
    if (this.options.allowsRepeatedIds) return [];
    const first = this.firstLineOf(Buffer.from(id).toString('latin1'));
    return first === undefined ? [] : [duplicateFinding(id, first)];
  }

  /** Reports each kind of line ending once. */
  private tellEnding(code: 'file.lone-cr' | 'file.crlf', text: string): void {
    if (this.reported.has(code)) return;
    this.reported.add(code);
    this.tell(code === 'file.crlf' ? crlfProblem(text) : loneCrProblem(text));
  }

  private tellAll(reading: LineReading, findings: readonly RequestFinding[]): void {
    for (const problem of withFindings(reading, findings)) this.tell(problem);
  }

  private tell(problem: Problem): void {
    this.tellAt(this.line, problem);
  }

  private tellAt(line: number, problem: Problem): void {
    this.options.onProblem({ ...problem, line });
  }
}

/** Returns `end` if the text does not occur before it. */
function placeOf(text: string, buffer: Buffer, start: number, end: number): number {
  const place = buffer.subarray(0, end).indexOf(text, start, 'latin1');
  return place < 0 ? end : place;
}

/** With invalid bytes, a name is not the one that was written. */
function withoutNames(reading: LineReading, text: string): LineReading {
  return {
    ...reading,
    customId: undefined,
    model: undefined,
    url: undefined,
    problems: [notUtf8Problem(text), ...reading.problems],
  };
}

interface ModelUse {
  readonly name: string;
  readonly kind: RequestedModel['kind'];
  /** How many requests use the model. */
  count: number;
  /** The model's limits according to the list, if any. */
  readonly limits: ListedModel | undefined;
  /** The findings of a request for the same use of the model as the first one. */
  readonly findings: readonly RequestFinding[];
}

/** Which models a file uses, with the problems of each. */
class ModelUses {
  readonly all = new Map<string, ModelUse>();
  private readonly rule;
  /** The model of the previous line, as written in the file: most lines use the same one. */
  private last: { readonly bytes: Uint8Array; readonly use: ModelUse } | undefined;

  constructor(private readonly listed: ListedModels | undefined) {
    this.rule = createModelRule(listed);
  }

  /** Adds the model of a request. The use returned is counted with its model, and has the problems of this request. */
  add(request: RequestedModel): ModelUse {
    const { model, kind } = request;
    let use = this.all.get(model);
    if (!use) {
      const { context, longestAnswer } = this.listed?.get(model) ?? {};
      const limits = context === undefined && longestAnswer === undefined ? undefined : this.listed?.get(model);
      this.all.set(model, (use = { name: model, kind, count: 0, limits, findings: this.rule(request) }));
    }
    use.count++;
    return use.kind === kind ? use : { ...use, findings: this.rule(request) };
  }

  /** Adds the model of a chat request, whose name is written without escapes in the buffer. */
  addWritten(buffer: Buffer, start: number, end: number, url: string): ModelUse {
    const { last } = this;
    if (last && isAt(buffer, start, end, last.bytes)) {
      last.use.count++;
      return last.use;
    }
    const name = buffer.toString('utf8', start, end);
    const use = this.add({ model: name, kind: 'chat', url });
    if (use === this.all.get(name)) this.last = { bytes: Buffer.from(name), use };
    return use;
  }
}

function isAt(buffer: Uint8Array, start: number, end: number, bytes: Uint8Array): boolean {
  if (end - start !== bytes.length) return false;
  for (let index = 0; index < bytes.length; index++) if (buffer[start + index] !== bytes[index]) return false;
  return true;
}

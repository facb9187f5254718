import { emptyProblem, noFinalNewline, spreadProblem, startProblems } from '../fileProblems';
import {
  createModelRule,
  createUrlRule,
  duplicateFinding,
  limitFindings,
  numberFindings,
  withFindings,
} from '../fileRules';
import type { ListedModels, RequestFinding } from '../fileRules';
import { siliconFlow } from '../services/batchServices';
import type { BatchRules } from '../services/batchRules';
import type { LineProblem } from '../problem';
import { createLineFacts } from './lineFacts';
import type { LineFacts } from './lineFacts';

/** What is known about a document besides its lines. */
export interface DocumentFacts {
  readonly hasBom: boolean;
  readonly hasCrlf: boolean;
}

/** Lines and characters count from 0; characters are UTF-16 units. */
export interface TextChange {
  readonly start: TextPlace;
  readonly end: TextPlace;
  readonly text: string;
}

export interface TextPlace {
  readonly line: number;
  readonly character: number;
}

export interface BatchSummary {
  /** The number of lines that are not blank. */
  readonly requests: number;
  /** The size of the file on disk, in UTF-8. */
  readonly bytes: number;
  /** How many requests use each model, in order of first use. */
  readonly models: ReadonlyMap<string, number>;
}

/**
 * An index of the lines of a batch file that is being edited. Lines are those of the editor: the last one is empty if the file ends with a
 * line break. The cost of an edit is that of the changed lines. Problems are collected on demand.
 */
export interface BatchIndex {
  readonly lineCount: number;
  /** Returns a line's text, or `undefined` if there is no such line. */
  line(index: number): string | undefined;
  /** Replaces `removed` lines from `start` on with `added`. */
  replace(start: number, removed: number, added: readonly string[]): void;
  /** Replaces a range with a text. Each line ending in the text counts as one line break. */
  change(change: TextChange): void;
  /** Yields all problems in document order. `listed`: the model ids the service lists, if they are known. */
  problems(facts: DocumentFacts, listed?: ListedModels): Iterable<LineProblem>;
  summary(facts: DocumentFacts): BatchSummary;
  /** Whether a request has this id. */
  hasId(id: string): boolean;
}

/** `rulesNow` returns the rules of the service that the file is for. When they change, all lines must be replaced. */
export function createBatchIndex(rulesNow: () => BatchRules = () => siliconFlow): BatchIndex {
  let lines: LineFacts[] = [];
  /** For each line: the number of its URL and model if it is clean, or else 0. They are small because all are read on every keystroke. */
  let kinds: number[] = [];
  const kindOf = createKinds();
  const read = createLineFacts(rulesNow);
  /** How many lines have each id. */
  const uses = new Map<string, number>();
  /** The ids that more than one line has. */
  const shared = new Set<string>();
  let textBytes = 0;

  const count = ({ bytes, customId }: LineFacts, by: 1 | -1) => {
    textBytes += by * bytes;
    if (customId === undefined) return;
    const now = (uses.get(customId) ?? 0) + by;
    if (now > 0) uses.set(customId, now);
    else uses.delete(customId);
    if (now > 1) shared.add(customId);
    else shared.delete(customId);
  };
  const fileBytes = ({ hasBom, hasCrlf }: DocumentFacts) =>
    textBytes + Math.max(0, lines.length - 1) * (hasCrlf ? 2 : 1) + (hasBom ? 3 : 0);

  const replace: BatchIndex['replace'] = (start, removed, added) => {
    const fresh = added.map(read);
    for (const facts of lines.slice(start, start + removed)) count(facts, -1);
    for (const facts of fresh) count(facts, 1);
    if (start < lines.length && fresh.length !== removed) {
      lines = [...lines.slice(0, start), ...fresh, ...lines.slice(start + removed)];
      kinds = [...kinds.slice(0, start), ...fresh.map(kindOf), ...kinds.slice(start + removed)];
      return;
    }
    for (const [index, facts] of fresh.entries()) {
      lines[start + index] = facts;
      kinds[start + index] = kindOf(facts);
    }
  };

  return {
    get lineCount() {
      return lines.length;
    },
    line: (index) => lines[index]?.text,
    replace,
    change({ start, end, text }) {
      const before = lines[start.line]?.text.slice(0, start.character) ?? '';
      const after = lines[end.line]?.text.slice(end.character) ?? '';
      replace(start.line, end.line - start.line + 1, `${before}${text}${after}`.split(/\r\n|\r|\n/));
    },
    *problems(facts, listed) {
      const rules = rulesNow();
      const most = rules.bytes ?? Infinity;
      yield* startProblems({ ...facts, bytes: fileBytes(facts), most, rules, firstLine: lines[0]?.text ?? '' });
      yield* lineProblems({ lines, kinds, shared, rules }, listed);
    },
    summary: (facts) => ({ ...summaryOf(lines), bytes: fileBytes(facts) }),
    hasId: (id) => uses.has(id),
  };
}

function summaryOf(lines: readonly LineFacts[]): Omit<BatchSummary, 'bytes'> {
  const models = new Map<string, number>();
  for (const { model } of lines) if (model !== undefined) models.set(model, (models.get(model) ?? 0) + 1);
  const requests = lines.reduce((sum, { isBlank }) => sum + (isBlank ? 0 : 1), 0);
  return { requests, models };
}

function createKinds(): (facts: LineFacts) => number {
  const modelNumbers = new Map<string, number>();
  return ({ isClean, customId, model, url, kind: endpoint }) => {
    if (!isClean || customId === undefined || model === undefined) return 0;
    const kind = `${url ?? endpoint} ${model}`;
    let number = modelNumbers.get(kind);
    if (number === undefined) modelNumbers.set(kind, (number = modelNumbers.size + 1));
    return number;
  };
}

interface Known {
  readonly lines: readonly LineFacts[];
  readonly kinds: readonly number[];
  readonly shared: ReadonlySet<string>;
  readonly rules: BatchRules;
}

function* lineProblems(
  { lines, kinds, shared, rules }: Known,
  listed: ListedModels | undefined,
): Iterable<LineProblem> {
  const modelRule = createModelRule(listed);
  const urlRule = createUrlRule(rules);
  const firstLines = new Map<string, number>();
  const isShared = (line: number) => shared.size > 0 && shared.has(lines[line]?.customId ?? '');
  /** The kind of lines that have no problems, unless their id is shared. */
  let plainKind = -1;
  let requests = 0;
  for (let line = 0; line < lines.length; line++) {
    if (kinds[line] === plainKind && requests !== rules.requests && !isShared(line)) {
      requests++;
      continue;
    }
    const facts = lines[line]!;
    const { text, bytes, isBlank, isClean, customId, model, url, kind } = facts;
    // An empty text after the last line break is not a line.
    if (text === '' && line === lines.length - 1) break;
    const spread = requests === 0 ? spreadProblem(text) : undefined;
    if (spread) return void (yield { ...spread, line });
    const findings: RequestFinding[] = [];
    if (customId !== undefined && shared.has(customId)) {
      const first = firstLines.get(customId);
      if (first === undefined) firstLines.set(customId, line);
      else findings.push(duplicateFinding(customId, first));
    }
    if (model !== undefined) for (const one of modelRule({ model, kind, url })) findings.push(one);
    if ((url ?? customId) !== undefined) for (const one of urlRule({ url, kind })) findings.push(one);
    const limits = model === undefined ? undefined : listed?.get(model);
    const isLimited = limits?.context !== undefined || limits?.longestAnswer !== undefined;
    if (kinds[line] !== 0 && findings.length === 0 && !isLimited) plainKind = kinds[line]!;
    if (limits && isLimited) for (const one of limitFindings(limits, bytes, () => text)) findings.push(one);
    if (!isBlank) for (const one of numberFindings(requests++, rules)) findings.push(one);
    if (isClean && findings.length === 0) continue;
    for (const problem of withFindings(facts.reading(), findings)) yield { ...problem, line };
  }
  if (requests === 0) yield { ...emptyProblem(), line: 0 };
  const last = lines.at(-1)?.text ?? '';
  if (last.trim() !== '') yield { ...noFinalNewline(last), line: lines.length - 1 };
}

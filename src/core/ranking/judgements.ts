import { createHash } from 'node:crypto';

/** A user's judgment of a document for a query. `relevant: null` withdraws the previous one. */
export interface Judgement {
  readonly query: string;
  /** The document's text; it is recognized by its content. */
  readonly document: string;
  readonly relevant: boolean | null;
  /** Unix milliseconds. */
  readonly at: number;
}

/** The current judgments. */
export interface Judgements {
  get(query: string, document: string): boolean | undefined;
  set(judgement: Judgement): void;
  /** The number of judgments. */
  readonly count: number;
}

/** The format in the file. A later version can add properties. */
interface JudgementLine {
  readonly query: string;
  readonly document: string;
  readonly start: string;
  readonly relevant: boolean | null;
  readonly at: string;
}

/** How much of a document is stored, for people who read the file. */
const startChars = 80;

/** Formats a line to append to the file. It also begins with a line end, so that a line torn by a crash does not damage the next. */
export function toJudgementLine({ query, document, relevant, at }: Judgement): string {
  const line: JudgementLine = {
    query,
    document: digestOf(document),
    start: startOf(document),
    relevant,
    at: new Date(at).toISOString(),
  };
  return `\n${JSON.stringify(line)}\n`;
}

/** Reads judgments; of several about the same document and query, the last applies. Torn or foreign lines are counted in `skipped`. */
export function readJudgements(text: string): { readonly judgements: Judgements; readonly skipped: number } {
  const held = new Map<string, boolean>();
  let skipped = 0;
  for (const written of text.split('\n')) {
    if (written.trim() === '') continue;
    const line = readLine(written);
    if (line) hold(held, keyOf(line.query, line.document), line.relevant);
    else skipped++;
  }
  return { judgements: judgementsOf(held), skipped };
}

function judgementsOf(held: Map<string, boolean>): Judgements {
  return {
    get: (query, document) => held.get(keyOf(query, digestOf(document))),
    set: ({ query, document, relevant }) => hold(held, keyOf(query, digestOf(document)), relevant),
    get count() {
      return held.size;
    },
  };
}

function hold(held: Map<string, boolean>, key: string, relevant: boolean | null): void {
  if (relevant === null) held.delete(key);
  else held.set(key, relevant);
}

function readLine(written: string) {
  try {
    const { query, document, relevant } = (JSON.parse(written) ?? {}) as Partial<Record<keyof JudgementLine, unknown>>;
    if (typeof query !== 'string' || typeof document !== 'string') return undefined;
    return relevant === null || typeof relevant === 'boolean' ? { query, document, relevant } : undefined;
  } catch {
    return undefined;
  }
}

/** Normalizes a text: surrounding white space and the kind of line ending do not make it different. */
const plain = (text: string): string => text.replaceAll(/\r\n?/g, '\n').trim();

function keyOf(query: string, digest: string): string {
  return `${digest} ${plain(query)}`;
}

function digestOf(document: string): string {
  return createHash('sha256').update(plain(document)).digest('hex');
}

function startOf(document: string): string {
  const line = plain(document).replaceAll(/\s+/g, ' ');
  return line.length > startChars ? `${line.slice(0, startChars - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
}

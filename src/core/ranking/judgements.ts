import { createHash } from 'node:crypto';

/** What a person said about a document and a query. `relevant: null` takes back what was said before. */
export interface Judgement {
  readonly query: string;
  /** The document is known again by its content. */
  readonly document: string;
  readonly relevant: boolean | null;
  /** Unix milliseconds. */
  readonly at: number;
}

/** What holds now. */
export interface Judgements {
  get(query: string, document: string): boolean | undefined;
  set(judgement: Judgement): void;
  /** How many hold. */
  readonly count: number;
}

/** As it is in the file; a later version may add members. */
interface JudgementLine {
  readonly query: string;
  readonly document: string;
  readonly start: string;
  readonly relevant: boolean | null;
  readonly at: string;
}

/** So much of a document is kept for a person who reads the file. */
const startChars = 80;

/** One line to be added to the file. It begins with a line end too, so that a line torn by a crash takes no other with it. */
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

/** Of two lines about the same, the last holds. What is torn or foreign is left out, and is `skipped`. */
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

function readLine(written: string): Pick<JudgementLine, 'query' | 'document' | 'relevant'> | undefined {
  try {
    const { query, document, relevant } = (JSON.parse(written) ?? {}) as Partial<Record<keyof JudgementLine, unknown>>;
    if (typeof query !== 'string' || typeof document !== 'string') return undefined;
    return relevant === null || typeof relevant === 'boolean' ? { query, document, relevant } : undefined;
  } catch {
    return undefined;
  }
}

/** Blanks around them do not make a query or a document another one, nor do the line ends of a system. */
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

import type { RankedSlice, RankingProblem } from '../../../core/ranking/rankInSlices';
import type { RerankForm, SplitBy } from '../../../protocol/rerank';
import type { WireError } from '../../../protocol/wire';
import { proposedSplit } from './documents';
import type { RerankSource } from './documents';
import '../../../schema/jitless';
import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { createJsonFile, renamed } from '../../../core/storage/storedFile';
import { createJudgementFile } from '../../../core/ranking/judgementFile';
import { type Judgements, readJudgements } from '../../../core/ranking/judgements';

/** Parameters of a ranking: only those that are set. */
export interface RankParameters {
  readonly query: string;
  readonly model: string;
  readonly top_n?: number | undefined;
  readonly return_documents?: boolean | undefined;
  readonly max_chunks_per_doc?: number | undefined;
  readonly overlap_tokens?: number | undefined;
  readonly instruction?: string | undefined;
}

/** Responses that were paid for, and their request parameters. */
export interface SavedRanking {
  readonly parameters: RankParameters;
  /** Indexes of the documents to rank. The slices' indexes refer to this list. */
  readonly sent: readonly number[];
  /** The columns that were sent, if the documents are rows of a table. */
  readonly columns?: readonly string[] | undefined;
  readonly slices: readonly RankedSlice[];
  /** Unix milliseconds. */
  readonly at: number;
  /** Sum over all requests, which run one after the other. */
  readonly durationMs: number;
  /** Why the ranking is incomplete. */
  readonly failure?: WireError | undefined;
}

/** Several models on the same documents and query. */
export interface SavedComparison {
  readonly query: string;
  readonly k: number;
  readonly columns: readonly SavedColumn[];
}

export interface SavedColumn {
  readonly model: string;
  readonly ranking?: SavedRanking | undefined;
  /** Set if there is no ranking at all. */
  readonly error?: WireError | undefined;
}

/** By split, because each split gives other documents. */
type BySplit<T> = { readonly [By in SplitBy]?: T | undefined };

/** The user's choices on a page, apart from the source. */
export interface PageChoices {
  readonly by: SplitBy;
  /** The columns of a table to send; all of them if absent. */
  readonly columns?: readonly string[] | undefined;
  /** Indexes into the documents, for each split. */
  readonly excluded: BySplit<readonly number[]>;
  readonly form: RerankForm;
}

export interface PageResults {
  readonly rankings: BySplit<SavedRanking>;
  readonly comparisons: BySplit<SavedComparison>;
}

/** Everything that is saved of a page. */
export interface RerankRecord extends PageChoices, PageResults {
  readonly id: string;
  /** Absent until a source is chosen. */
  readonly source?: RerankSource | undefined;
}

/** Saves the changes of one page. */
export interface RecordMemory {
  readonly id: string;
  /** Never rejects, nor does `keepSource`: failing to save these is not worth an error. */
  keepChoices(choices: PageChoices): Promise<void>;
  keepSource(source: RerankSource): Promise<void>;
  /** Rejects if the results cannot be saved. */
  keepResults(results: PageResults): Promise<void>;
}

/** Only the newest pages are retained, up to these limits. */
const mostPages = 30;
const mostBytes = 200_000_000;

export interface SavedPage {
  readonly record: RerankRecord;
  readonly memory: RecordMemory;
}

/** A page with a ranking that can be opened again. */
export interface EarlierPage {
  readonly id: string;
  /** Title of its source. */
  readonly title: string;
  readonly query: string;
  /** When it was ranked, in Unix milliseconds. */
  readonly at: number;
}

/** The pages of a workspace on disk, each in its own folder: the source, the choices, and the results that were paid for. */
export interface RerankStore {
  create(source: RerankSource, form: RerankForm): Promise<SavedPage>;
  /** `undefined` if it is unknown. */
  find(id: string): Promise<SavedPage | undefined>;
  /** Newest first. */
  ranked(): Promise<readonly EarlierPage[]>;
}

export function createRerankStore(folder: string, onError: (error: unknown) => void): RerankStore {
  const filesOf = (id: string) => ({
    source: createJsonFile(path.join(folder, id, 'source.json'), parseSource),
    choices: createJsonFile(path.join(folder, id, 'choices.json'), parseChoices),
    results: createJsonFile(path.join(folder, id, 'results.json'), parseResults),
  });
  const memoryOf = (id: string, title: string): RecordMemory => {
    const { source, choices, results } = filesOf(id);
    return {
      id,
      keepChoices: (now: PageChoices) => choices.write({ title, ...now }).catch(onError),
      keepSource: (now) => source.write(now).catch(onError),
      keepResults: (now) => results.write(now),
    };
  };

  return {
    async create(source, form) {
      const id = randomUUID();
      const choices: PageChoices = { by: proposedSplit(source), excluded: {}, form };
      const memory = memoryOf(id, source.title);
      await Promise.all([memory.keepSource(source), memory.keepChoices(choices)]);
      await removeOld(folder).catch(onError);
      return { record: { id, source, ...choices, rankings: {}, comparisons: {} }, memory };
    },
    async find(id) {
      if (!isId(id)) return undefined;
      const files = filesOf(id);
      const [source, choices, results] = await Promise.all([
        files.source.read(),
        files.choices.read(),
        files.results.read(),
      ]);
      if (!source || !choices) return undefined;
      const { title, ...rest } = choices;
      const nothing = { rankings: {}, comparisons: {} };
      return { record: { id, source, ...rest, ...(results ?? nothing) }, memory: memoryOf(id, title) };
    },
    async ranked() {
      const pages = await Promise.all((await idsIn(folder)).map((id) => earlierPage(id)));
      return pages.filter((page) => page !== undefined).toSorted((one, other) => other.at - one.at);
    },
  };

  async function earlierPage(id: string): Promise<EarlierPage | undefined> {
    const { choices } = filesOf(id);
    const written = await stat(path.join(folder, id, 'results.json')).catch(() => undefined);
    const known = written && (await choices.read().catch(() => undefined));
    return known && { id, title: known.title, query: known.form.query, at: written.mtimeMs };
  }
}

function isId(name: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(name);
}

async function idsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter(isId);
}

async function removeOld(folder: string): Promise<void> {
  const pages = await Promise.all(
    (await idsIn(folder)).map(async (id) => {
      const files = await Promise.all(
        ['source.json', 'choices.json', 'results.json'].map((name) =>
          stat(path.join(folder, id, name)).catch(() => undefined),
        ),
      );
      return {
        id,
        bytes: files.reduce((sum, file) => sum + (file?.size ?? 0), 0),
        at: files.reduce((last, file) => Math.max(last, file?.mtimeMs ?? 0), 0),
      };
    }),
  );
  let bytes = 0;
  for (const [at, page] of pages.toSorted((one, other) => other.at - one.at).entries()) {
    bytes += page.bytes;
    if (at >= mostPages || (at > 0 && bytes > mostBytes)) {
      await rm(path.join(folder, page.id), { recursive: true, force: true });
    }
  }
}

const splitBy = z.enum(['whole', 'lines', 'paragraphs', 'sentences', 'listItems', 'jsonArray', 'sections', 'rows']);
const bySplit = <T extends z.ZodMiniType>(of: T) => z.partialRecord(splitBy, of);
const index = z.int().check(z.nonnegative());

const place = z.object({
  uri: z.string(),
  line: index,
  character: index,
  isAbout: z.optional(z.boolean()),
});

const source = z.object({
  kind: z.enum(['selection', 'file', 'tabs', 'files', 'search', 'problems', 'clipboard']),
  title: z.string(),
  texts: z.array(
    z.object({ text: z.string(), name: z.string(), languageId: z.optional(z.string()), at: z.optional(place) }),
  ),
  remarks: z.array(z.string()),
});

const form = z.object({
  query: z.string(),
  model: z.string(),
  top_n: z.string(),
  return_documents: z.boolean(),
  max_chunks_per_doc: z.string(),
  overlap_tokens: z.string(),
  instruction: z.string(),
});

const columns = z.optional(z.array(z.string()));

const choices = z.object({ title: z.string(), by: splitBy, columns, excluded: bySplit(z.array(index)), form });

const wireError = z.object({
  kind: z.string(),
  title: z.string(),
  detail: z.string(),
  actions: z.array(z.object({ id: z.string(), label: z.string() })),
});

const parameters = z.object({
  query: z.string(),
  model: z.string(),
  top_n: z.optional(z.number()),
  return_documents: z.optional(z.boolean()),
  max_chunks_per_doc: z.optional(z.number()),
  overlap_tokens: z.optional(z.number()),
  instruction: z.optional(z.string()),
});

/** For a property that version 0.1.0 wrote as `from`. */
const earlier = (from: string, to: string) => z.transform((raw) => renamed(raw, from, to));

const slice = z.object({
  indexes: z.array(index),
  scores: z.array(z.object({ index, score: z.number() })),
  problems: z.array(
    z.custom<RankingProblem>((value) => typeof value === 'object' && value !== null && 'kind' in value),
  ),
  tokens: z.object({ input: z.number(), output: z.number() }),
  id: z.optional(z.string()),
  requestId: z.optional(z.string()),
  traceId: z.optional(z.string()),
  answeredBy: z.optional(z.string()),
});

const ranking = z.object({
  parameters,
  sent: z.array(index),
  columns,
  slices: z.array(z.pipe(earlier('troubles', 'problems'), slice)),
  at: z.number(),
  durationMs: z.number(),
  failure: z.optional(wireError),
});

const savedRanking = z.pipe(earlier('order', 'parameters'), ranking);

const comparison = z.object({
  query: z.string(),
  k: z.number(),
  columns: z.array(
    z.pipe(
      earlier('trouble', 'error'),
      z.object({ model: z.string(), ranking: z.optional(savedRanking), error: z.optional(wireError) }),
    ),
  ),
});

const results = z.object({ rankings: bySplit(savedRanking), comparisons: bySplit(comparison) });

interface SavedChoices extends PageChoices {
  /** Title of the source. */
  readonly title: string;
}

/** Validates a source read from disk; `undefined` if it is invalid. */
function parseSource(raw: unknown): RerankSource | undefined {
  return source.safeParse(raw).data;
}

function parseChoices(raw: unknown): SavedChoices | undefined {
  return choices.safeParse(raw).data as (SavedChoices & { readonly excluded: BySplit<readonly number[]> }) | undefined;
}

function parseResults(raw: unknown): PageResults | undefined {
  return results.safeParse(raw).data as PageResults | undefined;
}

/** Queries of this workspace, newest first. */
export interface QueryHistory {
  readonly list: readonly string[];
  add(query: string): Promise<void>;
  forget(query: string): Promise<void>;
}

/** Relevance judgments of this workspace. */
export interface JudgementStore {
  readonly held: Judgements;
  judge(query: string, document: string, relevant: boolean | null): Promise<void>;
}

/** The judgments of a workspace, as last read by this window. */
export interface SharedJudgements extends JudgementStore {
  /** Reads new ratings of other windows. */
  refresh(): Promise<void>;
}

export function createJudgementStore(path: string, now: () => number): SharedJudgements {
  const file = createJudgementFile(path);
  let held = readJudgements('').judgements;
  return {
    get held() {
      return held;
    },
    async refresh() {
      held = await file.read();
    },
    async judge(query, document, relevant) {
      const judgement = { query, document, relevant, at: now() };
      await file.add(judgement);
      held.set(judgement);
    },
  };
}

/** The part of `vscode.Memento` that is used. */
interface SavedQueries {
  get<T>(key: string, other: T): T;
  update(key: string, value: unknown): PromiseLike<void>;
}

const key = 'rerank.queries';
const mostQueries = 50;
/** Characters. A longer query is not suited to a list. */
const longest = 2000;

export function createQueryHistory(history: SavedQueries): QueryHistory {
  const read = (): readonly string[] => {
    const stored = history.get<unknown>(key, []);
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  };
  const others = (query: string) => read().filter((one) => one !== query);
  return {
    get list() {
      return read();
    },
    async add(query) {
      if (query.length > longest) return;
      await history.update(key, [query, ...others(query)].slice(0, mostQueries));
    },
    async forget(query) {
      await history.update(key, others(query));
    },
  };
}

import '../../../schema/jitless';
import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { createJsonFile } from '../../../core/storage/storedFile';
import type { RerankForm } from '../../../protocol/rerank';
import { proposedSplit } from '../controller/documents';
import type { PageChoices, RecordMemory, RerankRecord, BySplit, PageResults } from '../controller/rerankRecord';
import type { RerankSource } from '../sources/rerankSource';
import type { RankingProblem } from '../../../core/ranking/checkRanking';

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

export function createRerankStore(folder: string, onTrouble: (error: unknown) => void): RerankStore {
  const filesOf = (id: string) => ({
    source: createJsonFile(path.join(folder, id, 'source.json'), parseSource),
    choices: createJsonFile(path.join(folder, id, 'choices.json'), parseChoices),
    results: createJsonFile(path.join(folder, id, 'results.json'), parseResults),
  });
  const memoryOf = (id: string, title: string): RecordMemory => {
    const { source, choices, results } = filesOf(id);
    return {
      id,
      keepChoices: (now: PageChoices) => choices.write({ title, ...now }).catch(onTrouble),
      keepSource: (now) => source.write(now).catch(onTrouble),
      keepResults: (now) => results.write(now),
    };
  };

  return {
    async create(source, form) {
      const id = randomUUID();
      const choices: PageChoices = { by: proposedSplit(source), excluded: {}, form };
      const memory = memoryOf(id, source.title);
      await Promise.all([memory.keepSource(source), memory.keepChoices(choices)]);
      await removeOld(folder).catch(onTrouble);
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

const splitBy = z.enum(['whole', 'lines', 'paragraphs', 'listItems', 'jsonArray', 'sections']);
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

const choices = z.object({ title: z.string(), by: splitBy, excluded: bySplit(z.array(index)), form });

const wireError = z.object({
  kind: z.string(),
  title: z.string(),
  detail: z.string(),
  actions: z.array(z.object({ id: z.string(), label: z.string() })),
});

const order = z.object({
  query: z.string(),
  model: z.string(),
  top_n: z.optional(z.number()),
  return_documents: z.optional(z.boolean()),
  max_chunks_per_doc: z.optional(z.number()),
  overlap_tokens: z.optional(z.number()),
  instruction: z.optional(z.string()),
});

const slice = z.object({
  indexes: z.array(index),
  scores: z.array(z.object({ index, score: z.number() })),
  troubles: z.array(
    z.custom<RankingProblem>((value) => typeof value === 'object' && value !== null && 'kind' in value),
  ),
  tokens: z.object({ input: z.number(), output: z.number() }),
  id: z.optional(z.string()),
  requestId: z.optional(z.string()),
  traceId: z.optional(z.string()),
  answeredBy: z.optional(z.string()),
});

const ranking = z.object({
  order,
  sent: z.array(index),
  slices: z.array(slice),
  at: z.number(),
  durationMs: z.number(),
  failure: z.optional(wireError),
});

const comparison = z.object({
  query: z.string(),
  k: z.number(),
  columns: z.array(z.object({ model: z.string(), ranking: z.optional(ranking), trouble: z.optional(wireError) })),
});

const results = z.object({ rankings: bySplit(ranking), comparisons: bySplit(comparison) });

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

import { createHash } from 'node:crypto';
import path from 'node:path';
import { hashOf, similarityOf, createVectorStore, tidyVectors, toUnitVector } from '../vectorStore';
import { estimateTokens } from '../../tokens/estimate';
import { mostCandidates } from './finding';
import type { Candidate, Candidates, FindOptions } from './finding';
import { readable, readChunks } from './readChunks';
import type { FileChunk, FileText, SearchedFiles } from './readChunks';
import type { SearchAccount } from './searchAccount';
import { isApiError } from '../../api/errors';
import { usageOf } from '../../usage/usageOf';

/** The maximum number of file parts with embeddings. Others are omitted. */
const mostChunks = 20_000;
/** Inputs per request: https://docs.siliconflow.com/en/api-reference/embeddings/create-embeddings */
const inputsAtOnce = 32;
const requestsAtOnce = 3;
const tidyLimits = { bytes: 512 * 1024 * 1024, files: 16, quietMs: 60 * 60_000 };

/** Vectors that do not exist yet. */
export interface NewVectors {
  readonly parts: number;
  /** Estimated. */
  readonly tokens: number;
  readonly model: string;
  /** How many parts are ranked afterwards, and their estimated tokens, counting the question once for each. */
  readonly ranked: { readonly parts: number; readonly tokens: number };
}

interface Part<File> extends FileChunk<File> {
  readonly hash: string;
  readonly input: string;
}

/**
 * Returns the parts of files whose vectors are closest to that of a question; `undefined` if vectors were not to be created, which is
 * asked before anything but the question is sent. The account must have an embedding model.
 */
export async function embeddingCandidates<File extends FileText, Where>(
  question: string,
  { open, whereOf }: SearchedFiles<File, Where>,
  account: SearchAccount,
  options: FindOptions<Where>,
): Promise<Candidates<Where> | undefined> {
  const { signal, confirm, onProgress, folder } = options;
  const { embedder: model = '' } = account;
  const parts: Part<File>[] = [];
  const take = (found: FileChunk<File>) => {
    const input = readable(found.file.path, found.chunk.text);
    return parts.push({ ...found, input, hash: hashOf(input) }) < mostChunks;
  };
  const { files, leftOut } = await readChunks(open, take, options);
  if (parts.length === 0) return { items: [], by: 'embeddings', model, files, leftOut, tokens: 0 };

  const embedding = createEmbedding(account, model, signal);
  const queryVector = (await embedding.vectorsOf([toQuery(question, model)]))[0]!;
  const store = createVectorStore(path.join(folder, folderOf(account, model)));
  const vectors = new Map(await store.read(new Set(parts.map(({ hash }) => hash)), queryVector.length));
  const missing = [...new Map(parts.map((part) => [part.hash, part])).values()].filter(
    ({ hash }) => !vectors.has(hash),
  );
  const tokens = missing.reduce((sum, { input }) => sum + estimateTokens(input), 0);
  const ranked = Math.min(parts.length, mostCandidates);
  const tokensEach = tokens / Math.max(1, missing.length) + estimateTokens(question);
  const needed = { parts: missing.length, tokens, model, ranked: { parts: ranked, tokens: ranked * tokensEach } };
  if (missing.length > 0 && !(await confirm(needed))) return undefined;
  if (missing.length > 0) await store.begin(queryVector.length);
  const embedBatch = async (batch: readonly Part<File>[]) => {
    const inputs = batch.map(({ input }) => input);
    const made = await embedding.vectorsOf(inputs, queryVector.length);
    const records = batch.flatMap(({ hash }, index) => {
      const vector = made[index];
      return vector ? [{ hash, vector }] : [];
    });
    for (const { hash, vector } of records) vectors.set(hash, vector);
    await store.add(records);
  };
  await eachBatch(missing, embedBatch, (parts, of) => onProgress({ kind: 'embedding', parts, of }));
  if (missing.length > 0) {
    await tidyVectors(folder, { ...tidyLimits, quietSince: Date.now() - tidyLimits.quietMs });
  }
  return {
    items: closest(parts, vectors, queryVector, mostCandidates).map(({ file, chunk, score }): Candidate<Where> => ({
      ...whereOf(file, chunk),
      path: file.path,
      text: chunk.text,
      score,
    })),
    by: 'embeddings',
    model,
    files,
    leftOut,
    tokens: embedding.tokens,
  };
}

/** Vectors are comparable only within the same model at the same service. */
function folderOf({ origin }: SearchAccount, model: string): string {
  return createHash('sha256').update(`${origin}\n${model}`).digest('hex').slice(0, 32);
}

/** Runs several batches in parallel; after the first failure no further one starts, and it rejects once those in progress have ended. */
async function eachBatch<Item>(
  parts: readonly Item[],
  work: (batch: readonly Item[]) => Promise<void>,
  onDone: (done: number, of: number) => void,
): Promise<void> {
  const waiting = Array.from({ length: Math.ceil(parts.length / inputsAtOnce) }, (_, index) =>
    parts.slice(index * inputsAtOnce, (index + 1) * inputsAtOnce),
  );
  let done = 0;
  let failure: { readonly error: unknown } | undefined;
  const worker = async () => {
    for (let next = waiting.shift(); next && !failure; next = waiting.shift()) {
      try {
        await work(next);
        done += next.length;
        onDone(done, parts.length);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, worker));
  if (failure) throw failure.error;
}

function closest<File>(
  parts: readonly Part<File>[],
  vectors: ReadonlyMap<string, Float32Array>,
  queryVector: Float32Array,
  most: number,
): readonly (FileChunk<File> & { readonly score: number })[] {
  return parts
    .flatMap((part) => {
      const vector = vectors.get(part.hash);
      return vector ? [{ part, score: similarityOf(queryVector, vector) }] : [];
    })
    .toSorted((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ part: { file, chunk }, score }) => ({ file, chunk, score }));
}

/** Enough dimensions to choose candidates, at a quarter of the disk space. Only these models accept the parameter. */
const shorter = { models: /qwen3-embedding/i, dimensions: 1024 };

/** Returns what a service rejected that the user did not choose: more inputs than it accepts, or a parameter. */
function rejectedIn(error: unknown): {
  readonly itemsAtOnce?: number | undefined;
  readonly parameter?: string | undefined;
} {
  if (!isApiError(error)) return {};
  const { status, itemsAtOnce } = error.details;
  if (status !== 400 && status !== 422) return { itemsAtOnce };
  const isAbout = (words: RegExp) => words.test(`${error.details.parameter} ${error.message}`);
  // vLLM calls models that have vectors of any length by the name of their training.
  if (isAbout(/\bdimensions?\b|matryoshka/i)) return { parameter: 'dimensions' };
  return isAbout(/\bencoding_format\b|\bbase64\b/i) ? { parameter: 'encoding_format' } : { itemsAtOnce };
}

/** Creates vectors with one model and adds up the tokens used. */
interface Embedding {
  readonly tokens: number;
  /**
   * Resolves to the vector of each input, or `undefined` if it isn't usable. Throws `UnusableVectors` if none is, or if they don't have
   * `length`.
   */
  vectorsOf(input: readonly string[], length?: number): Promise<readonly (Float32Array | undefined)[]>;
}

/** Thrown if a model's response cannot be used for a search. */
export class UnusableVectors extends Error {
  override readonly name = 'UnusableVectors';

  constructor(readonly model: string) {
    super(`${model} gave no vectors that can be used.`);
  }
}

/** Formats a question as these models expect it, unlike the searched texts: https://huggingface.co/Qwen/Qwen3-Embedding-8B#usage */
function toQuery(question: string, model: string): string {
  return /qwen3-embedding/i.test(model)
    ? `Instruct: Given a question, find the parts of files that answer it\nQuery:${question}`
    : question;
}

function createEmbedding({ client }: SearchAccount, model: string, signal: AbortSignal): Embedding {
  let tokens = 0;
  let most = inputsAtOnce;
  const left = new Set<unknown>();
  const once = async (input: readonly string[]): Promise<readonly (readonly number[])[]> => {
    const dimensions = shorter.models.test(model) && !left.has('dimensions') ? { dimensions: shorter.dimensions } : {};
    const encoding = left.has('encoding_format') ? {} : ({ encoding_format: 'base64' } as const);
    const request = { model, input, ...encoding, ...dimensions };
    try {
      const answer = await client.embeddings.create(request, signal);
      tokens += usageOf('embeddings', request, answer).inputTokens;
      return answer.vectors;
    } catch (error) {
      const { itemsAtOnce, parameter } = rejectedIn(error);
      if (itemsAtOnce !== undefined && itemsAtOnce < input.length) most = Math.min(most, itemsAtOnce);
      else if (parameter !== undefined && parameter in request) left.add(parameter);
      else throw error;
      return ask(input);
    }
  };
  const ask = async (input: readonly string[]): Promise<readonly (readonly number[])[]> => {
    const vectors: (readonly number[])[] = [];
    while (vectors.length < input.length) {
      const part = input.slice(vectors.length, vectors.length + most);
      const made = await once(part);
      // It is unknown which text each of them belongs to.
      if (made.length !== part.length) return [];
      for (const vector of made) vectors.push(vector);
    }
    return vectors;
  };
  return {
    get tokens() {
      return tokens;
    },
    async vectorsOf(input, length) {
      const made = (await ask(input)).map(toUnitVector);
      const usable = made.filter((vector) => vector !== undefined);
      const needed = length ?? usable[0]?.length;
      const isUsable = usable.length > 0 && usable.every((vector) => vector.length === needed);
      if (isUsable && made.length === input.length) return made;
      throw new UnusableVectors(model);
    },
  };
}

import { relevance } from '../answers/relevance';
import { countTokens, tokenise } from '../answers/tokens';
import { charge, requireBalance } from '../billing';
import type { Endpoint } from '../call';
import { modelsOf } from '../catalogue';
import type { ContentEffect, FaultEffect } from '../faults/fault';
import { badParameter, unknownModel } from '../refusal';
import { flag, integer, list, optional, readStrictly, required, text } from '../validate';
import { wait } from '../wait';

const chunking = new Set(['BAAI/bge-reranker-v2-m3', 'netease-youdao/bce-reranker-base_v1']);
const chunkTokens = 512;
const defaultMaxChunks = 1024;
const defaultOverlap = 80;

const fields = {
  model: required(text({ min: 1 })),
  query: required(text({ min: 1 })),
  documents: required(list(text(), { min: 1 })),
  instruction: optional(text({ min: 1 })),
  top_n: optional(integer({ min: 1 })),
  return_documents: optional(flag),
  max_chunks_per_doc: optional(integer({ min: 1 })),
  overlap_tokens: optional(integer({ min: 0, max: 80 })),
};

/** Splits a long document into at most `most` overlapping chunks; the rest is ignored. */
export function chunksOf(document: string, overlap: number, most: number): readonly string[] {
  const tokens = tokenise(document);
  const chunks: string[] = [];
  for (let at = 0; chunks.length === 0 || (at < tokens.length && chunks.length < most); at += chunkTokens - overlap) {
    chunks.push(tokens.slice(at, at + chunkTokens).join(''));
    if (at + chunkTokens >= tokens.length) break;
  }
  return chunks;
}

/** Returns the score of each document, from 0 to 1: that of its best chunk. */
function scoresOf(
  model: string,
  query: string,
  documents: readonly string[],
  chunks: { overlap: number; most: number } | undefined,
): readonly number[] {
  const split = (document: string) =>
    chunks === undefined ? [document] : chunksOf(document, chunks.overlap, chunks.most);
  const pieces = documents.flatMap((document, index) => split(document).map((chunk) => ({ index, chunk })));
  const scores = relevance(
    model,
    query,
    pieces.map((piece) => piece.chunk),
  );
  const best = documents.map(() => 0);
  for (const [at, { index }] of pieces.entries()) best[index] = Math.max(best[index] ?? 0, scores[at] ?? 0);
  return best;
}

interface Result {
  readonly index: number;
  readonly relevance_score?: unknown;
}

type Spoiling = (results: readonly Result[], first: Result, last: Result) => readonly Result[];

const spoilings: Partial<Readonly<Record<ContentEffect, Spoiling>>> = {
  foreignIndex: (results, first) => [{ ...first, index: results.length + 1000 }, ...results.slice(1)],
  repeatedIndex: (results, first) => [first, first, ...results.slice(1, -1)],
  noScore: (results, _first, last) => [...results.slice(0, -1), { ...last, relevance_score: undefined }],
  sameScores: (results) => results.map((result) => ({ ...result, relevance_score: 0.5 })),
  wordForScore: (results, _first, last) => [...results.slice(0, -1), { ...last, relevance_score: 'NaN' }],
};

function spoiled(results: readonly Result[], effect: FaultEffect | undefined): readonly Result[] {
  const [first] = results;
  const last = results.at(-1);
  if (effect?.kind !== 'content' || !first || !last) return results;
  return spoilings[effect.how]?.(results, first, last) ?? results;
}

function isUncounted(effect: FaultEffect | undefined): boolean {
  return effect?.kind === 'content' && effect.how === 'noUsage';
}

export const rerank: Endpoint = {
  name: 'POST /rerank',
  body: 'json',
  standIn: 'BAAI/bge-reranker-v2-m3',
  handle: async (call) => {
    const { service, signal, reply } = call;
    const sent = readStrictly(call.body, fields);
    const model = modelsOf('reranker').find((item) => item.id === sent.model);
    if (model === undefined) throw unknownModel();
    for (const name of ['max_chunks_per_doc', 'overlap_tokens'] as const) {
      if (sent[name] !== undefined && !chunking.has(model.id))
        throw badParameter(`Value error, current model does not support parameter \`${name}\`.`, name);
    }
    if (sent.instruction !== undefined && !model.id.includes('Qwen3-Reranker')) {
      throw badParameter('Value error, current model does not support parameter `instruction`.', 'instruction');
    }
    requireBalance(service, model);
    const chunks = chunking.has(model.id)
      ? { overlap: sent.overlap_tokens ?? defaultOverlap, most: sent.max_chunks_per_doc ?? defaultMaxChunks }
      : undefined;
    const scores = scoresOf(model.id, sent.query, sent.documents, chunks);
    const input = sent.documents.reduce((sum, document) => sum + countTokens(document) + countTokens(sent.query), 0);
    await charge(service, model, input / 1000);
    await wait(service.pace().workMs, signal);
    const ranked = sent.documents
      .map((document, index) => ({ document, index, score: scores[index] ?? 0 }))
      .toSorted((a, b) => b.score - a.score || a.index - b.index)
      .slice(0, sent.top_n);
    const results = ranked.map(({ document, index, score }) => ({
      ...(sent.return_documents === true ? { document: { text: document } } : {}),
      index,
      relevance_score: score,
    }));
    return reply.json(200, {
      id: service.newId(),
      results: spoiled(results, call.fault?.effect),
      ...(isUncounted(call.fault?.effect) ? {} : { tokens: { input_tokens: input, output_tokens: 0 } }),
    });
  },
};

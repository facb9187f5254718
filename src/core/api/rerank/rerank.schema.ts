// https://docs.siliconflow.com/en/api-reference/rerank/create-rerank
import '../../../schema/jitless';
import * as z from 'zod/mini';
import type { Immutable } from '../../../schema/immutable';
import { inSnakeCase, listIn } from '../envelope';
import { isObject } from '../isObject';
import { entriesOf, lenient, lenientNumber, lenientText, toNumber } from '../tolerant';
import type { AnswerIds } from '../transport/transport';

export const rerankRequest = z.strictObject({
  model: z.string(),
  query: z.string(),
  /** Strings only; the reference also shows objects, but the service rejects them. */
  documents: z.array(z.string()),
  top_n: z.nullish(z.number()),
  return_documents: z.nullish(z.boolean()),
  max_chunks_per_doc: z.nullish(z.number()),
  overlap_tokens: z.nullish(z.number()),
  /** Defines what "relevant" means; Qwen3-Reranker models only. */
  instruction: z.nullish(z.string()),
});

/** Absent fields are not sent; `null` is sent as null. */
export type RerankRequest = Immutable<z.infer<typeof rerankRequest>>;

const usage = z.looseObject({ prompt_tokens: lenientNumber, input_tokens: lenientNumber, total_tokens: lenientNumber });
const tokens = lenient(z.looseObject({ input_tokens: lenientNumber, output_tokens: lenientNumber }));

/** One malformed entry must not lose the others, which are paid for, so its members are not validated. */
const result = z.looseObject({});

type EntryOnTheWire = z.infer<typeof result>;

/**
 * Older forms of Cohere's API have `document_index`, sentence-transformers `corpus_id`, Cloudflare and Google `id`, Bedrock
 * `relevanceScore`, NVIDIA's servers `logit`. Names in camel case are the same.
 */
const indexNames = wordsIn('index document_index doc_index passage_index original_index idx corpus_id id doc_id');
const scoreNames = wordsIn(
  'relevance_score score logit similarity rerank_score relevance similarity_score cross_encoder_score probability prob',
);
const textNames = ['document', 'text', 'content', 'passage', 'input'];

function wordsIn(text: string): readonly string[] {
  return text.split(' ');
}

/** Returns the index of the document that an entry is about; `undefined` if the entry has none. */
export function indexOf(entry: EntryOnTheWire): number | undefined {
  return numberAt(entry, indexNames);
}

/** Returns the score of an entry, which can be infinite, or `undefined`. */
export function scoreOf(entry: EntryOnTheWire): number | undefined {
  return numberAt(entry, scoreNames);
}

/** Returns the text of the document that an entry has; `undefined` if it has none. */
export function textOf(entry: EntryOnTheWire): string | undefined {
  for (const name of textNames) {
    const value = entry[name];
    const text = isObject(value) ? (value['text'] ?? value['content']) : value;
    if (typeof text === 'string') return text;
  }
  return undefined;
}

function numberAt(entry: EntryOnTheWire, names: readonly string[]): number | undefined {
  const fields = inSnakeCase(entry);
  for (const name of names) {
    const value = fields[name];
    const number = typeof value === 'number' ? value : toNumber(value);
    if (number !== undefined) return number;
  }
  return undefined;
}

const refersToDocument = (entry: EntryOnTheWire): boolean =>
  indexOf(entry) !== undefined || (textOf(entry) !== undefined && scoreOf(entry) !== undefined);

/** Empty, or with at least one entry that refers to a document. */
const results = entriesOf(result).check(z.refine((list) => list.length === 0 || list.some(refersToDocument)));

/** The names under which servers send the list, in the order in which they are looked for. */
const listNames = wordsIn('results rankings records rerank response choices documents passages scores output');

/**
 * The response formats of this service and of others on the same path: a list under `results`, `data`, or another name, a bare list, or
 * only scores in the order of the documents.
 */
export const rerankResponse = z.pipe(
  z.transform(withEntries),
  listIn(
    listNames,
    z.looseObject({
      id: lenientText,
      model: lenientText,
      request_id: lenientText,
      list: results,
      tokens,
      meta: lenient(z.looseObject({ tokens, billed_units: tokens })),
      usage: lenient(usage),
      input_token_count: lenientNumber,
      ...usage.shape,
    }),
  ),
);

/** Writes the list of a response as entries, whatever a server makes of it. */
function withEntries(json: unknown): unknown {
  const bare = entriesIn(json);
  if (bare || !isObject(json)) return bare ?? json;
  // RunPod has the outputs of a job in a list.
  const [output, ...others] = Array.isArray(json['output']) ? (json['output'] as readonly unknown[]) : [];
  const held = others.length === 0 ? output : undefined;
  const holder = [json, json['data'], json['result'], held].filter(isObject).find((one) => listOf(one) !== undefined);
  if (!holder) return isObject(json['result']) ? { ...json, ...json['result'] } : json;
  const entries = entriesIn(listOf(holder), holder['indices']);
  if (!entries) return json;
  const { scores: _, output: __, ...rest } = { ...json, ...holder };
  return { ...rest, data: undefined, results: entries };
}

/** Returns what has the place of a list in an object: under a known name, or else the only list that there is. */
function listOf(holder: Readonly<Record<string, unknown>>): unknown {
  const known = [...listNames, 'data'].map((name) => holder[name]).find((value) => entriesIn(value) !== undefined);
  if (known !== undefined) return known;
  const lists = Object.values(holder).filter((value) => Array.isArray(value) && entriesIn(value) !== undefined);
  return lists.length === 1 ? lists[0] : undefined;
}

/** Returns the entries of a value in any list format, or `undefined` for another value. */
function entriesIn(value: unknown, indices?: unknown): readonly object[] | undefined {
  if (isObject(value)) {
    const members = Object.entries(value);
    const isByIndex = members.length > 0 && members.every(([name]) => /^\d{1,6}$/.test(name));
    return isByIndex ? members.map(([name, one]) => ({ ...entryOf(one), index: Number(name) })) : undefined;
  }
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const list = value as readonly unknown[];
  if (isScores(list)) {
    const at = Array.isArray(indices) && indices.length === list.length ? (indices as readonly unknown[]) : undefined;
    return list.map((score, position) => ({ index: at ? at[position] : position, score }));
  }
  // The scores for the only query.
  if (list.length === 1 && isScores(list[0])) return entriesIn(list[0]);
  if (list.every((one) => Array.isArray(one))) return pairsIn(list) ?? labeled(list);
  const isLabeled = list.every((one) => isObject(one) && 'label' in one && !refersToDocument(one));
  if (isLabeled) return labeled(list.map((one) => [one]));
  return list.some((one) => isObject(one) && refersToDocument(one)) ? list.filter(isObject) : undefined;
}

const isScores = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'number' || one === null);

const entryOf = (one: unknown): object => (isObject(one) ? one : { score: one });

/** Reads pairs of an index or a text and a score, in either order. */
function pairsIn(list: readonly (readonly unknown[])[]): readonly object[] | undefined {
  if (!list.every(({ length }) => length === 2)) return undefined;
  const column = (at: number) => list.map((pair) => pair[at]);
  const isText = (at: number) => column(at).every((one) => typeof one === 'string' && toNumber(one) === undefined);
  const isIndex = (at: number) =>
    column(at).every((one) => Number.isInteger(toNumber(one)) && Number(one) >= 0) &&
    new Set(column(at).map(Number)).size === list.length;
  const at = [0, 1].find(isText);
  if (at !== undefined) return list.map((pair) => ({ text: pair[at], score: pair[1 - at] }));
  const first = [0, 1].find(isIndex);
  return first === undefined ? undefined : list.map((pair) => ({ index: pair[first], score: pair[1 - first] }));
}

const positiveLabel = /^(?:label_?1|1|yes|true|relevant|positive|entailment)$/i;

const negativeLabel =
  /^(?:0|no|false|(?:ir|not?[ _-]|non[ _-]?)relevant|unrelated|negative|contradiction|not[ _-]entailment)$/i;

/**
 * Reads a classifier's result for each text: the score of its only label, or of the label "relevant". The score of a label with the
 * opposite meaning counts against the text.
 */
function labeled(list: readonly (readonly unknown[])[]): readonly object[] {
  const texts = list.map((labels) => labels.filter(isObject));
  const isNamed = (name: RegExp) => (one: EntryOnTheWire) => name.test(String(one['label']));
  // A model with a single label calls it LABEL_0.
  const hasSecond = texts.flat().some(isNamed(/^label_?1$/i));
  const isNegative = (one: EntryOnTheWire) => isNamed(negativeLabel)(one) || (hasSecond && isNamed(/^label_?0$/i)(one));
  return texts.map((labels, index) => {
    const one = labels.length === 1 ? labels[0] : (labels.find(isNamed(positiveLabel)) ?? labels.find(isNegative));
    const score = one && isNegative(one) ? scoreOf(one) : undefined;
    const isShare = score !== undefined && score >= 0 && score <= 1;
    return { ...one, ...(isShare && { relevance_score: 1 - score }), index };
  });
}

export interface Ranking extends AnswerIds {
  readonly id?: string;
  /** The model that answered, if the service names it. */
  readonly model?: string;
  /** Best first, entries without a score last. Not validated: an entry may lack fields or repeat another's index. */
  readonly results: readonly RankedDocument[];
  readonly tokens: {
    readonly input_tokens?: number;
    readonly output_tokens?: number;
    /** What the request cost in the account's currency, if the service reports it. */
    readonly cost?: number;
  };
}

export interface RankedDocument {
  /** Index into the documents of the request, if valid; absent if the response has no number. Text that is a number counts as one. */
  readonly index?: number;
  /** Missing if the response has no number. Can be infinite. */
  readonly relevance_score?: number;
  /** The text in the response, else the request's own document. */
  readonly text: string;
}

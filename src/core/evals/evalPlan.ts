import { createHash } from 'node:crypto';
import { parse as parseYaml } from 'yaml';
import { isObject } from '../api/isObject';
import { parseJson } from '../api/parseJson';
import type { EvalAssertion, EvalConfig, EvalPrompt, EvalProvider, EvalRow } from './evalConfig';
import { fillTemplate } from './formats/template';
import type { TemplateGap } from './formats/template';

/** A prompt with a model and its parameters: what is compared. */
export interface EvalVariant {
  /** Six digits of a hash of all that decides its requests. */
  readonly id: string;
  readonly label: string;
  readonly prompt: EvalPrompt;
  readonly provider: EvalProvider;
}

export interface PlannedRow extends EvalRow {
  /** Ten digits of a hash of its ID, or of what is in it. */
  readonly hash: string;
}

/** One request: a row with a variant, for the k-th time. */
export interface EvalCell {
  /** `e1.<row>.<variant>.<k>`: the same in each run, so that results join, resume, and are found in the cache. */
  readonly id: string;
  readonly row: PlannedRow;
  readonly variant: EvalVariant;
  readonly repeat: number;
}

export interface EvalPlan {
  readonly variants: readonly EvalVariant[];
  readonly rows: readonly PlannedRow[];
  /** Rows whose answer and its grade are known, apart from the others. */
  readonly gold: readonly PlannedRow[];
  readonly repeats: number;
  /** IDs that several rows have. The later ones are told apart by their order. */
  readonly repeatedIds: readonly string[];
}

/** A config whose only provider is a script still has rows and assertions: they run with a model of the account. */
export function withModel(config: EvalConfig, model: string | undefined): EvalConfig {
  if (model === undefined || config.providers.some(({ kind }) => kind !== 'none')) return config;
  return { ...config, providers: [{ label: model, kind: 'service', model, parameters: {} }] };
}

/** Plans all cells of an eval. Prompts and providers that cannot run are left out. */
export function planEval({ prompts, providers, rows, repeats = 1 }: EvalConfig): EvalPlan {
  const usable = prompts.filter(({ canRun }) => canRun);
  const models = providers.filter(({ kind }) => kind !== 'none');
  const variants = new Map<string, EvalVariant>();
  for (const provider of models)
    for (const prompt of usable) {
      const { kind, model, parameters, prompts: only } = provider;
      if (only && !only.includes(prompt.label)) continue;
      const key = canonicalJson([
        kind,
        model,
        parameters,
        prompt.text,
        prompt.parameters ?? {},
        [...(prompt.defaults ?? [])],
      ]);
      const id = hashOf(key, 6);
      const parts = [
        ...(usable.length > 1 ? [prompt.label] : []),
        ...(models.length > 1 || usable.length === 1 ? [provider.label] : []),
      ];
      if (!variants.has(id)) variants.set(id, { id, label: parts.join(' · '), prompt, provider });
    }
  const counts = new Map<string, number>();
  const repeatedIds = new Set<string>();
  const planned = rows.map((row): PlannedRow => {
    const own = row.id === undefined ? canonicalJson(Object.fromEntries(row.vars)) : `id:${row.id}`;
    // Gold rows change no hash of the others, by which baselines and labels know them.
    const key = row.gold === undefined ? own : `gold:${row.gold}:${own}`;
    const before = counts.get(key) ?? 0;
    counts.set(key, before + 1);
    if (before > 0 && row.id !== undefined && repeatedIds.size < 10) repeatedIds.add(row.id);
    return { ...row, hash: hashOf(before === 0 ? key : `${key}#${before}`, 10) };
  });
  return {
    variants: [...variants.values()],
    rows: planned.filter(({ gold }) => gold === undefined),
    gold: planned.filter(({ gold }) => gold !== undefined),
    repeats,
    repeatedIds: [...repeatedIds],
  };
}

/** All cells, the variants of a row next to each other. */
export function* cellsOf({ rows, variants, repeats }: EvalPlan): Iterable<EvalCell> {
  for (const row of rows)
    for (const variant of variants)
      for (let repeat = 0; repeat < repeats; repeat++)
        yield { id: cellId(row.hash, variant.id, repeat), row, variant, repeat };
}

/** `row`: its hash. `variant`: its ID. */
export function cellId(row: string, variant: string, repeat: number): string {
  return `e1.${row}.${variant}.${repeat}`;
}

/** Returns an assertion, or those in a set and its sets. */
export function leavesOf(assertion: EvalAssertion): readonly EvalAssertion[] {
  return assertion.class === 'set' ? assertion.members.flatMap(leavesOf) : [assertion];
}

/** Returns the assertions of a row that the service grades, also those in sets. */
export function gradedByService({ assertions }: EvalRow): readonly EvalAssertion[] {
  return assertions.flatMap(leavesOf).filter((one) => one.class === 'service' && !one.isBlocked);
}

/** Whether embeddings or a reranker grade an assertion, and not a judge. A reranker does if the assertion names one. */
export function isMeasured({ type, config }: EvalAssertion): boolean {
  if (type === 'similar' || type.startsWith('similar:')) return true;
  return type === 'answer-relevance' && typeof config?.['reranker'] === 'string';
}

/** Returns the assertions of a row that a judge grades, also those in sets. */
export function judgedIn(row: EvalRow): readonly EvalAssertion[] {
  return gradedByService(row).filter((one) => !isMeasured(one));
}

/** Whether the similarity of texts is graded by a model that the eval doesn't name. */
export function usesEmbeddings({ rows }: EvalPlan): boolean {
  const isOpen = ({ type, config }: EvalAssertion) =>
    type.startsWith('similar') && typeof config?.['embeddings'] !== 'string';
  return rows.some((row) => gradedByService(row).some(isOpen));
}

/** The models that grade what isn't graded locally. Without one, its scores are missing. */
export interface GraderModels {
  readonly judge?: string | undefined;
  /** Its vectors tell how similar texts are. */
  readonly embeddings?: string | undefined;
}

export function usesJudge({ rows }: EvalPlan): boolean {
  return rows.some((row) => judgedIn(row).length > 0);
}

export interface CellRequest {
  /** Body of a chat completion. */
  readonly body: { readonly model: string; readonly messages: readonly Message[]; readonly [name: string]: unknown };
  readonly gaps: readonly TemplateGap[];
}

interface Message {
  readonly role: string;
  readonly content: unknown;
}

/** Fills in the prompt of a cell. */
export function requestOf({ row, variant }: EvalCell): CellRequest {
  const { provider } = variant;
  const prompt = { ...variant.prompt, text: `${row.prefix ?? ''}${variant.prompt.text}${row.suffix ?? ''}` };
  const known = new Map([...(prompt.defaults ?? []), ...row.vars]);
  const gaps: TemplateGap[] = [];
  const fill = (template: string, vars: ReadonlyMap<string, unknown>) => {
    const filled = fillTemplate(template, vars);
    for (const gap of filled.gaps) if (!gaps.some(({ text }) => text === gap.text)) gaps.push(gap);
    return filled.text;
  };
  // A variable may itself use others, which are then used as they are written.
  const vars = new Map(
    Array.from(known, ([name, value]) => [
      name,
      typeof value === 'string' && value.includes('{{') && prompt.text.includes(name) ? fill(value, known) : value,
    ]),
  );
  const messages = messagesIn(prompt.text)?.map((message) => fillMessage(message, (text) => fill(text, vars)));
  const text = messages ? '' : fill(prompt.text, vars);
  return {
    body: {
      model: provider.model,
      messages: messages ?? messagesIn(text) ?? [{ role: 'user', content: text }],
      ...prompt.parameters,
      ...provider.parameters,
    },
    gaps,
  };
}

function fillMessage(message: Message, fill: (text: string) => string): Message {
  const { content } = message;
  if (typeof content === 'string') return { ...message, content: fill(content) };
  if (!Array.isArray(content)) return message;
  return { ...message, content: fillParts(content, fill) };
}

/** Fills the texts of parts, also those of their members, such as the URL of an image. */
function fillParts(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === 'string') return fill(value);
  if (Array.isArray(value)) return value.map((one: unknown) => fillParts(one, fill));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fillParts(one, fill)]));
}

/** The messages of a prompt that is written as JSON or YAML; `undefined` for other texts. */
function messagesIn(text: string): readonly Message[] | undefined {
  const trimmed = text.trim();
  const value = trimmed.startsWith('[')
    ? parseJson(trimmed)
    : trimmed.startsWith('- role:')
      ? parsedYaml(trimmed)
      : undefined;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const messages = value as readonly unknown[];
  return messages.every((one) => isObject(one) && typeof one['role'] === 'string')
    ? (messages as readonly Message[])
    : undefined;
}

function parsedYaml(text: string): unknown {
  try {
    return parseYaml(text, { maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

/** JSON with the names of objects in order, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(inOrder(value));
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name])]));
}

/** `digits`: an even number of them. */
export function hashOf(text: string, digits: number): string {
  // A slice of the text would keep all of it in memory.
  return createHash('sha256')
    .update(text)
    .digest()
    .toString('hex', 0, digits / 2);
}

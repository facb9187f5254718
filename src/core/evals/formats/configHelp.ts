import * as l10n from '@vscode/l10n';
import type { Span } from '../../batch/problem';
import { readType } from './assertions';
import type { ConfigCursor } from './configCursor';
import { parameterNames } from './providers';

/** Something that can be written at a place of an eval file. */
export interface ConfigOffer {
  readonly name: string;
  readonly kind: 'key' | 'value' | 'type' | 'model';
  /** One sentence. */
  readonly text: string;
  /** Set for a key whose value is below it. */
  readonly isParent?: boolean;
}

/** Whatever decides what is offered, besides the place. */
export interface ConfigNames {
  /** IDs of the account's models by what they do. */
  readonly models: Readonly<Record<'chat' | 'embedding' | 'rerank', readonly string[]>>;
  /** Names of variables with a value of one row. */
  readonly vars: ReadonlyMap<string, unknown>;
}

const parents: ReadonlySet<string> = new Set(
  'evaluateOptions prompts providers tests defaultTest scenarios assert vars options config metadata desk'.split(' '),
);

type Texts = Readonly<Record<string, () => string>>;

const topKeys: Texts = {
  description: () => l10n.t('Name of the eval.'),
  prompts: () => l10n.t('Prompts to compare, as text with variables or as files.'),
  providers: () => l10n.t('Models to compare. Requests are sent to your account.'),
  tests: () => l10n.t('Rows of the eval, as a list or in a CSV, JSONL, or Parquet file.'),
  defaultTest: () => l10n.t('Assertions, variables, and options for all rows.'),
  scenarios: () => l10n.t('Tests that run once for each set of variables.'),
  evaluateOptions: () => l10n.t('Options of the run.'),
};
const runKeys: Texts = {
  repeat: () => l10n.t('How often each request is sent, from 1 to 20, to see which rows differ between repeats.'),
};
const promptKeys: Texts = {
  label: () => l10n.t('Name shown in the results.'),
  raw: () => l10n.t('Prompt text, or messages as JSON.'),
  config: () => l10n.t('Request parameters for this prompt.'),
};
const providerKeys: Texts = {
  id: () => l10n.t('Model, such as openai:chat:model-id. Only the model ID is used.'),
  label: () => l10n.t('Name shown in the results.'),
  config: () => l10n.t('Request parameters for this model.'),
  prompts: () => l10n.t('Labels of the prompts for this model. Defaults to all.'),
};
const defaultKeys: Texts = {
  vars: () => l10n.t('Values of the variables. A list creates one row per value.'),
  assert: () => l10n.t('Requirements for the response.'),
  threshold: () => l10n.t('Minimum weighted score of a row, from 0 to 1. By default, all assertions must pass.'),
  options: () => l10n.t('Text before and after the prompt, and the grading prompt.'),
};
const testKeys: Texts = {
  ...defaultKeys,
  description: () => l10n.t('Name of the row.'),
  providerOutput: () => l10n.t('Response to grade. If set, no request is sent.'),
  metadata: () => assertKeys['metadata']!(),
};
const goldKeys: Texts = {
  gold: () => l10n.t('Known grade of providerOutput (pass or fail), to measure how well models and people grade.'),
};
const optionKeys: Texts = {
  prefix: () => l10n.t('Text before the prompt.'),
  suffix: () => l10n.t('Text after the prompt.'),
  rubricPrompt: () => l10n.t('Prompt for the grading model, with the variables "output" and "rubric".'),
  disableVarExpansion: () => l10n.t('Controls whether a list in a variable creates rows or stays a list.'),
};
const assertKeys: Texts = {
  type: () => l10n.t('Assertion type. Add the prefix not- to negate the assertion.'),
  value: () => l10n.t('Expected value. Can contain variables.'),
  threshold: () => l10n.t('Threshold for the assertion to pass.'),
  weight: () => l10n.t("Weight of the assertion in the row's score. Defaults to 1. With 0, it can't fail the row."),
  metric: () => l10n.t('Name shown in the results.'),
  rubricPrompt: () => l10n.t('Prompt for the grading model, with the variables "output" and "rubric".'),
  assert: () => l10n.t('Assertions in the assert-set.'),
  config: () => l10n.t('Options for this assertion type.'),
  metadata: () => l10n.t('Additional data. The "desk" property contains Inference Desk options.'),
};
const deskKeys: Texts = {
  embeddings: () => l10n.t('Embedding model for comparing text.'),
  reranker: () => l10n.t('Rerank model that rates the relevance of the response.'),
  as: () => l10n.t('How equals compares: numeric, label, fields, or words.'),
  n: () => l10n.t('Words per sequence for rouge-n. Defaults to 1.'),
};

const typeTexts: Texts = {
  equals: () => l10n.t('The response equals this text or JSON.'),
  contains: () => l10n.t('The response contains this text.'),
  'contains-all': () => l10n.t('The response contains all of these strings.'),
  'contains-any': () => l10n.t('The response contains one of these strings.'),
  icontains: () => l10n.t('The response contains this text, ignoring case.'),
  'icontains-all': () => l10n.t('The response contains all of these strings, ignoring case.'),
  'icontains-any': () => l10n.t('The response contains one of these strings, ignoring case.'),
  'starts-with': () => l10n.t('The response starts with this text.'),
  regex: () => l10n.t('The response matches this regular expression.'),
  'is-json': () => l10n.t('The response is JSON, and matches the schema if any.'),
  'contains-json': () => l10n.t('The response contains JSON that matches the schema, if any.'),
  'is-xml': () => l10n.t('The response is XML.'),
  'contains-xml': () => l10n.t('The response contains XML.'),
  'is-html': () => l10n.t('The response is HTML.'),
  'contains-html': () => l10n.t('The response contains HTML.'),
  levenshtein: () => l10n.t('The response is within this edit distance of the expected text.'),
  'rouge-n': () =>
    l10n.t(
      'Overlap of words with the expected text (ROUGE-1 F1, or longer sequences with n in metadata.desk). Default threshold: 0.75.',
    ),
  'rouge-l': () => l10n.t('Longest common subsequence of words shared with the expected text (ROUGE-L).'),
  bleu: () =>
    l10n.t(
      'Overlap of sequences of up to four words with one or more references (BLEU). Without a common sequence of four words, the score is 0. Default threshold: 0.5.',
    ),
  gleu: () => l10n.t('Like bleu, but for single sentences and short texts (GLEU). Default threshold: 0.5.'),
  meteor: () =>
    l10n.t(
      'Overlap of words and stems with one or more references, in order (METEOR without synonyms). Default threshold: 0.5.',
    ),
  latency: () => l10n.t('The response takes up to this many milliseconds. Not measured in batches.'),
  cost: () => l10n.t('The response costs up to this amount.'),
  'finish-reason': () => l10n.t('The response has this finish reason, such as stop.'),
  'is-refusal': () => l10n.t('The response declines the request.'),
  'word-count': () => l10n.t('The response has this many words, or from min to max.'),
  'is-valid-function-call': () => l10n.t('The response calls a function with arguments that match its schema.'),
  'is-valid-openai-tools-call': () => l10n.t('The response calls tools with arguments that match their schemas.'),
  'tool-call-f1': () => l10n.t('The response calls exactly these tools. For partial matches, set a threshold below 1.'),
  guardrails: () => l10n.t("The service's content filter didn't stop the response."),
  perplexity: () => l10n.t('The perplexity of the response is up to the threshold. Requires logprobs: true.'),
  'perplexity-score': () =>
    l10n.t('1 / (1 + perplexity) of the response is at least the threshold. Requires logprobs: true.'),
  'llm-rubric': () => l10n.t('A model decides whether the response meets this criterion.'),
  'model-graded-closedqa': () => l10n.t('A model decides whether the response meets this criterion.'),
  factuality: () => l10n.t('A model decides whether the response agrees with this reference.'),
  'g-eval': () => l10n.t('A model grades the response by these criteria.'),
  'answer-relevance': () =>
    l10n.t('A chat model, or the reranker in metadata.desk, grades the relevance of the response.'),
  'context-faithfulness': () =>
    l10n.t(
      'Share of statements in the response that the variable context supports, according to a model. Default threshold: 0.5.',
    ),
  'context-recall': () =>
    l10n.t(
      'Share of statements in the expected text that the variable context supports, according to a model. Default threshold: 0.5.',
    ),
  'context-relevance': () =>
    l10n.t(
      'Share of sentences in the variable context that the question requires, according to a model. Default threshold: 0.5.',
    ),
  'conversation-relevance': () =>
    l10n.t('A model decides whether the response is relevant to the conversation in the prompt.'),
  'select-best': () => l10n.t('A model compares the responses of two variants, in both orders.'),
  'max-score': () =>
    l10n.t(
      'The response has the highest score of all variants, by the other assertions of its row. Options in the value: method (average or sum), weights by type, and threshold.',
    ),
  similar: () =>
    l10n.t('The response is semantically similar to this text, based on embeddings. Default threshold: 0.75.'),
  'assert-set': () => l10n.t('Group of assertions graded as a single assertion.'),
};

/** Returns what can be written at the cursor, the most usual first. */
export function configOffers(
  { path, kind, isItem }: ConfigCursor,
  { models, vars }: ConfigNames,
): readonly ConfigOffer[] {
  if (kind === 'place') return Array.from(vars, ([name, value]) => ({ name, kind: 'value', text: shown(value) }));
  const values = kind === 'value' || isItem ? valuesAt(path, models) : [];
  return kind === 'value' ? values : [...values, ...keysAt(path)];
}

/** Says what a word of an eval file is for: a key, a type of assertion, or a variable. */
export function configHover(
  cursor: ConfigCursor,
  word: string,
  names: ConfigNames,
): { readonly text: string; readonly span: Span } | undefined {
  const { kind, path, span } = cursor;
  if (kind === 'value' && !isType(path)) return undefined;
  const type = readType(word).type;
  const text =
    isType(path) && kind === 'value'
      ? typeText(type)
      : configOffers({ ...cursor, isItem: false }, names).find(({ name }) => name === word)?.text;
  return text === undefined ? undefined : { text, span };
}

const isType = (path: readonly string[]) => path.at(-1) === 'type' && path.at(-2) === 'assert';

function typeText(type: string): string | undefined {
  const base = type.replace(/^similar:.*/, 'similar');
  return Object.hasOwn(typeTexts, base) ? typeTexts[base]!() : undefined;
}

function shown(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 200);
}

function keysAt(path: readonly string[]): readonly ConfigOffer[] {
  const texts = textsAt(path);
  if (texts === undefined) return [];
  return Object.entries(texts).map(([name, text]) => {
    const isParent = parents.has(name) && !(name === 'tests' && path.length > 0);
    return { name, kind: 'key', text: text(), ...(isParent && { isParent }) };
  });
}

function textsAt(path: readonly string[]): Texts | undefined {
  const [last, before] = [path.at(-1), path.at(-2)];
  switch (last) {
    case undefined:
      return topKeys;
    case 'prompts':
      return before === undefined ? promptKeys : undefined;
    case 'providers':
    case 'targets':
      return providerKeys;
    case 'tests':
      return testKeys;
    case 'defaultTest':
      return defaultKeys;
    case 'scenarios':
      return { config: defaultKeys['vars']!, tests: topKeys['tests']! };
    case 'assert':
      return assertKeys;
    case 'options':
      return optionKeys;
    case 'evaluateOptions':
    case 'commandLineOptions':
      return runKeys;
    case 'metadata':
      return before === 'assert' || before === 'tests' ? { desk: assertKeys['metadata']! } : undefined;
    case 'desk':
      return path.at(-3) === 'tests' ? goldKeys : deskKeys;
    case 'config': {
      const isOfRequest = before === 'providers' || before === 'targets' || before === 'prompts';
      const text = () => l10n.t('Request parameter.');
      return isOfRequest ? Object.fromEntries(Array.from(parameterNames, (name) => [name, text])) : undefined;
    }
    default:
      return undefined;
  }
}

function valuesAt(path: readonly string[], models: ConfigNames['models']): readonly ConfigOffer[] {
  const [last, before] = [path.at(-1), path.at(-2)];
  const modelsOf = (ids: readonly string[], prefix = ''): readonly ConfigOffer[] =>
    ids.map((id) => ({ name: `${prefix}${id}`, kind: 'model', text: '' }));
  if (isType(path)) return Object.entries(typeTexts).map(([name, text]) => ({ name, kind: 'type', text: text() }));
  const isProvider =
    last === 'providers' || last === 'targets' || (last === 'id' && (before === 'providers' || before === 'targets'));
  if (isProvider) return modelsOf(models.chat, 'openai:chat:');
  if (before !== 'desk') return [];
  return last === 'reranker' ? modelsOf(models.rerank) : last === 'embeddings' ? modelsOf(models.embedding) : [];
}

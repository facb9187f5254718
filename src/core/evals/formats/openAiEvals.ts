import * as l10n from '@vscode/l10n';
import type { AssertionClass, EvalAssertion, EvalConfig, EvalProblem, EvalRow } from '../evalConfig';
import { numberOf, readTree, textOf, valueOf } from './configTree';
import type { ConfigNode } from './configTree';
import { parametersOf } from './providers';

/** Whether a JSON file is the definition of an OpenAI eval, or a run of one. */
export function isOpenAiEval(text: string): boolean {
  return /"(?:testing_criteria|data_source)"\s*:/.test(text.slice(0, 200_000));
}

interface Criterion {
  readonly type: string;
  readonly class: AssertionClass;
  readonly value?: unknown;
  readonly isNegated?: boolean;
  readonly threshold?: number;
  readonly config?: Readonly<Record<string, unknown>>;
}

const comparisons: Readonly<Record<string, { readonly type: string; readonly isNegated?: boolean }>> = {
  eq: { type: 'equals' },
  ne: { type: 'equals', isNegated: true },
  like: { type: 'contains' },
  ilike: { type: 'icontains' },
};
/** Similarities that are computed here, by the names of the API. */
const similarities: Readonly<Record<string, string>> = {
  fuzzy_match: 'similarity',
  rouge_l: 'rouge-l',
  bleu: 'bleu',
  gleu: 'gleu',
  meteor: 'meteor',
};

/**
 * Reads the definition of an OpenAI eval, or a run with its rows. Graders become assertions; Python graders are marked and never run.
 * The definition has no prompt and no model, so those are given apart.
 */
export function readOpenAiEval(text: string): EvalConfig {
  const { root, problems: found } = readTree(text);
  const problems: EvalProblem[] = found.map(({ message, span, isError }) => ({
    kind: isError ? 'error' : 'warning',
    path: '',
    span,
    message,
  }));
  const get = (...names: readonly string[]) =>
    names.reduce<ConfigNode | undefined>((node, name) => node?.entries?.get(name), root);
  const criteria = get('testing_criteria')?.items ?? [];
  const assertions = criteria.map((node) => criterion(node, problems));
  const source = get('data_source');
  const rows = (get('data_source', 'source', 'content')?.items ?? []).map((node): EvalRow => rowOf(node, assertions));
  const model = textOf(source?.entries?.get('model'));
  const input = get('data_source', 'input_messages');
  const reference = textOf(input?.entries?.get('item_reference'));
  const template = input?.entries?.get('template')?.items?.map((message) => ({
    role: textOf(message.entries?.get('role')) ?? 'user',
    content: contentOf(message.entries?.get('content')),
  }));
  const sampling = get('data_source', 'sampling_params');
  // The API has this name for it only here.
  const most = numberOf(sampling?.entries?.get('max_completions_tokens'));
  // Messages in a row are written as JSON, which is read as messages.
  const prompt = template ? JSON.stringify(template) : reference === undefined ? undefined : `{{${reference}}}`;
  const description = textOf(get('name'));
  return {
    ...(description !== undefined && { description }),
    prompts: prompt === undefined ? [] : [{ label: l10n.t('Template'), text: prompt, canRun: true }],
    providers:
      model === undefined
        ? []
        : [
            {
              label: model,
              kind: 'service',
              model,
              parameters: { ...parametersOf(sampling), ...(most !== undefined && { max_completion_tokens: most }) },
            },
          ],
    rows: rows.length > 0 || assertions.length === 0 ? rows : [{ vars: new Map(), assertions }],
    problems,
  };
}

function rowOf(node: ConfigNode, assertions: readonly EvalAssertion[]): EvalRow {
  const item = node.entries?.get('item') ?? node;
  const value = valueOf(item);
  const output = textOf(node.entries?.get('sample')?.entries?.get('output_text'));
  return {
    ...(output !== undefined && { output }),
    vars: new Map([...Array.from(item.entries ?? [], ([name, one]) => [name, valueOf(one)] as const), ['item', value]]),
    assertions,
  };
}

/** Text of a message: a string, or parts with text. */
function contentOf(node: ConfigNode | undefined): string {
  if (node?.items) return node.items.map(contentOf).join('\n');
  return textOf(node) ?? textOf(node?.entries?.get('text')) ?? '';
}

function criterion(node: ConfigNode, problems: EvalProblem[]): EvalAssertion {
  const get = (name: string) => node.entries?.get(name);
  const type = textOf(get('type')) ?? '';
  const note = (kind: EvalProblem['kind'], message: string, mark?: string) =>
    problems.push({ kind, path: node.path, span: node.span, message, ...(mark !== undefined && { mark }) });
  const metric = textOf(get('name'));
  const input = textOf(get('input'));
  const threshold = numberOf(get('pass_threshold'));
  const base = {
    isNegated: false,
    weight: 1,
    isBlocked: false,
    members: (get('graders')?.items ?? []).map((member) => criterion(member, problems)),
    ...(metric !== undefined && { metric }),
    ...(threshold !== undefined && { threshold }),
    ...(input !== undefined && !/^\{\{\s*sample\.output_text\s*\}\}$/.test(input) && { input }),
  };
  const reading = criterionOf(type, get, node);
  if (type === 'python') note('code', l10n.t('Inference Desk never runs code from an eval file.'), 'grader-python');
  else if (reading.class === 'other' || reading.class === 'unknown')
    note('information', l10n.t('Inference Desk doesn\'t support "{0}", so its scores are missing.', reading.type));
  return { value: undefined, ...base, ...reading, isBlocked: type === 'python' };
}

function criterionOf(type: string, get: (name: string) => ConfigNode | undefined, node: ConfigNode): Criterion {
  const reference = textOf(get('reference'));
  switch (type) {
    case 'string_check': {
      const operation = textOf(get('operation')) ?? '';
      const comparison = Object.hasOwn(comparisons, operation) ? comparisons[operation] : undefined;
      return comparison ? { class: 'local', value: reference, ...comparison } : { type: operation, class: 'unknown' };
    }
    case 'text_similarity': {
      const metric = textOf(get('evaluation_metric')) ?? '';
      if (metric === 'cosine') return { type: 'similar:cosine', class: 'service', value: reference };
      const grams = /^rouge_([1-5])$/.exec(metric)?.[1];
      if (grams !== undefined)
        return { type: 'rouge-n', class: 'local', value: reference, config: { n: Number(grams) } };
      const own = Object.hasOwn(similarities, metric) ? similarities[metric] : undefined;
      if (own === undefined) return { type: metric, class: 'other' };
      return { type: own, class: 'local', value: reference };
    }
    case 'label_model':
    case 'score_model':
      return { type, class: 'service', value: valueOf(node) };
    case 'multi':
      return { type: 'assert-set', class: 'set' };
    case 'python':
      return { type, class: 'code' };
    default:
      return { type, class: 'unknown' };
  }
}

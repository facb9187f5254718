import * as l10n from '@vscode/l10n';
import { fenced, quoted } from './markdown';
import { shown } from '../words/shown';

/** One of the answers to a line, as far as it has arrived. */
export interface TrialChoice {
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  /** Why it ended, in the service's own word. */
  readonly finish: string | undefined;
}

/** The received response of a tested line. */
export interface TrialAnswer {
  readonly choices: readonly TrialChoice[];
  readonly usage: { readonly [Count in 'input_tokens' | 'output_tokens' | 'reasoning_tokens']?: number };
  /** The time since the request was sent; `undefined` until something arrives. */
  readonly firstTokenMs: number | undefined;
}

/** The content of the document for a tried line. */
export interface TrialState {
  readonly customId: string | undefined;
  readonly model: string;
  /** The file's name, and the line from 1. */
  readonly place: { readonly file: string; readonly line: number };
  readonly answer: TrialAnswer;
  readonly end: TrialEnd | undefined;
}

export interface TrialEnd {
  readonly kind: 'done' | 'stopped' | 'failed';
  readonly totalMs: number;
  /** Its charge, if it is known, e.g. "$0.03". */
  readonly charged?: string | undefined;
  /** Why it failed, for the user. */
  readonly error?: { readonly title: string; readonly detail: string };
}

/** Formats a tried line and its answer as Markdown. `format` formats numbers. */
export function trialText(state: TrialState, format: (value: number) => string): string {
  const { customId, model, place, answer, end } = state;
  const head = [
    `# ${customId === undefined ? trialWords.line(place.line) : shown(customId)}`,
    `${model} · ${trialWords.place(place.file, place.line)}`,
  ];
  const many = answer.choices.length > 1;
  const body = answer.choices.flatMap((choice, index) => choiceParts(choice, many ? index + 1 : undefined));
  const error = end?.error ? [`## ${end.error.title}`, end.error.detail] : [];
  return `${[...head, ...body, ...error, '---', footer(state, format)].join('\n\n')}\n`;
}

function choiceParts({ reasoning, text, calls }: TrialChoice, number: number | undefined): readonly string[] {
  const parts: string[] = [];
  if (reasoning !== '') parts.push(`## ${trialWords.reasoning(number)}`, quoted(reasoning));
  if (text !== '' || (calls.length === 0 && reasoning === '')) parts.push(`## ${trialWords.answer(number)}`, text);
  for (const call of calls) parts.push(`## ${trialWords.call(shown(call.name))}`, fenced(indented(call.arguments)));
  return parts;
}

function footer({ answer, end }: TrialState, format: (value: number) => string): string {
  if (!end) return trialWords.answering();
  const { usage, firstTokenMs, choices } = answer;
  const seconds = (ms: number) => format(Math.round(ms / 100) / 10);
  const finishes = [...new Set(choices.flatMap(({ finish }) => finish ?? []))];
  const facts = [
    end.kind === 'stopped'
      ? trialWords.stopped()
      : end.kind === 'failed'
        ? trialWords.failed(choices.length > 0)
        : undefined,
    finishes.length > 0 ? trialWords.finish(finishes.join(', ')) : undefined,
    usage.input_tokens === undefined ? undefined : trialWords.tokensIn(format(usage.input_tokens)),
    usage.output_tokens === undefined ? undefined : trialWords.tokensOut(format(usage.output_tokens)),
    usage.reasoning_tokens ? trialWords.reasoningTokens(format(usage.reasoning_tokens)) : undefined,
    firstTokenMs === undefined ? undefined : trialWords.firstToken(seconds(firstTokenMs)),
    trialWords.seconds(seconds(end.totalMs)),
    end.charged === undefined ? undefined : trialWords.charged(end.charged),
  ];
  return facts.filter((fact) => fact !== undefined).join(' · ');
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
}

const trialWords = {
  line: (line: number) => l10n.t('Line {0}', line),
  place: (file: string, line: number) => l10n.t('{0}, line {1}', file, line),
  /** The number is only passed if there are several answers. */
  answer: (number: number | undefined) => (number === undefined ? l10n.t('Response') : l10n.t('Response {0}', number)),
  reasoning: (number: number | undefined) =>
    number === undefined ? l10n.t('Reasoning') : l10n.t('Reasoning {0}', number),
  call: (name: string) => l10n.t('Tool call: {0}', name),
  answering: () => l10n.t('Generating…'),
  stopped: () => l10n.t('Stopped'),
  failed: (isBegun: boolean) => (isBegun ? l10n.t('Incomplete response') : l10n.t('No response')),
  finish: (reason: string) => l10n.t('finish reason: {0}', reason),
  tokensIn: (count: string) => l10n.t('{0} tokens in', count),
  tokensOut: (count: string) => l10n.t('{0} tokens out', count),
  reasoningTokens: (count: string) => l10n.t('{0} of them for reasoning', count),
  firstToken: (seconds: string) => l10n.t('first token after {0} s', seconds),
  seconds: (seconds: string) => l10n.t('{0} s', seconds),
  charged: (amount: string) => l10n.t('{0} charged', amount),
};

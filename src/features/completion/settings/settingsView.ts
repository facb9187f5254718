import { completionParameterNames, toCompletionRequest } from '../../../core/completion/completionParameters';
import type { CompletionParameters, RefusableName } from '../../../core/completion/completionParameters';
import { formOfParameters, formOfText } from '../../../core/completion/parameterForm';
import { parameterText, readParameterText } from '../../../core/completion/parameterText';
import type { TextFault, TextIssue } from '../../../core/completion/parameterText';
import { completionWarnings } from '../../../core/completion/parameterWarnings';
import type { CompletionWarning } from '../../../core/completion/parameterWarnings';
import { acceptedAt, numberField, numbersAt } from '../../../core/parameters/parameterTable';
import type { BiasIssue, CompletionNumber, CompletionTarget, CompletionView } from '../../../protocol/completion';
import type { CompletionSettings } from './completionSettings';

/** Localized text for what the page shows. */
export interface ViewWords {
  readonly fault: (fault: TextFault) => string;
  /** For a value that is not sent because of this fault. */
  readonly unsent: (fault: TextFault) => string;
  /** Both from 1. */
  readonly where: (line: number, column: number) => string;
  readonly warning: (warning: CompletionWarning) => string;
  readonly hints: (parameters: CompletionParameters) => CompletionView['hints'];
  readonly notTaken: (model: string) => string;
  readonly unlisted: () => string;
  /** Replaces the omitted middle of a prompt. */
  readonly leftOut: (characters: number) => string;
  readonly promptHere: () => string;
  readonly modelHere: () => string;
}

/** The text that would be completed. */
export interface SettingsTarget extends CompletionTarget {
  readonly prompt: string | undefined;
}

export interface ViewParts {
  readonly settings: CompletionSettings;
  readonly defaultModel: () => Promise<string | undefined>;
  /** Whether the service lists a model; `undefined` while its list is not known. */
  readonly isListed: (model: string) => boolean | undefined;
  /** Whether streamed responses of a model are requested with their token counts. */
  readonly asksUsage: (model: string) => boolean;
  readonly target: SettingsTarget;
  readonly words: ViewWords;
}

/** Returns the current state of the whole page. */
export async function viewSettings({
  settings,
  defaultModel,
  isListed,
  asksUsage,
  target,
  words,
}: ViewParts): Promise<CompletionView> {
  const [setup, presets, automatic = ''] = await Promise.all([settings.get(), settings.presets(), defaultModel()]);
  const { parameters, model = '', text = parameterText(parameters) } = setup;
  const refused = await settings.notTaken(model || automatic);
  const { issues, root } = readParameterText(text);
  const sent = toCompletionRequest({ model: '', prompt: '', parameters, refused });
  const { prompt, name, obstacles } = target;
  return {
    model,
    automatic,
    ...(model !== '' && isListed(model) === false && { modelWarning: words.unlisted() }),
    text,
    form: formOfText(text) ?? formOfParameters(parameters),
    numbers,
    isBroken: root === undefined,
    textIssues: issues.map((issue) => ({
      text: words.fault(issue.fault),
      where: words.where(...placeIn(text, issue.offset)),
      offset: issue.offset,
      length: issue.length,
    })),
    ...issueWords(issues, words),
    warnings: Object.fromEntries(
      completionWarnings(sent as CompletionParameters).map((warning) => [warning.name, words.warning(warning)]),
    ),
    hints: words.hints(parameters),
    notTaken: Object.fromEntries(refused.map((refusal) => [refusal, words.notTaken(model || automatic)])),
    count: completionParameterNames.filter((one) => sent[one] !== undefined).length,
    presets,
    target: { name, obstacles },
    preview: previewOf(
      { model: model || automatic, prompt, parameters, refused, asksUsage: asksUsage(model || automatic) },
      words,
    ),
  };
}

const numbers: readonly CompletionNumber[] = numbersAt('completions').map((name) => {
  const { group, control } = numberField(name);
  const { min, max } = acceptedAt('completions', name);
  return { name, group, control, min, max };
});

function issueWords(issues: readonly TextIssue[], words: ViewWords) {
  const rowsOf = (list: TextIssue['name']) =>
    issues.flatMap(({ name, row, fault }) => (name === list && row !== undefined ? [{ row, fault }] : []));
  return {
    issues: Object.fromEntries(
      issues.flatMap(({ name, row, fault }) => (name && row === undefined ? [[name, words.unsent(fault)]] : [])),
    ),
    stopIssues: Object.fromEntries(rowsOf('stop').map(({ row, fault }) => [row, words.unsent(fault)])),
    biasIssues: Object.fromEntries(
      rowsOf('logit_bias').map(({ row, fault }) => [row, { text: words.unsent(fault), box: boxOf(fault) }]),
    ),
  };
}

function boxOf(fault: TextFault): BiasIssue['box'] {
  const isOfToken = fault.kind === 'twice' || (fault.kind === 'parameter' && fault.issue.rule === 'pattern');
  return isOfToken ? 'token' : 'bias';
}

interface Preview {
  readonly model: string;
  readonly prompt: string | undefined;
  readonly parameters: CompletionParameters;
  readonly refused: readonly RefusableName[];
  readonly asksUsage: boolean;
}

function previewOf({ model, prompt, asksUsage, ...terms }: Preview, words: ViewWords): string {
  const shown = prompt === undefined ? words.promptHere() : shortPrompt(prompt, words);
  const request = toCompletionRequest({ model: model || words.modelHere(), prompt: shown, ...terms });
  const options = asksUsage ? { stream_options: { include_usage: true } } : {};
  return JSON.stringify({ ...request, ...options, stream: true }, undefined, 2);
}

/** Characters shown of the start and the end of a prompt. */
const shownChars = { start: 80, end: 200 } as const;

function shortPrompt(prompt: string, words: ViewWords): string {
  const left = prompt.length - shownChars.start - shownChars.end;
  if (left <= 0) return prompt;
  return prompt.slice(0, shownChars.start) + words.leftOut(left) + prompt.slice(-shownChars.end);
}

/** Line and column, from 1. */
function placeIn(text: string, offset: number): [number, number] {
  const before = text.slice(0, offset).split('\n');
  return [before.length, (before.at(-1)?.length ?? 0) + 1];
}

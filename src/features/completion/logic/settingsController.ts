import * as l10n from '@vscode/l10n';
import {
  type CompletionParameters,
  type RefusableName,
  biasBounds,
  completionParameterNames,
  refusableNames,
  toCompletionRequest,
} from '../../../core/completion/completionParameters';
import { formOfParameters, formOfText, writeForm } from '../../../core/completion/parameterForm';
import {
  type Elsewhere,
  type TextFault,
  type TextIssue,
  parameterText,
  readParameterText,
} from '../../../core/completion/parameterText';
import { type CompletionWarning, completionWarnings } from '../../../core/completion/parameterWarnings';
import { acceptedAt, numberField, numbersAt } from '../../../core/parameters/parameterTable';
import type { OwnBounds } from '../../../core/api/bounds';
import type { Handlers } from '../../../protocol/call';
import type {
  BiasIssue,
  CompletionModel,
  CompletionNumber,
  CompletionScreen,
  CompletionTarget,
  CompletionView,
  CompletionWay,
  CompletionWords,
} from '../../../protocol/completion';
import { numberText } from '../../../platform/displayText';
import { completionBounds } from '../../../core/api/completions/completions.bounds';
import type { CompletionRequest } from '../../../core/api/completions/completions.schema';
import { jsonSyntaxWords } from '../../../platform/errors/jsonSyntaxMessages';
import { parameterWords } from '../../../platform/errors/parameterMessages';
import { sentences } from '../../../protocol/sentences';
import type { CompletionSettings } from './completionSettings';
import type { CompletionSetup } from './settingsFile';

/** The text that would be completed. */
export interface SettingsTarget extends CompletionTarget {
  readonly prompt: string | undefined;
  /** Those of further selections. */
  readonly morePrompts?: readonly string[];
}

/** The editor next to the page, and the service's models. */
export interface CompletionEditor {
  /** Returns the text that a model with these parameters, which limit the text before a cursor, would complete. */
  target(model: string | undefined, parameters: CompletionParameters): SettingsTarget;
  /** The bounds of the active account's service. */
  own(): OwnBounds;
  models(): Promise<readonly CompletionModel[]>;
  /** Whether the service lists a model; `undefined` while its list is not known. */
  isListed(model: string): boolean | undefined;
  /** Whether streamed responses of a model are requested with their token counts. */
  asksUsage(model: string): boolean;
  /** Resolves to the price of requests as text, or `undefined` if the service has no prices. */
  price(requests: readonly CompletionRequest[]): Promise<string | undefined>;
  /** Starts a completion of the last used text; its progress is shown there. */
  run(way: CompletionWay): Promise<void>;
  act(id: string): Promise<unknown>;
}

/** The host's side of the page for completion parameters. */
export class SettingsController {
  readonly handlers: Handlers<CompletionScreen> = {
    'completion/ready': () => this.view(),
    'completion/models': async () => ({ models: await this.editor.models() }),
    'completion/setForm': ({ form }) =>
      this.change((setup) => withText(setup, writeForm(textOf(setup), form), this.editor.own())),
    'completion/setText': ({ text }) => this.change((setup) => withText(setup, text, this.editor.own())),
    'completion/dropText': () => this.change(({ text: _text, ...setup }) => setup),
    'completion/setModel': ({ model: id }) =>
      this.change(({ model: _model, ...setup }) => (id.trim() === '' ? setup : { ...setup, model: id.trim() })),
    'completion/savePreset': async ({ name }) => {
      const { parameters } = await this.settings.get();
      return this.after(this.settings.savePreset(name.trim(), parameters));
    },
    'completion/applyPreset': async ({ id }) => {
      const parameters = await this.settings.preset(id);
      return this.change(({ text: _text, ...setup }) => ({ ...setup, parameters }));
    },
    'completion/renamePreset': ({ id, name }) => this.after(this.settings.renamePreset(id, name.trim())),
    'completion/deletePreset': ({ id }) => this.after(this.settings.deletePreset(id)),
    'completion/sendAgain': async ({ name }) => {
      const about = await this.settings.model();
      const known = refusableNames.find((one) => one === name);
      return about === undefined || !known ? this.view() : this.after(this.settings.allowed(about, known));
    },
    'completion/run': async ({ way }) => {
      await this.editor.run(way);
      return {};
    },
    'completion/act': async ({ id }) => {
      await this.editor.act(id);
      return {};
    },
  };

  constructor(
    private readonly settings: CompletionSettings,
    private readonly editor: CompletionEditor,
    /** The display language, as in `vscode.env.language`. */
    private readonly language: string,
  ) {}

  /** Returns the current state of the whole page. */
  async view(): Promise<CompletionView> {
    const { settings, language, editor } = this;
    const [setup, presets, automatic = ''] = await Promise.all([
      settings.get(),
      settings.presets(),
      settings.defaultModel(),
    ]);
    const { parameters, model = '', text = parameterText(parameters) } = setup;
    const modelId = model || automatic;
    const refused = await settings.notTaken(modelId);
    const own = editor.own();
    const { issues, root } = readParameterText(text, own);
    const sent = toCompletionRequest({ model: '', prompt: '', parameters, refused });
    const { prompt, morePrompts = [], name, obstacles } = editor.target(modelId || undefined, parameters);
    const prompts = prompt === undefined || modelId === '' ? [] : [prompt, ...morePrompts];
    const requests = prompts.map((one) => toCompletionRequest({ model: modelId, prompt: one, parameters, refused }));
    const price = requests.length === 0 ? undefined : await editor.price(requests);
    return {
      model,
      automatic,
      ...(model !== '' &&
        editor.isListed(model) === false && {
          modelWarning: l10n.t('Not listed by the service, but you can use it.'),
        }),
      text,
      form: formOfText(text) ?? formOfParameters(parameters),
      numbers: numbersOf(own),
      isBroken: root === undefined,
      textIssues: issues.map((issue) => ({
        text: faultText(issue.fault, language),
        where: whereText(...placeIn(text, issue.offset), language),
        offset: issue.offset,
        length: issue.length,
      })),
      ...issueWords(issues, language),
      warnings: Object.fromEntries(
        completionWarnings(sent as CompletionParameters).map((warning) => [
          warning.name,
          warningText(warning, language),
        ]),
      ),
      hints: hintTexts(parameters, own, language),
      notTaken: Object.fromEntries(refused.map((refusal) => [refusal, notTakenText(modelId)])),
      count: completionParameterNames.filter((one) => sent[one] !== undefined).length,
      presets,
      target: { name, obstacles, ...(price !== undefined && { price }) },
      preview: previewOf(
        { model: modelId, prompt, parameters, refused, asksUsage: editor.asksUsage(modelId) },
        language,
      ),
    };
  }

  private async change(change: (setup: CompletionSetup) => CompletionSetup): Promise<CompletionView> {
    return this.after(this.settings.set(change(await this.settings.get())));
  }

  private async after(work: Promise<unknown>): Promise<CompletionView> {
    await work;
    return this.view();
  }
}

function textOf({ text, parameters }: CompletionSetup): string {
  return text ?? parameterText(parameters);
}

/** Saves the text as it is; while it cannot be parsed, the previous parameters stay in effect. */
function withText({ text: _text, ...setup }: CompletionSetup, text: string, own: OwnBounds): CompletionSetup {
  const { parameters, root } = readParameterText(text, own);
  if (!root) return { ...setup, text };
  return text === parameterText(parameters) ? { ...setup, parameters } : { ...setup, parameters, text };
}

function numbersOf(own: OwnBounds): readonly CompletionNumber[] {
  return numbersAt('completions').map((name) => {
    const { group, control } = numberField(name);
    const { min, max } = acceptedAt('completions', name, own);
    return { name, group, control, min, max };
  });
}

function issueWords(issues: readonly TextIssue[], language: string) {
  const rowsOf = (list: TextIssue['name']) =>
    issues.flatMap(({ name, row, fault }) => (name === list && row !== undefined ? [{ row, fault }] : []));
  return {
    issues: Object.fromEntries(
      issues.flatMap(({ name, row, fault }) =>
        name && row === undefined ? [[name, unsentText(fault, language)]] : [],
      ),
    ),
    stopIssues: Object.fromEntries(rowsOf('stop').map(({ row, fault }) => [row, unsentText(fault, language)])),
    biasIssues: Object.fromEntries(
      rowsOf('logit_bias').map(({ row, fault }) => [row, { text: unsentText(fault, language), box: boxOf(fault) }]),
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

function previewOf({ model, prompt, asksUsage, ...terms }: Preview, language: string): string {
  const shown =
    prompt === undefined ? l10n.t('<selected text, or text before the cursor>') : shortPrompt(prompt, language);
  const request = toCompletionRequest({ model: model || l10n.t('<no model selected>'), prompt: shown, ...terms });
  const options = asksUsage ? { stream_options: { include_usage: true } } : {};
  return JSON.stringify({ ...request, ...options, stream: true }, undefined, 2);
}

/** Characters shown of the start and the end of a prompt. */
const shownChars = { start: 80, end: 200 } as const;

function shortPrompt(prompt: string, language: string): string {
  const left = prompt.length - shownChars.start - shownChars.end;
  if (left <= 0) return prompt;
  const omitted = l10n.t(' … {0} more characters … ', numberText(left, language));
  return prompt.slice(0, shownChars.start) + omitted + prompt.slice(-shownChars.end);
}

/** Line and column, from 1. */
function placeIn(text: string, offset: number): [number, number] {
  const before = text.slice(0, offset).split('\n');
  return [before.length, (before.at(-1)?.length ?? 0) + 1];
}

/** Describes a value that is not sent because of this fault. */
function unsentText(fault: TextFault, language: string): string {
  return sentences(faultText(fault, language), l10n.t("This value isn't sent."));
}

/** Both from 1. */
function whereText(line: number, column: number, language: string): string {
  return l10n.t('Line {0}, column {1}', numberText(line, language), numberText(column, language));
}

/** Says that a model does not support a parameter. */
function notTakenText(model: string): string {
  return l10n.t(
    "{0} doesn't support this parameter, so it isn't sent.",
    model.slice(model.lastIndexOf('/') + 1) || model,
  );
}

function faultText(fault: TextFault, language: string): string {
  switch (fault.kind) {
    case 'syntax':
      return jsonSyntaxWords(fault.what);
    case 'notObject':
      return l10n.t('Enter a JSON object, such as {0}.', '{}');
    case 'unknownName':
      return l10n.t('Unknown parameter "{0}" won\'t be sent.', fault.name);
    case 'elsewhere':
      return elsewhereText(fault.name);
    case 'twice':
      return l10n.t('{0} is specified twice. The first value is used.', fault.name);
    case 'notNumber':
      return l10n.t('Enter a number, such as 0.7.');
    case 'quoted':
      return l10n.t('Remove the quotes around this number.');
    case 'noBias':
      return l10n.t('Enter a bias from {0} to {1}.', minus(biasBounds.min), biasBounds.max);
    case 'parameter':
      return fault.issue.rule === 'pattern'
        ? l10n.t('Enter a token ID, such as 50256.')
        : parameterWords(fault.issue, language);
  }
}

function elsewhereText(name: Elsewhere): string {
  switch (name) {
    case 'model':
      return l10n.t('Not sent. Select the model above.');
    case 'prompt':
      return l10n.t('Not sent. The prompt is the text to complete.');
    case 'suffix':
      return l10n.t('Not sent. The suffix is the text after the cursor.');
    case 'stream':
    case 'stream_options':
      return l10n.t('Not sent. Responses are always streamed.');
  }
}

function warningText(warning: CompletionWarning, language: string): string {
  switch (warning.kind) {
    case 'usuallyMost':
      return l10n.t('Most services allow up to {0}.', numberText(warning.most, language));
    case 'usuallyAbove':
      return l10n.t('Most services require more than {0}.', numberText(warning.least, language));
    case 'allAlike':
      return l10n.t('The model always picks the most likely token.');
  }
}

function hintTexts({ n = 1, max_tokens }: CompletionParameters, own: OwnBounds, language: string): CompletionWords {
  const most = completionBounds.n?.max ?? 1;
  const cost =
    max_tokens === undefined
      ? l10n.t("You're charged for each of the {0} completions.", numberText(n, language))
      : l10n.t(
          "You're charged for each of the {0} completions, up to {1} tokens in total.",
          numberText(n, language),
          numberText(n * max_tokens, language),
        );
  return {
    ...rangeTexts(own, language),
    max_tokens: l10n.t('per completion, 1 or more'),
    top_k: l10n.t('whole number, 0 or more'),
    n: n > 1 ? cost : l10n.t('1 to {0} completions', numberText(most, language)),
    seed: l10n.t('whole number, or empty for random'),
    repetition_penalty: l10n.t('1 has no effect. Higher values reduce repetition.'),
  };
}

/** The ranges of the numbers that have one. */
function rangeTexts(own: OwnBounds, language: string): CompletionWords {
  const ranges = numbersAt('completions').flatMap((name) => {
    const { min, max } = acceptedAt('completions', name, own);
    return min === undefined || max === undefined
      ? []
      : [[name, l10n.t('{0} to {1}', minus(min), numberText(max, language))] as const];
  });
  return Object.fromEntries(ranges);
}

/** Uses the minus sign, which is as wide as a plus. */
function minus(number: number): string {
  return String(number).replace('-', '−');
}

import * as l10n from '@vscode/l10n';
import { numberText } from '../../../platform/displayText';
import { parameterWords } from '../../../platform/errors/parameterMessages';
import { sentences } from '../../../protocol/sentences';
import { randomUUID } from 'node:crypto';
import { defaultMaxTokens } from '../../../core/api/messages/messages.bounds';
import { type OwnBounds, boundIssues, warningsOf, withOwn } from '../../../core/api/bounds';
import type { ParameterIssue, ParameterWarning } from '../../../core/api/parameters';
import {
  type ChatParameters,
  type ParameterName,
  chatBounds,
  countSet,
  parameterNames,
  readChatParameters,
} from '../../../core/conversation/chatParameters';
import { acceptedAt, numbersAt } from '../../../core/parameters/parameterTable';
import type { JsonFile } from '../../../core/storage/storedFile';
import {
  type ParameterMemory,
  type ParameterMemoryFile,
  createParameterMemory,
  readParameterMemory,
} from '../../../services/parameters/parameterMemory';
import type { HandlersOf } from '../../../protocol/call';
import type { FieldWords, ParameterForm, ParametersState, parameterCalls } from '../../../protocol/chatParameters';
import { escaped, typedNumber, unescaped } from '../../../core/parameters/typedValue';

/** The file with presets and rejected parameters, stored next to the conversations. */
export type ParameterFile = ParameterMemoryFile<ChatParameters, ParameterName>;

/** Returns `undefined` if the content is not valid. */
export function readParameterFile(raw: unknown): ParameterFile | undefined {
  return readParameterMemory(raw, { read: readChatParameters, names: parameterNames });
}

/** The account data for parameters. */
export interface ParameterAccount {
  readonly profileId: () => string;
  /** The bounds of its service. */
  readonly bounds: () => OwnBounds;
  /** Fields that the model doesn't support, or the service doesn't pass on. */
  readonly hidden: (model: string) => readonly Hideable[];
  /** Whether tool calls might work, according to a list, a check, or the user. */
  readonly takesTools: (model: string) => boolean;
  /** Sends tools to the model from now on, regardless of a list or a check. */
  readonly allowTools: (model: string) => Promise<void>;
}

/** Presets, and the parameters that models were seen to refuse; shared by all conversations. */
export interface ParameterService extends Omit<ParameterMemory<ChatParameters, ParameterName>, 'presets'> {
  /** Includes what is not offered for the model. */
  notTaken(model: string): Promise<readonly ParameterName[]>;
  describe(
    parameters: ChatParameters,
    model: string | undefined,
    issues?: readonly FieldIssue[],
  ): Promise<ParametersState>;
}

/**
 * `file` is not a setting, because a preset may contain a long system prompt, which belongs neither in a settings file that is
 * synchronized nor in one a workspace can write.
 */
export function createParameterService(
  file: JsonFile<ParameterFile>,
  { profileId, bounds, hidden, takesTools, allowTools }: ParameterAccount,
  language: string,
): ParameterService {
  const memory = createParameterMemory({ file, profileId, newId: randomUUID });
  const refusedBy = async (model: string): Promise<readonly ParameterName[]> => {
    const refused = await memory.notTaken(model);
    return takesTools(model) || refused.includes('tools') ? refused : [...refused, 'tools'];
  };
  return {
    ...memory,
    notTaken: async (model) => [...new Set([...hidden(model), ...(await refusedBy(model))])],
    async setTaken(model, name, isTaken) {
      await memory.setTaken(model, name, isTaken);
      if (name === 'tools' && isTaken && !takesTools(model)) await allowTools(model);
    },
    async describe(parameters, model, issues = []) {
      const notOffered = model === undefined ? [] : hidden(model);
      const refused = model === undefined ? [] : await refusedBy(model);
      const sent = Object.fromEntries(
        Object.entries(parameters).filter(([name]) => ![...notOffered, ...refused].some((other) => other === name)),
      );
      return {
        form: toForm(parameters, notOffered),
        count: countSet(sent),
        hints: hintsFor(bounds(), language),
        defaults: defaultsFor(model, language),
        issues: Object.fromEntries(issues.map(({ name, issue }) => [name, issueText(issue, language)])),
        warnings: Object.fromEntries(
          parameterWarnings({ ...sent, model }, bounds()).map((warning) => [
            warning.parameter,
            warningText(warning, language),
          ]),
        ),
        notTaken: Object.fromEntries(refused.map((name) => [name, notTakenText(model ?? '')])),
        presets: await memory.presets(),
      };
    },
  };
}

/** The bounds that the service documents, even if it accepts more. A warning explains the difference. */
function hintsFor(own: OwnBounds, language: string): FieldWords {
  const hints = numbersAt('chat').flatMap((name) => {
    const accepted = acceptedAt('chat', name, own);
    const { min = accepted.min, max = accepted.max } = accepted.advised ?? {};
    return min === undefined || max === undefined
      ? []
      : [[name, l10n.t('{0} to {1}', numberText(min, language), numberText(max, language))] as const];
  });
  return Object.fromEntries(hints);
}

function defaultsFor(model: string | undefined, language: string): FieldWords {
  const names = numbersAt('chat').filter((name) => acceptedAt('chat', name).hasDefault);
  const text =
    model === undefined
      ? ''
      : l10n.t('Defaults to {0} tokens for {1}', numberText(defaultMaxTokens(model), language), shortName(model));
  return Object.fromEntries(names.map((name) => [name, text]));
}

function issueText(issue: ParameterIssue | undefined, language: string): string {
  const text = issue ? parameterWords(issue, language) : l10n.t('Enter a number, such as 0.7.');
  return sentences(text, l10n.t("This value isn't sent."));
}

function warningText(warning: ParameterIssue, language: string): string {
  return sentences(parameterWords(warning, language), l10n.t('The service might reject this value.'));
}

function notTakenText(model: string): string {
  return l10n.t("{0} doesn't support this parameter, so it isn't sent.", shortName(model));
}

function shortName(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1) || model;
}

/** The parameters set in the shown conversation. */
export interface ConversationParameters {
  get(): Promise<ChatParameters>;
  /** Throws if they cannot be recorded; the previous ones then remain in effect. */
  set(parameters: ChatParameters): Promise<void>;
}

/** `toolsChanged` is called after a preset was applied, because it may contain tools. */
export function parameterHandlers(
  conversation: ConversationParameters,
  parameterService: ParameterService,
  toolsChanged: () => void,
): HandlersOf<typeof parameterCalls> {
  const now = async (model: string) => parameterService.describe(await conversation.get(), model);
  const setTaken = async (model: string, name: string, isTaken: boolean) => {
    const known = parameterNames.find((one) => one === name);
    if (known) await parameterService.setTaken(model, known, isTaken);
    return now(model);
  };
  const set = async (parameters: ChatParameters, model: string) => {
    await conversation.set(parameters);
    return parameterService.describe(parameters, model);
  };
  return {
    'chat/parameters': ({ model }) => now(model),
    'chat/setParameters': async ({ form, model }) => {
      const { parameters: typed, issues } = readForm(form);
      const before = await conversation.get();
      // Tools are set elsewhere.
      const { tools, tool_choice } = before;
      const parameters = {
        ...hiddenIn(form, before),
        ...typed,
        ...(tools && { tools }),
        ...(tool_choice && { tool_choice }),
      };
      await conversation.set(parameters);
      return parameterService.describe(parameters, model, issues);
    },
    'chat/savePreset': async ({ name, model }) => {
      await parameterService.savePreset(name.trim(), await conversation.get());
      return now(model);
    },
    'chat/applyPreset': async ({ id, model }) => {
      const state = await set(await parameterService.preset(id), model);
      toolsChanged();
      return state;
    },
    'chat/renamePreset': async ({ id, name, model }) => {
      await parameterService.renamePreset(id, name.trim());
      return now(model);
    },
    'chat/deletePreset': async ({ id, model }) => {
      await parameterService.deletePreset(id);
      return now(model);
    },
    'chat/withoutParameter': ({ parameter, model }) => setTaken(model, parameter, false),
    'chat/withParameter': ({ parameter, model }) => setTaken(model, parameter, true),
  };
}

export interface FieldIssue {
  readonly name: ParameterName;
  /** `undefined` if the text is not a number. */
  readonly issue: ParameterIssue | undefined;
}

/** The parameters a form sets. A field with an issue sets nothing. */
export interface FormReading {
  readonly parameters: ChatParameters;
  readonly issues: readonly FieldIssue[];
}

const numbers = numbersAt('chat');

/** Fields omitted from the form of a model that doesn't support them. Their values are kept for others. */
export type Hideable = 'enable_thinking' | 'thinking_budget';

export function readForm(form: ParameterForm): FormReading {
  const issues: FieldIssue[] = [];
  const found: { -readonly [Name in ParameterName]?: ChatParameters[Name] } = {};
  for (const name of numbers) {
    const typed = form.numbers[name]?.trim() ?? '';
    if (typed === '') continue;
    const value = typedNumber(typed);
    const [issue] = value === undefined ? [] : boundIssues<ChatParameters>({ [name]: value }, chatBounds);
    if (value === undefined || issue) issues.push({ name, issue });
    else found[name] = value;
  }
  if (form.system.trim() !== '') found.system = form.system;
  const sequences = form.stop_sequences.map(unescaped).filter((sequence) => sequence !== '');
  if (sequences.length > 0) found.stop_sequences = sequences;
  if (form.prefill.trim() !== '') found.prefill = form.prefill;
  if (form.enable_thinking) found.enable_thinking = form.enable_thinking === 'on';
  return { parameters: found, issues };
}

export function toForm(parameters: ChatParameters, hidden: readonly Hideable[] = []): ParameterForm {
  const { enable_thinking: isOn } = parameters;
  const shown = numbers.filter((name) => !hidden.some((other) => other === name));
  return {
    system: parameters.system ?? '',
    numbers: Object.fromEntries(shown.map((name) => [name, parameters[name]?.toString() ?? ''])),
    stop_sequences: (parameters.stop_sequences ?? []).map(escaped),
    prefill: parameters.prefill ?? '',
    ...(!hidden.includes('enable_thinking') && {
      enable_thinking: isOn === undefined ? ('' as const) : isOn ? ('on' as const) : ('off' as const),
    }),
  };
}

/** Returns what of the parameters a form without these fields does not say. */
export function hiddenIn(form: ParameterForm, parameters: ChatParameters): ChatParameters {
  const { enable_thinking, thinking_budget } = parameters;
  return {
    ...(form.enable_thinking === undefined && enable_thinking !== undefined && { enable_thinking }),
    ...(form.numbers['thinking_budget'] === undefined && thinking_budget !== undefined && { thinking_budget }),
  };
}

/** Returns the values that are sent although the specification and the service's behavior differ about them. */
export function parameterWarnings(
  { model, ...parameters }: ChatParameters & { readonly model?: string | undefined },
  own: OwnBounds,
): readonly ParameterWarning[] {
  const bounds = withOwn(chatBounds, own.chat);
  return warningsOf<ChatParameters & { readonly model?: string | undefined }>({ ...parameters, model }, bounds);
}

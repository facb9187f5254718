import { vendorRules } from '../../src/core/profiles/vendorRules';
import type { CompletionParameters } from '../../src/core/completion/completionParameters';
import { createCompletionSettings } from '../../src/features/completion/settings/completionSettings';
import type { CompletionSettings } from '../../src/features/completion/settings/completionSettings';
import type { CompletionFile } from '../../src/features/completion/settings/settingsFile';
import { SettingsController } from '../../src/features/completion/settings/settingsController';
import type { SettingsTarget, ViewWords } from '../../src/features/completion/settings/settingsController';
import type { Handlers } from '../../src/protocol/call';
import type { CompletionScreen, CompletionView } from '../../src/protocol/completion';

/** English stand-ins: the host's own ask the editor for theirs. */
const words: ViewWords = {
  fault: (fault) => {
    if (fault.kind === 'parameter')
      return `${fault.issue.parameter}: ${fault.issue.rule} ${String(fault.issue.bound ?? '')}.`;
    if (fault.kind === 'syntax') return `Syntax: ${fault.what}.`;
    return 'name' in fault ? `${fault.kind}: ${fault.name}.` : `${fault.kind}.`;
  },
  unsent: (fault) => `${words.fault(fault)} This value isn't sent.`,
  where: (line, column) => `Line ${line}, column ${column}`,
  warning: ({ name, kind }) => `${name} ${kind}: it is sent, and may be refused.`,
  hints: ({ n = 1, max_tokens }) => ({
    max_tokens: 'per completion, 1 or more',
    temperature: '0 to 1',
    top_p: '0 to 1',
    top_k: 'whole number, 0 or more',
    n:
      n > 1
        ? `You're charged for each of the ${n} completions, up to ${n * (max_tokens ?? 16)} tokens in total.`
        : '1 to 128 completions',
    seed: 'whole number, or empty for random',
    repetition_penalty: '1 has no effect. Higher values reduce repetition.',
    presence_penalty: '−2 to 2',
    frequency_penalty: '−2 to 2',
  }),
  notTaken: (model) => `Omitted because ${model.slice(model.lastIndexOf('/') + 1)} doesn't support it.`,
  unlisted: () => "The service doesn't list this model.",
  leftOut: (characters) => ` … ${characters} characters more … `,
  promptHere: () => '<selected text, or text before the cursor>',
  modelHere: () => '<no model selected>',
};

export interface CompletionHostOptions {
  readonly parameters?: CompletionParameters;
  readonly text?: string;
  readonly model?: string;
  readonly target?: SettingsTarget;
  readonly defaultModel?: string;
  /** While it is set, calls that change something fail. */
  readonly trouble?: () => Error | undefined;
}

export interface CompletionHost {
  readonly handlers: Handlers<CompletionScreen>;
  readonly settings: CompletionSettings;
  view(): Promise<CompletionView>;
  /** Names of what was asked, in order, with the way of a run. */
  readonly asked: readonly string[];
  target: SettingsTarget;
}

export const notes: SettingsTarget = { name: 'notes.md, lines 3 to 9', prompt: 'Once upon a time', obstacles: {} };

/** The host's own settings and handlers over memory instead of disk. */
export function createCompletionHost(options: CompletionHostOptions = {}): CompletionHost {
  const { parameters = {}, text, model, target = notes, defaultModel = 'Qwen/Qwen2.5-Coder-32B-Instruct' } = options;
  let file: CompletionFile = {
    presets: [],
    refused: [],
    setup: { parameters, ...(text !== undefined && { text }), ...(model && { model }) },
  };
  const asked: string[] = [];
  const settings = createCompletionSettings(
    { read: async () => file, write: async (value) => void (file = value), remove: async () => undefined },
    { profileId: () => 'work', defaultModel: async () => defaultModel || undefined, lacks: async () => false },
  );
  const controller = new SettingsController(settings, words, {
    isListed: (id) => id.includes('/'),
    own: () => vendorRules.bounds,
    asksUsage: () => false,
    target: () => host.target,
    models: async () =>
      ['Qwen/Qwen2.5-Coder-32B-Instruct', 'deepseek-ai/DeepSeek-V3'].map((id) => ({
        id,
        name: id.split('/')[1] ?? id,
        detail: '',
        group: id.split('/')[0] ?? '',
      })),
    run: async (way) => void asked.push(`run ${way}`),
    act: async (id) => void asked.push(`act ${id}`),
  });
  const noted = Object.entries(controller.handlers).map(([method, handle]) => [
    method,
    (params: never, context: never) => {
      asked.push(method.replace('completion/', ''));
      const trouble = options.trouble?.();
      if (trouble) throw trouble;
      return (handle as (params: never, context: never) => Promise<unknown>)(params, context);
    },
  ]);
  const host: CompletionHost = {
    handlers: Object.fromEntries(noted) as Handlers<CompletionScreen>,
    settings,
    view: () => controller.view(),
    asked,
    target,
  };
  return host;
}

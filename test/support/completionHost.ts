import { vendorRules } from '../../src/core/profiles/vendorRules';
import type { CompletionParameters } from '../../src/core/completion/completionParameters';
import { createCompletionSettings } from '../../src/features/completion/logic/completionSettings';
import type { CompletionSettings } from '../../src/features/completion/logic/completionSettings';
import type { CompletionFile } from '../../src/features/completion/logic/settingsFile';
import { SettingsController } from '../../src/features/completion/logic/settingsController';
import type { SettingsTarget } from '../../src/features/completion/logic/settingsController';
import type { Handlers } from '../../src/protocol/call';
import type { CompletionScreen, CompletionView } from '../../src/protocol/completion';

export interface CompletionHostOptions {
  readonly parameters?: CompletionParameters;
  readonly text?: string;
  readonly model?: string;
  readonly target?: SettingsTarget;
  readonly defaultModel?: string;
  /** While it is set, calls that change something fail. */
  readonly problem?: () => Error | undefined;
}

export interface CompletionHost {
  readonly handlers: Handlers<CompletionScreen>;
  readonly settings: CompletionSettings;
  view(): Promise<CompletionView>;
  /** The names of the calls, in order, with the kind of a run. */
  readonly asked: readonly string[];
  target: SettingsTarget;
}

export const notes: SettingsTarget = { name: 'notes.md, lines 3 to 9', prompt: 'Once upon a time', obstacles: {} };

/** Creates the host's own settings and handlers over memory instead of disk. */
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
  const controller = new SettingsController(
    settings,
    {
      isListed: (id) => id.includes('/'),
      own: () => vendorRules.bounds,
      asksUsage: () => false,
      price: async () => 'Price: about $0.01',
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
    },
    'en',
  );
  const noted = Object.entries(controller.handlers).map(([method, handle]) => [
    method,
    (params: never, context: never) => {
      asked.push(method.replace('completion/', ''));
      const problem = options.problem?.();
      if (problem) throw problem;
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

import { refusableNames } from '../../../core/completion/completionParameters';
import { writeForm } from '../../../core/completion/parameterForm';
import { parameterText, readParameterText } from '../../../core/completion/parameterText';
import type { Handlers } from '../../../protocol/call';
import type { CompletionModel, CompletionScreen, CompletionView, CompletionWay } from '../../../protocol/completion';
import type { CompletionSettings } from './completionSettings';
import type { CompletionSetup } from './settingsFile';

export interface SettingsHandlersOptions {
  readonly settings: CompletionSettings;
  readonly view: () => Promise<CompletionView>;
  readonly model: () => Promise<string | undefined>;
  readonly models: () => Promise<readonly CompletionModel[]>;
  /** Starts a completion of the last used text; its progress is shown there. */
  readonly run: (way: CompletionWay) => Promise<void>;
  readonly act: (id: string) => Promise<unknown>;
}

export function settingsHandlers(options: SettingsHandlersOptions): Handlers<CompletionScreen> {
  const { settings, view, model, models, run, act } = options;
  const after = async (work: Promise<unknown>) => {
    await work;
    return view();
  };
  const write = async (change: (setup: CompletionSetup) => CompletionSetup) =>
    settings.set(change(await settings.get()));
  return {
    'completion/ready': () => view(),
    'completion/models': async () => ({ models: await models() }),
    'completion/setForm': ({ form }) => after(write((setup) => withText(setup, writeForm(textOf(setup), form)))),
    'completion/setText': ({ text }) => after(write((setup) => withText(setup, text))),
    'completion/dropText': () => after(write(({ text: _text, ...setup }) => setup)),
    'completion/setModel': ({ model: id }) =>
      after(write(({ model: _model, ...setup }) => (id.trim() === '' ? setup : { ...setup, model: id.trim() }))),
    'completion/savePreset': ({ name }) =>
      after(settings.get().then(({ parameters }) => settings.savePreset(name.trim(), parameters))),
    'completion/applyPreset': async ({ id }) => {
      const parameters = await settings.preset(id);
      return after(write(({ text: _text, ...setup }) => ({ ...setup, parameters })));
    },
    'completion/renamePreset': ({ id, name }) => after(settings.renamePreset(id, name.trim())),
    'completion/deletePreset': ({ id }) => after(settings.deletePreset(id)),
    'completion/sendAgain': async ({ name }) => {
      const about = await model();
      const known = refusableNames.find((one) => one === name);
      return about === undefined || !known ? view() : after(settings.allowed(about, known));
    },
    async 'completion/run'({ way }) {
      await run(way);
      return {};
    },
    async 'completion/act'({ id }) {
      await act(id);
      return {};
    },
  };
}

function textOf({ text, parameters }: CompletionSetup): string {
  return text ?? parameterText(parameters);
}

/** Saves the text as it is; while it cannot be parsed, the previous parameters stay in effect. */
function withText({ text: _text, ...setup }: CompletionSetup, text: string): CompletionSetup {
  const { parameters, root } = readParameterText(text);
  if (!root) return { ...setup, text };
  return text === parameterText(parameters) ? { ...setup, parameters } : { ...setup, parameters, text };
}

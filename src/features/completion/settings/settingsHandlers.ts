import '../../../core/api/jitless';
import * as z from 'zod/mini';
import { refusableNames } from '../../../core/completion/completionParameters';
import { writeForm } from '../../../core/completion/parameterForm';
import { parameterText, readParameterText } from '../../../core/completion/parameterText';
import { numbersAt } from '../../../core/parameters/parameterTable';
import type { ParamSchemas } from '../../../platform/webview/webviewEnvelope';
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

const nothing = z.strictObject({});
const id = z.string().check(z.minLength(1), z.maxLength(100));
const name = z.string().check(
  z.maxLength(100),
  z.refine((typed) => typed.trim() !== ''),
);
/** No number is longer; like the other limits, this guards against a misbehaving page. */
const number = z.string().check(z.maxLength(100));
const row = z.strictObject({ token: number, bias: number });
const form = z.strictObject({
  numbers: z.partialRecord(z.enum(numbersAt('completions')), number),
  stop: z.array(z.string().check(z.maxLength(10_000))).check(z.maxLength(1000)),
  logit_bias: z.array(row).check(z.maxLength(5000)),
});

/** Schemas of the parameters that the page may send with each call. */
export const settingsParams: ParamSchemas<CompletionScreen> = {
  'completion/ready': nothing,
  'completion/models': nothing,
  'completion/setForm': z.strictObject({ form }),
  'completion/setText': z.strictObject({ text: z.string().check(z.maxLength(500_000)) }),
  'completion/dropText': nothing,
  'completion/setModel': z.strictObject({ model: z.string().check(z.maxLength(500)) }),
  'completion/savePreset': z.strictObject({ name }),
  'completion/applyPreset': z.strictObject({ id }),
  'completion/renamePreset': z.strictObject({ id, name }),
  'completion/deletePreset': z.strictObject({ id }),
  'completion/sendAgain': z.strictObject({ name: z.enum(refusableNames) }),
  'completion/run': z.strictObject({ way: z.enum(['insert', 'replace', 'beside']) }),
  'completion/act': z.strictObject({ id: z.string().check(z.maxLength(200)) }),
};

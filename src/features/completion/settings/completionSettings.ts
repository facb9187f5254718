import { randomUUID } from 'node:crypto';
import { createTurns } from '../../../core/async/turns';
import { toCompletionRequest } from '../../../core/completion/completionParameters';
import type { CompletionParameters, RefusableName } from '../../../core/completion/completionParameters';
import type { CompletionRequest } from '../../../core/api/completions/completions.schema';
import type { Disposable } from '../../../platform/disposables';
import type { JsonFile } from '../../../core/storage/storedFile';
import { createParameterMemory } from '../../../services/parameters/parameterMemory';
import type { ParameterMemory, PresetErrors } from '../../../services/parameters/parameterMemory';
import { emptySetup } from './settingsFile';
import type { CompletionFile, CompletionSetup } from './settingsFile';

/** A text to complete, to be sent with the saved parameters. */
export interface CompletionText {
  readonly prompt: string;
  readonly suffix?: string | undefined;
  /** Absent: the configured model, else the default. */
  readonly model?: string | undefined;
  /** Override the saved parameters for this request only. */
  readonly parameters?: CompletionParameters | undefined;
}

/** The completion parameters, their presets, and what models have refused. Stored in one file for all windows, which is read each time. */
export interface CompletionSettings extends Pick<
  ParameterMemory<CompletionParameters, RefusableName>,
  'presets' | 'preset' | 'savePreset' | 'renamePreset' | 'deletePreset'
> {
  get(): Promise<CompletionSetup>;
  set(setup: CompletionSetup): Promise<void>;
  /** The completion model to use if none is configured. */
  readonly defaultModel: () => Promise<string | undefined>;
  /** The configured model, else the default. `undefined` while no model is known. */
  model(): Promise<string | undefined>;
  /** Builds the request; `undefined` while no model is known. */
  request(text: CompletionText): Promise<CompletionRequest | undefined>;
  notTaken(model: string): Promise<readonly RefusableName[]>;
  /** Records that the model refused a parameter, which is then no longer sent to it. */
  refused(model: string, name: RefusableName): Promise<void>;
  /** Removes that record, so that the parameter is sent again. */
  allowed(model: string, name: RefusableName): Promise<void>;
  /** Called after a change made in this window. */
  readonly onDidChange: (listener: () => void) => Disposable;
}

/** `profileId` and `defaultModel` are asked for at each use, because the account may change. */
export function createCompletionSettings(
  file: JsonFile<CompletionFile>,
  {
    profileId,
    defaultModel,
  }: { readonly profileId: () => string; readonly defaultModel: () => Promise<string | undefined> },
  errors: PresetErrors,
): CompletionSettings {
  const listeners = new Set<() => void>();
  // Each change must read what the previous one wrote.
  const inTurn = createTurns();
  const read = async (): Promise<CompletionFile> =>
    (await file.read()) ?? { presets: [], refused: [], setup: emptySetup };
  // The memory handles presets and refusals only, so the rest of the file is merged into what it writes.
  const memory = createParameterMemory<CompletionParameters, RefusableName>({
    file: { read, write: async (kept) => file.write({ ...(await read()), ...kept }) },
    profileId,
    errors,
    newId: randomUUID,
  });
  const change = (work: () => Promise<void>) =>
    inTurn(async () => {
      await work();
      for (const listener of listeners) listener();
    });
  const get = async () => (await read()).setup;
  const model = async () => (await get()).model ?? (await defaultModel());
  return {
    get,
    set: (setup) => change(async () => file.write({ ...(await read()), setup })),
    defaultModel,
    model,
    async request({ prompt, suffix, model: other, parameters }) {
      const asked = other ?? (await model());
      if (asked === undefined) return undefined;
      const [setup, refused] = await Promise.all([get(), memory.notTaken(asked)]);
      return toCompletionRequest({
        model: asked,
        prompt,
        suffix,
        parameters: { ...setup.parameters, ...parameters },
        refused,
      });
    },
    notTaken: (about) => memory.notTaken(about),
    refused: (about, name) => change(() => memory.setTaken(about, name, false)),
    allowed: (about, name) => change(() => memory.setTaken(about, name, true)),
    presets: () => memory.presets(),
    preset: (id) => memory.preset(id),
    savePreset: (name, parameters) => change(() => memory.savePreset(name, parameters)),
    renamePreset: (id, name) => change(() => memory.renamePreset(id, name)),
    deletePreset: (id) => change(() => memory.deletePreset(id)),
    onDidChange(listener) {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
}

import { randomUUID } from 'node:crypto';
import { createTurns } from '../../../core/async/turns';
import { toCompletionRequest } from '../../../core/completion/completionParameters';
import type { CompletionParameters, RefusableName } from '../../../core/completion/completionParameters';
import type { CompletionRequest } from '../../../core/api/completions/completions.schema';
import type { Disposable } from '../../../platform/disposables';
import type { JsonFile } from '../../../core/storage/storedFile';
import { withModelOf } from '../../../services/models/lastModel';
import { createParameterMemory } from '../../../services/parameters/parameterMemory';
import type { Presets } from '../../../services/parameters/parameterMemory';
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
export interface CompletionSettings extends Presets<CompletionParameters> {
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

/** Called at each use, because the account can change. */
interface CompletionAccount {
  readonly profileId: () => string;
  readonly defaultModel: () => Promise<string | undefined>;
  /** Whether the account is known not to have the model. */
  readonly lacks: (model: string) => Promise<boolean>;
}

export function createCompletionSettings(
  file: JsonFile<CompletionFile>,
  account: CompletionAccount,
): CompletionSettings {
  const { profileId, defaultModel } = account;
  const listeners = new Set<() => void>();
  // Each change must read what the previous one wrote.
  const inTurn = createTurns();
  const read = async (): Promise<CompletionFile> =>
    (await file.read()) ?? { presets: [], refused: [], setup: emptySetup };
  // The memory handles presets and refusals only, so the rest of the file is merged into what it writes.
  const memory = createParameterMemory<CompletionParameters, RefusableName>({
    file: { read, write: async (saved) => file.write({ ...(await read()), ...saved }) },
    profileId,
    newId: randomUUID,
  });
  const change = (work: () => Promise<void>) =>
    inTurn(async () => {
      await work();
      for (const listener of listeners) listener();
    });
  const { get, set } = createSetup(file, read, account);
  const model = async () => (await get()).model ?? (await defaultModel());
  return {
    get,
    set: (setup) => change(() => set(setup)),
    defaultModel,
    model,
    async request({ prompt, suffix, model: other, parameters }) {
      const modelId = other ?? (await model());
      if (modelId === undefined) return undefined;
      const [setup, refused] = await Promise.all([get(), memory.notTaken(modelId)]);
      return toCompletionRequest({
        model: modelId,
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

/** The setup with a model per account. */
function createSetup(
  file: JsonFile<CompletionFile>,
  read: () => Promise<CompletionFile>,
  { profileId, lacks }: CompletionAccount,
) {
  /** Uses the account's selected model, also if the service doesn't list it, or else another account's, if this account has it. */
  const get = async (): Promise<CompletionSetup> => {
    const { setup, models = {} } = await read();
    const { model: last, ...rest } = setup;
    const own = Object.hasOwn(models, profileId()) ? models[profileId()] : undefined;
    if (own !== undefined) return own === '' ? rest : { ...rest, model: own };
    return last === undefined || (await lacks(last)) ? rest : setup;
  };
  const set = async (setup: CompletionSetup): Promise<void> => {
    const before = await read();
    const models = withModelOf(profileId(), setup.model ?? '', before.models ?? {});
    const last = before.setup.model;
    // A model that this account doesn't have wasn't removed here.
    const saved = setup.model === undefined && last !== undefined && (await lacks(last)) ? { model: last } : {};
    await file.write({ ...before, setup: { ...setup, ...saved }, models });
  };
  return { get, set };
}

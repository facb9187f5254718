import '../../schema/jitless';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import type { JsonFile } from '../../core/storage/storedFile';
import { foreign } from '../../core/text/foreignText';
import { UserError } from '../../platform/errors/userError';

export interface StoredPreset<Parameters> {
  readonly id: string;
  readonly name: string;
  readonly parameters: Parameters;
}

/** Parameters that a model of a profile rejected. */
export interface Refusals<Name extends string> {
  readonly profile: string;
  readonly model: string;
  readonly parameters: readonly Name[];
}

/** Presets and rejected parameters, as stored. */
export interface ParameterMemoryFile<Parameters, Name extends string> {
  readonly presets: readonly StoredPreset<Parameters>[];
  readonly refused: readonly Refusals<Name>[];
}

const shape = z.object({
  presets: z.array(z.object({ id: z.string(), name: z.string(), parameters: z.unknown() })),
  refused: z.array(z.object({ profile: z.string(), model: z.string(), parameters: z.array(z.string()) })),
});

/** Returns `undefined` if `raw` does not have the shape of such a file. Unknown parameter names are dropped. */
export function readParameterMemory<Parameters, Name extends string>(
  raw: unknown,
  { read, names }: { readonly read: (raw: unknown) => Parameters; readonly names: readonly Name[] },
): ParameterMemoryFile<Parameters, Name> | undefined {
  const found = shape.safeParse(raw);
  if (!found.success) return undefined;
  return {
    presets: found.data.presets.map(({ id, name, parameters }) => ({ id, name, parameters: read(parameters) })),
    refused: found.data.refused.map((entry) => ({
      ...entry,
      parameters: names.filter((name) => entry.parameters.includes(name)),
    })),
  };
}

/** Returns the parameters that a model of a profile is known to reject. */
export function refusedBy<Name extends string>(
  stored: ParameterMemoryFile<unknown, Name> | undefined,
  profile: string,
  model: string,
): readonly Name[] {
  return stored?.refused.find((entry) => entry.profile === profile && entry.model === model)?.parameters ?? [];
}

/** Parameters saved under names. */
export interface Presets<Parameters> {
  /** Sorted by name. */
  presets(): Promise<readonly { readonly id: string; readonly name: string }[]>;
  /** Throws if there is no such preset, e.g. after its removal in another window. */
  preset(id: string): Promise<Parameters>;
  /** Replaces any preset of that name. */
  savePreset(name: string, parameters: Parameters): Promise<void>;
  renamePreset(id: string, name: string): Promise<void>;
  deletePreset(id: string): Promise<void>;
}

/** Presets of parameters, and which parameters a model is known to reject. */
export interface ParameterMemory<Parameters, Name extends string> extends Presets<Parameters> {
  notTaken(model: string): Promise<readonly Name[]>;
  setTaken(model: string, name: Name, taken: boolean): Promise<void>;
}

export interface ParameterMemoryOptions<Parameters, Name extends string> {
  /** Can contain more than this. The rest is preserved. */
  readonly file: Pick<JsonFile<ParameterMemoryFile<Parameters, Name>>, 'read' | 'write'>;
  /** Rejections apply to one profile: another service may accept what this one does not. */
  readonly profileId: () => string;
  readonly newId: () => string;
}

export function createParameterMemory<Parameters, Name extends string>({
  file,
  profileId,
  newId,
}: ParameterMemoryOptions<Parameters, Name>): ParameterMemory<Parameters, Name> {
  type StoredParameters = ParameterMemoryFile<Parameters, Name>;
  // Read each time, because another window may have written the file.
  const read = async (): Promise<StoredParameters> => (await file.read()) ?? { presets: [], refused: [] };
  const writePresets = async (change: (presets: StoredParameters['presets']) => StoredParameters['presets']) => {
    const stored = await read();
    await file.write({ ...stored, presets: change(stored.presets) });
  };
  const isAbout = (model: string) => (entry: StoredParameters['refused'][number]) =>
    entry.profile === profileId() && entry.model === model;
  return {
    notTaken: async (model) => refusedBy(await read(), profileId(), model),
    async setTaken(model, name, taken) {
      const stored = await read();
      const others = refusedBy(stored, profileId(), model).filter((other) => other !== name);
      const parameters = taken ? others : [...others, name];
      const rest = stored.refused.filter((entry) => !isAbout(model)(entry));
      const entry = { profile: profileId(), model, parameters };
      await file.write({ ...stored, refused: parameters.length === 0 ? rest : [...rest, entry] });
    },
    presets: async () =>
      (await read()).presets
        .map(({ id, name }) => ({ id, name }))
        .toSorted((left, right) => left.name.localeCompare(right.name)),
    async preset(id) {
      const found = (await read()).presets.find((preset) => preset.id === id);
      if (!found) throw presetGone();
      return found.parameters;
    },
    savePreset: (name, parameters) =>
      writePresets((presets) => {
        const known = presets.find((preset) => preset.name === name);
        return [...presets.filter((preset) => preset !== known), { id: known?.id ?? newId(), name, parameters }];
      }),
    renamePreset: (id, name) =>
      writePresets((presets) => {
        if (presets.some((preset) => preset.name === name && preset.id !== id)) throw presetNameTaken(name);
        if (!presets.some((preset) => preset.id === id)) throw presetGone();
        return presets.map((preset) => (preset.id === id ? { ...preset, name } : preset));
      }),
    deletePreset: (id) => writePresets((presets) => presets.filter((preset) => preset.id !== id)),
  };
}

function presetNameTaken(name: string): UserError {
  return new UserError(
    l10n.t('A preset with this name already exists'),
    l10n.t('"{0}" already exists.', foreign(name)),
  );
}

function presetGone(): UserError {
  return new UserError(l10n.t('This preset no longer exists'), l10n.t('The preset has been deleted.'));
}

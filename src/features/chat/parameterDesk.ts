import { defaultMaxTokens, messageBounds } from '../../core/api/messages/messages.bounds';
import type { ParameterIssue } from '../../core/api/parameters';
import { countSet, parameterNames } from '../../core/conversation/chatParameters';
import type { ChatParameters, ParameterName } from '../../core/conversation/chatParameters';
import type { JsonFile } from '../../platform/jsonFile';
import type { FieldWords, ParametersState } from '../../protocol/chatParameters';
import type { ParameterFile, StoredPreset } from './parameterFile';
import { parameterWarnings, toForm } from './parameterForm';
import type { FieldIssue } from './parameterForm';

/** What the panel says of values, in the editor's display language. */
export interface ParameterWords {
  readonly issue: (issue: ParameterIssue | undefined) => string;
  readonly warning: (warning: ParameterIssue) => string;
  readonly bounds: (bounds: { readonly min?: number | undefined; readonly max?: number | undefined }) => string;
  readonly defaultMaxTokens: (model: string, tokens: number) => string;
  readonly notTaken: (model: string) => string;
  readonly presetNameTaken: (name: string) => Error;
  readonly presetGone: () => Error;
}

export interface ParameterDeskOptions {
  /**
   * Presets and refusals. A file of the extension's own and no setting: a preset may hold a long system prompt, which
   * belongs neither into a settings file that is synchronised nor into one a workspace can write.
   */
  readonly file: JsonFile<ParameterFile>;
  readonly profileId: () => string;
  readonly words: ParameterWords;
  readonly newId: () => string;
}

/** Presets, and which parameters a model was seen to refuse; both for all conversations. */
export interface ParameterDesk {
  notTaken(model: string): Promise<readonly ParameterName[]>;
  setTaken(model: string, name: ParameterName, taken: boolean): Promise<void>;
  describe(
    parameters: ChatParameters,
    model: string | undefined,
    issues?: readonly FieldIssue[],
  ): Promise<ParametersState>;
  /** Throws when there is no such preset, as after its removal in another window. */
  preset(id: string): Promise<ChatParameters>;
  savePreset(name: string, parameters: ChatParameters): Promise<void>;
  renamePreset(id: string, name: string): Promise<void>;
  deletePreset(id: string): Promise<void>;
}

const empty: ParameterFile = { presets: [], refused: [] };

export function createParameterDesk({ file, profileId, words, newId }: ParameterDeskOptions): ParameterDesk {
  // Read each time, because another window may have written it.
  const read = async () => (await file.read()) ?? empty;
  const writePresets = async (change: (presets: readonly StoredPreset[]) => readonly StoredPreset[]) => {
    const kept = await read();
    await file.write({ ...kept, presets: change(kept.presets) });
  };
  const isAbout = (model: string) => (entry: ParameterFile['refused'][number]) =>
    entry.profile === profileId() && entry.model === model;
  const notTaken = async (model: string) => (await read()).refused.find(isAbout(model))?.parameters ?? [];

  return {
    notTaken,
    async setTaken(model, name, taken) {
      const kept = await read();
      const others = (kept.refused.find(isAbout(model))?.parameters ?? []).filter((other) => other !== name);
      const parameters = taken ? others : [...others, name];
      const rest = kept.refused.filter((entry) => !isAbout(model)(entry));
      const entry = { profile: profileId(), model, parameters };
      await file.write({ ...kept, refused: parameters.length === 0 ? rest : [...rest, entry] });
    },
    async describe(parameters, model, issues = []) {
      const { presets } = await read();
      const refused = model === undefined ? [] : await notTaken(model);
      const sent = Object.fromEntries(
        Object.entries(parameters).filter(([name]) => !refused.some((other) => other === name)),
      );
      return {
        form: toForm(parameters),
        count: countSet(sent),
        hints: hintsFor(model, words),
        issues: Object.fromEntries(issues.map(({ name, issue }) => [name, words.issue(issue)])),
        warnings: Object.fromEntries(
          parameterWarnings(sent).map((warning) => [warning.parameter, words.warning(warning)]),
        ),
        notTaken: Object.fromEntries(refused.map((name) => [name, words.notTaken(model ?? '')])),
        presets: presets.map(({ id, name }) => ({ id, name })).toSorted((a, b) => a.name.localeCompare(b.name)),
      };
    },
    async preset(id) {
      const found = (await read()).presets.find((preset) => preset.id === id);
      if (!found) throw words.presetGone();
      return found.parameters;
    },
    savePreset: (name, parameters) =>
      writePresets((presets) => {
        const known = presets.find((preset) => preset.name === name);
        return [...presets.filter((preset) => preset !== known), { id: known?.id ?? newId(), name, parameters }];
      }),
    renamePreset: (id, name) =>
      writePresets((presets) => {
        if (presets.some((preset) => preset.name === name && preset.id !== id)) throw words.presetNameTaken(name);
        if (!presets.some((preset) => preset.id === id)) throw words.presetGone();
        return presets.map((preset) => (preset.id === id ? { ...preset, name } : preset));
      }),
    deletePreset: (id) => writePresets((presets) => presets.filter((preset) => preset.id !== id)),
  };
}

/** The bounds of the vendor's page; where practice goes further, the page's own, which a warning explains. */
function hintsFor(model: string | undefined, words: ParameterWords): FieldWords {
  const bounded = parameterNames.flatMap((name) => {
    const bound = name === 'temperature' || name === 'top_p' || name === 'top_k' ? messageBounds[name] : undefined;
    if (!bound) return [];
    const { min = bound.min, max = bound.max } = bound.advised ?? {};
    return [[name, words.bounds({ min, max })] as const];
  });
  const hints: FieldWords = Object.fromEntries(bounded);
  return model === undefined ? hints : { ...hints, max_tokens: words.defaultMaxTokens(model, defaultMaxTokens(model)) };
}

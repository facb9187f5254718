import { join } from 'node:path';
import type { Capabilities, KnownCapabilities } from '../../core/capabilities/capabilities';
import { settingFor } from '../../core/capabilities/capabilities';
import { isLimitsFile, readLimits, toLimitsFile, withoutOverruled } from '../../core/capabilities/learnedLimits';
import type { LearnedLimits, ModelLimits } from '../../core/capabilities/learnedLimits';
import { capabilitiesOf } from '../../core/capabilities/modelCapabilities';
import { parameterNames } from '../../core/conversation/chatParameters';
import type { ParameterName } from '../../core/conversation/chatParameters';
import { createJsonFile } from '../../core/storage/storedFile';
import { setAsideReporter } from '../../platform/errors/reportUnreadable';
import { readParameterMemory, refusedBy } from '../../services/parameters/parameterMemory';
import type { Services } from '../../services/services';

/** Identifies a model of a profile. */
export interface WhichModel {
  readonly profile: string;
  readonly model: string;
}

/** Known facts about the models of the profiles, including learned limits. */
export interface CapabilityMemory {
  of(which: WhichModel): Promise<KnownModel>;
  /** Resolves to whether anything new was learned. Ignores what the user's setting contradicts. */
  learn(which: WhichModel, learned: LearnedLimits): Promise<boolean>;
  /** Resolves to the number of models whose learned limits were deleted. */
  forgetAll(): Promise<number>;
  /** Deletes learned limits that the setting contradicts now. */
  forgetOverruled(): Promise<void>;
}

export interface KnownModel {
  readonly capabilities: Capabilities;
  /** Learned from refusals. */
  readonly learned: LearnedLimits;
  /** Set by the user. */
  readonly setting: KnownCapabilities;
  /** Parameters the model refused in this extension's chat: never sent, whatever the caller's options say. */
  readonly notTaken: readonly ParameterName[];
}

export function createCapabilityMemory({ context, log, settings, models }: Services): CapabilityMemory {
  const storage = context.globalStorageUri.fsPath;
  const file = createJsonFile<object>(
    join(storage, 'languageModel', 'refusals.json'),
    (raw) => (isLimitsFile(raw) ? raw : undefined),
    setAsideReporter(log),
  );
  const chatFile = createJsonFile(join(storage, 'chat-parameters.json'), (raw) =>
    readParameterMemory<unknown, ParameterName>(raw, { read: (parameters) => parameters, names: parameterNames }),
  );
  // Not cached, because another window may have written the file.
  const read = async () => readLimits(await file.read());
  const settingOf = (model: string) => settingFor(model, settings.get('models.capabilities'));
  const isAbout =
    ({ profile, model }: WhichModel) =>
    (entry: ModelLimits) =>
      entry.profile === profile && entry.model === model;

  return {
    async of({ profile, model }) {
      const setting = settingOf(model);
      const learned = (await read()).find(isAbout({ profile, model }))?.lesson ?? {};
      const notTaken = refusedBy(await chatFile.read(), profile, model);
      const { profileId, models: list } = models.state;
      const listed = profileId === profile ? list.find(({ id }) => id === model) : undefined;
      return {
        capabilities: capabilitiesOf(model, { setting, learned, listed }),
        learned,
        setting,
        notTaken,
      };
    },
    async learn(which, lesson) {
      const learned = withoutOverruled(lesson, settingOf(which.model));
      if (!learned) return false;
      const all = await read();
      const isSame = isAbout(which);
      const before = all.find(isSame)?.lesson ?? {};
      const entry = { ...which, lesson: { ...before, ...learned } };
      await file.write(toLimitsFile([...all.filter((other) => !isSame(other)), entry]));
      return JSON.stringify(before) !== JSON.stringify(entry.lesson);
    },
    async forgetAll() {
      const all = await read();
      if (all.length > 0) await file.write(toLimitsFile([]));
      return all.length;
    },
    async forgetOverruled() {
      const all = await read();
      const left = all.flatMap((entry) => {
        const lesson = withoutOverruled(entry.lesson, settingOf(entry.model));
        return lesson ? [{ ...entry, lesson }] : [];
      });
      if (JSON.stringify(left) !== JSON.stringify(all)) await file.write(toLimitsFile(left));
    },
  };
}

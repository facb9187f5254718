import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { chooseModel } from '../../../core/catalogue/jobs';
import { createJsonFile } from '../../../platform/jsonFile';
import { setAsideReporter } from '../../../platform/errors/reportUnreadable';
import { presetErrors } from '../../../services/models/presetErrors';
import type { Services } from '../../../services/services';
import { createCompletionSettings } from './completionSettings';
import type { CompletionSettings } from './completionSettings';
import { readCompletionFile } from './settingsFile';

type Needed = Pick<Services, 'context' | 'log' | 'profiles' | 'models'>;

/** One for each life of the extension, so that whoever changes something is heard by the others. */
const opened = new WeakMap<Services['context'], CompletionSettings>();

/** The settings over the extension's own storage; the same for all who ask. */
export async function openCompletionSettings({ context, log, profiles, models }: Needed): Promise<CompletionSettings> {
  const known = opened.get(context);
  if (known) return known;
  const settings = createCompletionSettings({
    // No setting: stop sequences and biases are nobody else's business, and a workspace may not write them.
    file: createJsonFile(
      join(context.globalStorageUri.fsPath, 'completion.json'),
      readCompletionFile,
      setAsideReporter(log),
    ),
    profileId: () => profiles.active?.id ?? '',
    defaultModel: async () => chooseModel('completion', await models.ready()),
    errors: presetErrors,
    newId: randomUUID,
  });
  opened.set(context, settings);
  return settings;
}

import { join } from 'node:path';
import { chooseModel } from '../../../core/catalogue/jobs';
import { lacksModel } from '../../../core/catalogue/lacksModel';
import { createJsonFile } from '../../../core/storage/storedFile';
import { setAsideReporter } from '../../../platform/errors/reportUnreadable';
import type { Services } from '../../../services/services';
import { createCompletionSettings } from '../logic/completionSettings';
import type { CompletionSettings } from '../logic/completionSettings';
import { readCompletionFile } from '../logic/settingsFile';

/** Returns the settings in the extension's storage. */
export function openCompletionSettings({ account, context, log, models }: Services): CompletionSettings {
  // Not a VS Code setting: stop sequences and biases are private, and a workspace must not set them.
  const path = join(context.globalStorageUri.fsPath, 'completion.json');
  return createCompletionSettings(createJsonFile(path, readCompletionFile, setAsideReporter(log)), {
    profileId: () => account.current.id,
    defaultModel: async () => chooseModel('completion', await models.listed()),
    lacks: async (model) => lacksModel(model, await models.ready()),
  });
}

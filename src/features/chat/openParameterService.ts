import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { env } from 'vscode';
import { setAsideReporter } from '../../platform/errors/reportUnreadable';
import { createJsonFile } from '../../core/storage/storedFile';
import type { Services } from '../../services/services';
import { createParameterService } from './parameterService';
import type { ParameterService } from './parameterService';
import { readParameterFile } from './parameterFile';
import { parameterTexts } from './parameterTexts';

/** Opens the parameter service over the extension's own storage. */
export function openParameterService({ context, log, profiles }: Services): ParameterService {
  return createParameterService({
    file: createJsonFile(
      join(context.globalStorageUri.fsPath, 'chat-parameters.json'),
      readParameterFile,
      setAsideReporter(log),
    ),
    profileId: () => profiles.active?.id ?? '',
    words: parameterTexts(env.language),
    newId: randomUUID,
  });
}

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { env } from 'vscode';
import { setAsideTeller } from '../../platform/tellUnreadable';
import { createJsonFile } from '../../platform/jsonFile';
import type { Services } from '../../services';
import { createParameterDesk } from './parameterDesk';
import type { ParameterDesk } from './parameterDesk';
import { readParameterFile } from './parameterFile';
import { parameterTexts } from './parameterTexts';

/** The desk over the extension's own storage. */
export function openParameterDesk({
  context,
  log,
  profiles,
}: Pick<Services, 'context' | 'log' | 'profiles'>): ParameterDesk {
  return createParameterDesk({
    file: createJsonFile(
      join(context.globalStorageUri.fsPath, 'chat-parameters.json'),
      readParameterFile,
      setAsideTeller(log),
    ),
    profileId: () => profiles.active?.id ?? '',
    words: parameterTexts(env.language),
    newId: randomUUID,
  });
}

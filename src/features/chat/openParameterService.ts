import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { env, l10n } from 'vscode';
import { setAsideReporter } from '../../platform/errors/reportUnreadable';
import { createJsonFile } from '../../core/storage/storedFile';
import type { Services } from '../../services/services';
import { createParameterService, type ParameterService, type ParameterMessages } from './parameterService';
import { readParameterFile } from './parameterFile';
import { parameterWords } from '../../platform/errors/parameterMessages';
import { presetErrors } from '../../services/parameters/presetErrors';
import { numberFormat } from '../../protocol/formats';
import { sentences } from '../../protocol/sentences';

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

/** The parameters panel's messages about values. */
function parameterTexts(locale: string): ParameterMessages {
  const number = numberFormat(locale);
  return {
    issue: (issue) =>
      sentences(
        issue ? parameterWords(issue) : l10n.t('This is not a number; write it like 0.7.'),
        l10n.t('It is not sent.'),
      ),
    warning: (warning) => sentences(parameterWords(warning), l10n.t('It is sent, and the service may refuse it.')),
    bounds: ({ min, max }) => l10n.t('{0} to {1}', number.format(min ?? 0), number.format(max ?? 0)),
    defaultMaxTokens: (model, tokens) => l10n.t('{0} tokens for {1}', number.format(tokens), shortName(model)),
    notTaken: (model) => l10n.t('Not taken by {0}: not sent to it.', shortName(model)),
    ...presetErrors,
  };
}

function shortName(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1) || model;
}

import { l10n } from 'vscode';
import type { ApiError } from '../../core/api/errors';
import { step } from './errorActions';
import type { Words } from './errorMessage';

/** Describes what a service does not have, by the endpoint that is missing, and what does instead. */
export function notOfferedWords({ details: { endpoint = '' } }: ApiError): Words {
  const path = endpoint.replace(/^[A-Z]+ /, '');
  const [, words] = wordsByPath.find(([prefix]) => path.startsWith(prefix)) ?? [];
  const elsewhere = [step('switchAccount'), step('checkAgain')];
  if (!words) {
    return {
      title: l10n.t("This service doesn't offer this"),
      detail: l10n.t('It has nothing at {0}.', endpoint === '' ? l10n.t('this path') : endpoint),
      actions: elsewhere,
    };
  }
  const { title, instead, isOfBatches = false } = words();
  return { title, detail: instead, actions: isOfBatches ? [step('runLocally'), ...elsewhere] : elsewhere };
}

interface NotOffered {
  readonly title: string;
  readonly instead: string;
  readonly isOfBatches?: true;
}

const useAnother = () => l10n.t('Use an account whose service does.');

const noCancel = () => ({
  title: l10n.t("This service doesn't cancel batches"),
  instead: l10n.t("The batch continues. You may be able to cancel it in the service's console."),
});

const noBatches = () => ({
  title: l10n.t("This service doesn't offer batches"),
  instead: l10n.t('Run the batch file locally: its requests are sent from this machine, a few at a time.'),
  isOfBatches: true as const,
});

/** The first prefix of a path counts. */
const wordsByPath: readonly (readonly [prefix: string, words: () => NotOffered])[] = [
  ['/batches/{id}/cancel', noCancel],
  ['/messages/batches/{id}/cancel', noCancel],
  ['/batches', noBatches],
  ['/messages/batches', noBatches],
  [
    '/files/{id}',
    () => ({
      title: l10n.t("This service doesn't return the content of files"),
      instead: l10n.t('Look in its console.'),
    }),
  ],
  [
    '/files',
    () => ({
      title: l10n.t("This service doesn't store files"),
      instead: l10n.t('Batches need them. Run the batch file locally instead.'),
      isOfBatches: true,
    }),
  ],
  [
    '/completions',
    () => ({
      title: l10n.t("This service doesn't complete text"),
      instead: l10n.t('Complete uses a chat model instead. Ghost text needs an account whose service completes text.'),
    }),
  ],
  ['/messages', chatWords],
  ['/chat/completions', chatWords],
  ['/rerank', () => ({ title: l10n.t("This service doesn't rank documents"), instead: useAnother() })],
  [
    '/embeddings',
    () => ({
      title: l10n.t("This service doesn't create embeddings"),
      instead: l10n.t('Files can still be searched by words.'),
    }),
  ],
  ['/images', () => ({ title: l10n.t("This service doesn't generate images"), instead: useAnother() })],
  ['/video', () => ({ title: l10n.t("This service doesn't generate videos"), instead: useAnother() })],
  ['/audio/speech', () => ({ title: l10n.t("This service doesn't generate speech"), instead: useAnother() })],
  [
    '/audio/transcriptions',
    () => ({ title: l10n.t("This service doesn't transcribe recordings"), instead: useAnother() }),
  ],
  ['/audio/voice', voiceWords],
  ['/uploads/audio/voice', voiceWords],
  [
    '/user/info',
    () => ({ title: l10n.t("This service doesn't report a balance"), instead: l10n.t('Look in its console.') }),
  ],
];

function chatWords(): NotOffered {
  return { title: l10n.t("This service doesn't offer chat"), instead: useAnother() };
}

function voiceWords(): NotOffered {
  return { title: l10n.t("This service doesn't store voice styles"), instead: useAnother() };
}

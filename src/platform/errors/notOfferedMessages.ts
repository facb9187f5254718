import * as l10n from '@vscode/l10n';
import type { ApiError } from '../../core/api/errors';
import { step } from './errorActions';
import type { Words } from './errorMessage';

/** Describes what a service does not have, by the endpoint that is missing, and what does instead. */
export function notOfferedWords({ details: { endpoint = '', hint } }: ApiError): Words {
  if (hint === 'ranksElsewhere') {
    return {
      title: l10n.t('NVIDIA reranks at another URL'),
      detail: l10n.t('Add an account with the base URL {0}.', nvidiaRanking),
      actions: [step('switchAccount')],
    };
  }
  const path = endpoint.replace(/^[A-Z]+ /, '');
  const [, words] = wordsByPath.find(([prefix]) => path.startsWith(prefix)) ?? [];
  const elsewhere = [step('switchAccount'), step('checkAgain')];
  if (!words) {
    return {
      title: l10n.t("This service doesn't support this"),
      detail: l10n.t("{0} isn't available.", endpoint === '' ? l10n.t('this path') : endpoint),
      actions: elsewhere,
    };
  }
  const { title, instead, isOfBatches = false } = words();
  return { title, detail: instead, actions: isOfBatches ? [step('runLocally'), ...elsewhere] : elsewhere };
}

const nvidiaRanking = 'https://ai.api.nvidia.com/v1';

interface NotOffered {
  readonly title: string;
  readonly instead: string;
  readonly isOfBatches?: true;
}

const useAnother = () => l10n.t('Use an account at another service.');

const noCancel = () => ({
  title: l10n.t("This service doesn't support canceling batches"),
  instead: l10n.t("The batch continues. Try to cancel it in the service's console."),
});

const noBatches = () => ({
  title: l10n.t("This service doesn't support batches"),
  instead: l10n.t('Run the batch file now instead.'),
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
      title: l10n.t("This service doesn't support file downloads"),
      instead: l10n.t("Open the file in the service's console."),
    }),
  ],
  [
    '/files',
    () => ({
      title: l10n.t("This service doesn't store files"),
      instead: l10n.t('Run the batch file now instead.'),
      isOfBatches: true,
    }),
  ],
  [
    '/completions',
    () => ({
      title: l10n.t("This service doesn't support text completion"),
      instead: l10n.t("Complete uses a chat model instead. Inline suggestions aren't available."),
    }),
  ],
  ['/messages', chatWords],
  ['/chat/completions', chatWords],
  ['/rerank', () => ({ title: l10n.t("This service doesn't support reranking"), instead: useAnother() })],
  [
    '/embeddings',
    () => ({
      title: l10n.t("This service doesn't support embeddings"),
      instead: l10n.t('You can still search files by words.'),
    }),
  ],
  ['/images', () => ({ title: l10n.t("This service doesn't support image generation"), instead: useAnother() })],
  ['/video', () => ({ title: l10n.t("This service doesn't support video generation"), instead: useAnother() })],
  ['/audio/speech', () => ({ title: l10n.t("This service doesn't support speech"), instead: useAnother() })],
  [
    '/audio/transcriptions',
    () => ({ title: l10n.t("This service doesn't support transcription"), instead: useAnother() }),
  ],
  ['/audio/voice', voiceWords],
  ['/uploads/audio/voice', voiceWords],
  [
    '/user/info',
    () => ({
      title: l10n.t("This service doesn't report your balance"),
      instead: l10n.t("Open the file in the service's console."),
    }),
  ],
];

function chatWords(): NotOffered {
  return { title: l10n.t("This service doesn't support chat"), instead: useAnother() };
}

function voiceWords(): NotOffered {
  return { title: l10n.t("This service doesn't support custom voices"), instead: useAnother() };
}

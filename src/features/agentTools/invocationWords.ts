import { posix } from 'node:path';
import { l10n } from 'vscode';
import type { AgentToolName } from '../../core/agentTools/toolNames';

type Input = Readonly<Record<string, unknown>>;

/** What the person reads while a tool runs. Of plain text: nothing that a model wrote becomes a link. */
export function invocationWords(name: AgentToolName, input: Input): string {
  return words[name](input);
}

const countOf = (value: unknown): string => (Array.isArray(value) ? String(value.length) : '0');
const nameOf = (path: unknown): string => plain(posix.basename(String(path).replaceAll('\\', '/')));
const plain = (text: unknown): string =>
  String(text)
    .replaceAll(/[^\p{L}\p{N}\s.,:'_-]/gu, ' ')
    .slice(0, 80)
    .trim();

const words: Readonly<Record<AgentToolName, (input: Input) => string>> = {
  inferenceDesk_rerank: ({ documents, files }) =>
    documents === undefined
      ? l10n.t('Ranking {0} files', countOf(files))
      : l10n.t('Ranking {0} texts', countOf(documents)),
  inferenceDesk_findFiles: ({ question }) => l10n.t('Finding by meaning: {0}', plain(question)),
  inferenceDesk_generateImage: () => l10n.t('Generating a picture'),
  inferenceDesk_submitVideo: () => l10n.t('Ordering a video'),
  inferenceDesk_videoStatus: () => l10n.t('Asking how the video gets on'),
  inferenceDesk_checkBatchFile: ({ file }) => l10n.t('Checking {0}', nameOf(file)),
  inferenceDesk_submitBatch: ({ file }) => l10n.t('Submitting {0}', nameOf(file)),
  inferenceDesk_batchStatus: ({ id }) =>
    id === undefined ? l10n.t('Listing batches') : l10n.t('Asking how the batch gets on'),
  inferenceDesk_batchResults: () => l10n.t('Reading the results of the batch'),
  inferenceDesk_listModels: () => l10n.t('Listing models'),
  inferenceDesk_accountBalance: () => l10n.t('Asking for the balance'),
};

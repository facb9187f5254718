import { posix } from 'node:path';
import { l10n } from 'vscode';
import type { MarkdownString } from 'vscode';
import { foreign } from '../../core/text/foreignText';
import { markdown } from '../../platform/notify';
import type { AgentToolName } from '../../core/agentTools/toolNames';

const mostCharacters = 80;

type Input = Readonly<Record<string, unknown>>;

/**
 * Returns the message shown while a tool runs. The editor renders it as Markdown, so text from a model is escaped and cannot become a link.
 */
export function invocationWords(name: AgentToolName, input: Input): MarkdownString {
  return markdown`${words[name](input)}`;
}

const countOf = (value: unknown): string => (Array.isArray(value) ? String(value.length) : '0');
const nameOf = (path: unknown): string => foreign(posix.basename(String(path).replaceAll('\\', '/')), mostCharacters);

const words: Readonly<Record<AgentToolName, (input: Input) => string>> = {
  inferenceDesk_rerank: ({ documents, files }) =>
    documents === undefined
      ? l10n.t('Ranking {0} files', countOf(files))
      : l10n.t('Ranking {0} texts', countOf(documents)),
  inferenceDesk_findFiles: ({ question }) =>
    l10n.t('Finding by meaning: {0}', foreign(String(question), mostCharacters)),
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

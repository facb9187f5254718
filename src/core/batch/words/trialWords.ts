import * as l10n from '@vscode/l10n';

export const trialWords = {
  line: (line: number) => l10n.t('Line {0}', line),
  place: (file: string, line: number) => l10n.t('{0}, line {1}', file, line),
  /** The number is only passed if there are several answers. */
  answer: (number: number | undefined) => (number === undefined ? l10n.t('Answer') : l10n.t('Answer {0}', number)),
  reasoning: (number: number | undefined) =>
    number === undefined ? l10n.t('Reasoning') : l10n.t('Reasoning {0}', number),
  call: (name: string) => l10n.t('Tool call: {0}', name),
  answering: () => l10n.t('Answering…'),
  stopped: () => l10n.t('Stopped'),
  failed: (isBegun: boolean) => (isBegun ? l10n.t('Not answered to its end') : l10n.t('Not answered')),
  finish: (reason: string) => l10n.t('finish reason {0}', reason),
  tokensIn: (count: string) => l10n.t('{0} tokens in', count),
  tokensOut: (count: string) => l10n.t('{0} tokens out', count),
  reasoningTokens: (count: string) => l10n.t('{0} of them for reasoning', count),
  firstToken: (seconds: string) => l10n.t('first token after {0} s', seconds),
  seconds: (seconds: string) => l10n.t('{0} s', seconds),
};

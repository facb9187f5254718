import * as l10n from '@vscode/l10n';
import type { NumberAt } from './parameterTable';

type Described = NumberAt<'chat' | 'batch'> | 'stop' | 'stop_sequences' | 'prefill' | 'enable_thinking';

/** The purposes of parameters, for hovers and suggestions in batch and prompt files. */
export const parameterTexts: { readonly [Name in Described]: () => string } = {
  max_tokens: () => l10n.t('Maximum number of response tokens.'),
  temperature: () => l10n.t('Lower is more focused, higher more varied. Typical: 0.7.'),
  top_p: () => l10n.t('Limits sampling to the most likely tokens up to this cumulative probability.'),
  top_k: () => l10n.t('Number of most likely tokens to choose from.'),
  min_p: () => l10n.t('Excludes tokens below this fraction of the highest probability.'),
  frequency_penalty: () => l10n.t('Above 0, words become less likely with each use.'),
  presence_penalty: () => l10n.t('Above 0, used words become less likely.'),
  n: () => l10n.t("Number of responses. You're charged for each one."),
  seed: () => l10n.t('The same seed usually gives the same response.'),
  stop: () => l10n.t('Up to 4 strings that end the response.'),
  stop_sequences: () => l10n.t('Strings that end the response.'),
  prefill: () => l10n.t('Beginning of the response. Supports variables.'),
  enable_thinking: () => l10n.t('Whether the model reasons first. Some models reject this.'),
  thinking_budget: () => l10n.t('Maximum number of tokens for reasoning. Usually defaults to 4096.'),
};

import * as l10n from '@vscode/l10n';
import type { NumberAt } from './parameterTable';

type Described = NumberAt<'chat' | 'batch'> | 'stop' | 'stop_sequences' | 'prefill' | 'enable_thinking';

/** What a parameter is for, for hovers and suggestions in batch and prompt files. */
export const parameterTexts: { readonly [Name in Described]: () => string } = {
  max_tokens: () =>
    l10n.t("Maximum number of tokens in the response. The messages and the response must fit in the model's context."),
  temperature: () =>
    l10n.t('Randomness of the response. Lower values are more focused, higher values more varied. Typical: 0.7.'),
  top_p: () =>
    l10n.t(
      'Limits the choice to the most likely tokens that together reach this probability. Change this or temperature, not both.',
    ),
  top_k: () => l10n.t('Limits the choice to this number of the most likely tokens.'),
  min_p: () => l10n.t('Excludes tokens that are less likely than this fraction of the most likely token.'),
  frequency_penalty: () => l10n.t("Above 0, words become less likely each time they're used."),
  presence_penalty: () => l10n.t('Above 0, words that have been used become less likely, which encourages new topics.'),
  n: () => l10n.t("Number of responses. You're charged for each one."),
  seed: () => l10n.t('The same seed and request usually give the same response. Not guaranteed.'),
  stop: () => l10n.t('The response ends before the first of these strings. Up to 4.'),
  stop_sequences: () => l10n.t('The response ends before the first of these strings.'),
  prefill: () => l10n.t('Beginning of the response, which the model continues. You can use variables here too.'),
  enable_thinking: () =>
    l10n.t(
      'Controls whether the model reasons before it responds. Models without this option reject the request, even for false.',
    ),
  thinking_budget: () => l10n.t('Maximum number of tokens for reasoning. Usually 4096.'),
};

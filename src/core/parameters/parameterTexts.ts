import * as l10n from '@vscode/l10n';
import type { NumberAt } from './parameterTable';

type Described = NumberAt<'chat' | 'batch'> | 'stop' | 'stop_sequences' | 'prefill' | 'enable_thinking';

/** What a parameter is for, for hovers and suggestions in batch and prompt files. */
export const parameterTexts: { readonly [Name in Described]: () => string } = {
  max_tokens: () =>
    l10n.t('The most tokens of the answer. Together with the messages they must fit into the context of the model.'),
  temperature: () => l10n.t('How freely words are chosen: low for the likeliest ones, high for variety. Usual: 0.7.'),
  top_p: () =>
    l10n.t(
      'Chooses among the likeliest words which together have this probability. Change it or temperature, not both.',
    ),
  top_k: () => l10n.t('Chooses among so many of the likeliest words.'),
  min_p: () => l10n.t('Leaves words out that are less likely than this share of the likeliest one.'),
  frequency_penalty: () => l10n.t('Above 0, words become less likely the more often they were used already.'),
  presence_penalty: () => l10n.t('Above 0, words that were used already become less likely: new subjects come up.'),
  n: () => l10n.t('How many answers are given. Each is paid for.'),
  seed: () => l10n.t('The same seed and the same request give the same answer as far as possible. Not guaranteed.'),
  stop: () => l10n.t('The answer ends before the first of these texts. Up to 4.'),
  stop_sequences: () => l10n.t('The answer ends before the first of these texts.'),
  prefill: () => l10n.t('What the answer begins with; the model goes on from there. Places are filled in here too.'),
  enable_thinking: () =>
    l10n.t('Whether the model thinks before it answers. Models that cannot choose refuse the request, even for false.'),
  thinking_budget: () => l10n.t('The most tokens spent on thinking. Usual: 4096.'),
};

import { l10n } from 'vscode';
import { askPick } from '../../platform/quickInput';
import type { TokensAsked } from './asking';

/** Asks which tokens to show. `undefined` on cancel. */
export async function chooseTokens(now: TokensAsked): Promise<TokensAsked | undefined> {
  const current = (tokens: TokensAsked) => (tokens === now ? { description: l10n.t('now') } : {});
  const answer = await askPick<TokensAsked>({
    title: l10n.t('Show Tokens'),
    placeholder: l10n.t('How sure the model was of each token, where the service tells it'),
    canGoBack: false,
    items: [
      {
        label: l10n.t('Of the answer'),
        detail: l10n.t('It streams as always.'),
        ...current('answer'),
        value: 'answer',
      },
      {
        label: l10n.t('Of the prompt and the answer'),
        detail: l10n.t('Services tell those of the prompt only with an answer that comes all at once.'),
        ...current('all'),
        value: 'all',
      },
    ],
  });
  return answer.kind === 'value' ? answer.value : undefined;
}

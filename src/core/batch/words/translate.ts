import * as l10n from '@vscode/l10n';

/** Puts sentences by their English words in the place of the English ones; without any, English it is. */
export function useTranslations(bundle: Readonly<Record<string, string>> | undefined): void {
  if (bundle) l10n.config({ contents: { ...bundle } });
}

import * as l10n from '@vscode/l10n';

/**
 * Sets the translated texts of this thread by their English text. Called once, before anything is worded. Without translations, texts are
 * in English.
 */
export function useTranslations(bundle: Readonly<Record<string, string>> | undefined): void {
  if (bundle) l10n.config({ contents: { ...bundle } });
}

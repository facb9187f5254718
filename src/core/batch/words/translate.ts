import * as l10n from '@vscode/l10n';

/** Sets the translated messages by their English text; without them, messages are in English. */
export function useTranslations(bundle: Readonly<Record<string, string>> | undefined): void {
  if (bundle) l10n.config({ contents: { ...bundle } });
}

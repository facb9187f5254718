import * as l10n from '@vscode/l10n';

/** Returns why a file can't be read, or the message of any other error, as one sentence or line. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return l10n.t("The file doesn't exist.");
  if (code === 'EACCES' || code === 'EPERM') return l10n.t("You don't have permission to read the file.");
  if (code === 'EISDIR') return l10n.t("This isn't a file.");
  return error.message;
}

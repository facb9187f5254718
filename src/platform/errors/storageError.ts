import { l10n } from 'vscode';
import { step } from './errorActions';
import { UserError } from './userError';

export function storageError(): UserError {
  return new UserError(
    l10n.t("The editor's secret storage does not work"),
    l10n.t("It keeps the API keys. Unlock or repair the system's keyring, then try again."),
    [step('showLog'), step('reportProblem')],
  );
}

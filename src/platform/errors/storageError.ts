import * as l10n from '@vscode/l10n';
import { step } from './errorActions';
import { UserError } from './userError';

export function storageError(): UserError {
  return new UserError(
    l10n.t("VS Code's secret storage isn't available"),
    l10n.t("Unlock or repair the system's keyring."),
    [step('showLog'), step('reportProblem')],
  );
}

import * as l10n from '@vscode/l10n';
import { env } from 'vscode';
import { step } from '../platform/errors/errorActions';
import { UserError } from '../platform/errors/userError';
import { listText } from '../protocol/formats';

/** Returns the error for features that did not start; `names` are their folder names, as in the log. */
export function notStarted(names: readonly string[]): UserError {
  return new UserError(
    l10n.t("Part of Inference Desk didn't start"),
    l10n.t(
      "{0} isn't available in this window. Reload the window, or report the problem.",
      listText(names, env.language),
    ),
    [step('showLog'), step('reportProblem')],
  );
}

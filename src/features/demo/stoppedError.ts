import { l10n } from 'vscode';
import { step } from '../../platform/errors/errorActions';
import { UserError } from '../../platform/errors/userError';

export function stoppedError(): UserError {
  return new UserError(
    l10n.t('The demo service is stopped'),
    l10n.t('It was stopped in this window. Start it again to go on.'),
    [step('tryDemo')],
  );
}

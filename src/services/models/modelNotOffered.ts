import * as l10n from '@vscode/l10n';
import { foreign } from '../../core/text/foreignText';
import { chooseModel, step } from '../../platform/errors/errorActions';
import { UserError } from '../../platform/errors/userError';
import { listText } from '../../protocol/formats';

/** Says in one line that an account has no such models. */
export function modelNotOfferedTitle(models: readonly string[], account: string, language: string): string {
  const names = models.map((id) => foreign(id));
  return l10n.t("{0} doesn't offer {1}", foreign(account), listText(names, language));
}

/** `isBound`: what would be sent can go to no other model. */
export function modelNotOffered(
  models: readonly string[],
  account: string,
  isBound: boolean,
  language: string,
): UserError {
  const detail = isBound
    ? l10n.t('Only the same model can continue a response. Switch to its account, or ask another model a new question.')
    : l10n.t('Choose another model, or switch to the account that offers this one.');
  const actions = isBound ? [step('switchAccount')] : [chooseModel(), step('switchAccount')];
  return new UserError(modelNotOfferedTitle(models, account, language), detail, actions);
}

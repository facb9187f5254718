import * as l10n from '@vscode/l10n';
import type { PresetErrors } from './parameterMemory';
import { UserError } from '../../platform/errors/userError';
import { foreign } from '../../core/text/foreignText';

export const presetErrors: PresetErrors = {
  presetNameTaken: (name) =>
    new UserError(
      l10n.t('There is a preset of this name'),
      l10n.t('"{0}" already exists, so the preset wasn\'t renamed.', foreign(name)),
    ),
  presetGone: () =>
    new UserError(
      l10n.t('This preset no longer exists'),
      l10n.t('The preset has been deleted, possibly in another window.'),
    ),
};

import { l10n } from 'vscode';
import type { PresetErrors } from './parameterMemory';
import { UserError } from '../../platform/errors/userError';
import { foreign } from '../../core/text/foreignText';

export const presetErrors: PresetErrors = {
  presetNameTaken: (name) =>
    new UserError(l10n.t('There is a preset of this name'), l10n.t('“{0}” was not renamed over.', foreign(name))),
  presetGone: () =>
    new UserError(l10n.t('This preset is gone'), l10n.t('It was deleted meanwhile, maybe in another window.')),
};

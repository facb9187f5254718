import * as l10n from '@vscode/l10n';
import type { ParameterIssue } from '../../core/api/parameters';
import { listText } from '../../protocol/formats';
import { sentences } from '../../protocol/sentences';

/** Describes, in a sentence or two, the parameter and the limit it violates. `language` as in `vscode.language`. */
export function parameterWords({ parameter, rule, bound, actual }: ParameterIssue, language: string): string {
  const limit = Array.isArray(bound) ? listText(bound.map(String), language) : String(bound ?? '');
  const valueText = actual === undefined ? undefined : l10n.t('The value is {0}.', actual);
  switch (rule) {
    case 'required':
      return l10n.t('{0} is missing.', parameter);
    case 'unknown':
      return l10n.t("This request doesn't support {0}.", parameter);
    case 'type':
      return l10n.t('{0} must be of type {1}.', parameter, limit);
    case 'integer':
      return sentences(l10n.t('{0} must be a whole number.', parameter), valueText);
    case 'min':
      return sentences(l10n.t('{0} must be at least {1}.', parameter, limit), valueText);
    case 'max':
      return sentences(l10n.t("{0} can't be greater than {1}.", parameter, limit), valueText);
    case 'minItems':
      return sentences(l10n.t('{0} must have at least {1} entries.', parameter, limit), valueText);
    case 'maxItems':
      return sentences(l10n.t('{0} can have up to {1} entries.', parameter, limit), valueText);
    case 'minLength':
      return sentences(l10n.t('{0} must have at least {1} characters.', parameter, limit), valueText);
    case 'maxLength':
      return sentences(l10n.t('{0} can have up to {1} characters.', parameter, limit), valueText);
    case 'oneOf':
      return sentences(l10n.t('{0} must be one of: {1}.', parameter, limit), valueText);
    case 'pattern':
      return sentences(l10n.t('{0} must match {1}.', parameter, limit), valueText);
    case 'modelSupport':
      return l10n.t('{0} only works with these models: {1}.', parameter, limit);
  }
}

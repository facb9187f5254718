import * as l10n from '@vscode/l10n';

/** Describes a JSON syntax error; `what` is the parser's error name, e.g. `CommaExpected`. */
export function jsonSyntaxWords(what: string): string {
  switch (what) {
    case 'CommaExpected':
      return l10n.t('Expected a comma.');
    case 'ColonExpected':
      return l10n.t('Expected a colon.');
    case 'PropertyNameExpected':
      return l10n.t('Expected a property name in double quotes.');
    case 'ValueExpected':
      return l10n.t('Expected a value.');
    case 'CloseBraceExpected':
      return l10n.t('Expected a closing brace.');
    case 'CloseBracketExpected':
      return l10n.t('Expected a closing bracket.');
    case 'UnexpectedEndOfString':
      return l10n.t('Expected a closing quote.');
    case 'InvalidCommentToken':
    case 'UnexpectedEndOfComment':
      return l10n.t("JSON doesn't support comments.");
    case 'EndOfFileExpected':
      return l10n.t('Unexpected text after the JSON.');
    default:
      return l10n.t('Invalid JSON.');
  }
}

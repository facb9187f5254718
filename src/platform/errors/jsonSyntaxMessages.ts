import { l10n } from 'vscode';

/** Describes a JSON syntax error; `what` is the parser's error name, e.g. `CommaExpected`. */
export function jsonSyntaxWords(what: string): string {
  switch (what) {
    case 'CommaExpected':
      return l10n.t('A comma is missing here.');
    case 'ColonExpected':
      return l10n.t('A colon is missing here.');
    case 'PropertyNameExpected':
      return l10n.t('A name in double quotes belongs here.');
    case 'ValueExpected':
      return l10n.t('A value belongs here.');
    case 'CloseBraceExpected':
      return l10n.t('A closing brace is missing here.');
    case 'CloseBracketExpected':
      return l10n.t('A closing bracket is missing here.');
    case 'UnexpectedEndOfString':
      return l10n.t('A text ends here without its closing quote.');
    case 'InvalidCommentToken':
    case 'UnexpectedEndOfComment':
      return l10n.t('JSON has no comments.');
    case 'EndOfFileExpected':
      return l10n.t('The JSON ends before this; nothing belongs here.');
    default:
      return l10n.t('This is not JSON.');
  }
}

import * as vscode from 'vscode';
import { ageWords } from '../../platform/age';
import { describe } from '../../platform/errors/reportError';
import { titled } from '../../protocol/sentences';

/** Returns the message above rows that could not be refreshed: how old they are; if there are none, the reason. */
export function listErrorText(
  error: unknown,
  { readAt, hasRows }: { readAt: number | undefined; hasRows: boolean },
): string {
  const { title, detail } = describe(error);
  if (!hasRows || readAt === undefined) return titled(title, detail);
  return vscode.l10n.t('{0}. Last read: {1}.', title, ageWords(readAt, Date.now(), vscode.env.language));
}

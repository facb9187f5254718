import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../../platform/commands';
import { ageWords } from '../../platform/age';
import { numberText } from '../../platform/displayText';
import { retry } from '../../platform/errors/errorActions';
import { commandOf, describe } from '../../platform/errors/reportError';
import { CommandRow } from '../../platform/listRow';
import { treeItem } from '../../platform/notify';
import { titled } from '../../protocol/sentences';

/** Returns the message above rows that could not be refreshed: why, what to do, and how old they are. */
export function listErrorText(
  error: unknown,
  { readAt, hasRows }: { readAt: number | undefined; hasRows: boolean },
): string {
  const { title, detail } = describe(error);
  if (!hasRows || readAt === undefined) return titled(title, detail);
  const age = ageWords(readAt, Date.now(), vscode.env.language);
  return titled(title, detail, l10n.t('Last loaded: {0}.', age));
}

/** Returns the message above rows that couldn't be refreshed, or that are only the first. */
export function listText({ error, readAt }: { error: unknown; readAt: number | undefined }, rows: number): string {
  if (error !== undefined) return listErrorText(error, { readAt, hasRows: rows > 0 });
  return l10n.t('Showing only the first {0}.', numberText(rows, vscode.env.language));
}

/** Returns the rows below the message of an empty list: to try again, and the error's other actions. */
export function errorRows(error: unknown, refresh: CommandId): readonly CommandRow[] {
  const actions = describe(error).actions.flatMap(({ id, label }) => {
    const call = commandOf(id);
    return call ? [toRow(label, 'arrow-small-right', call)] : [];
  });
  return [toRow(retry().label, 'refresh', { command: refresh, arguments: [] }), ...actions];
}

function toRow(
  label: string,
  icon: string,
  { command, arguments: args }: { readonly command: string; readonly arguments: readonly unknown[] },
): CommandRow {
  return new CommandRow(() => {
    const item = treeItem(label);
    item.iconPath = new vscode.ThemeIcon(icon);
    item.accessibilityInformation = { label };
    item.command = { command, title: label, arguments: [...args] };
    return item;
  });
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RemoteFile } from '../../core/api/files/files.schema';
import { ageWords } from '../../platform/age';
import { statusText } from '../../services/batches/batchMessages';
import { absoluteTimeText, bytesText, numberText, shortened } from '../../platform/displayText';
import { factsTooltip } from '../../platform/factsTooltip';
import type { RowDrawing } from '../../services/lists/listView';
import type { FileRow, FileUse } from './logic/fileRows';
import { listText } from '../../protocol/formats';
import { treeItem } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

/** How many batches of a file are listed by name. */
const mostNamed = 8;

/** Renders a file as a tree item with its size, its age, and its purpose. */
export function toFileItem({ file, uses, usesKnown }: FileRow, now: number): vscode.TreeItem {
  const { language } = vscode.env;
  const name = fileName(file);
  const isUnused = usesKnown && uses.length === 0;
  const parts = [
    linesText(file.lineCount, language),
    usesText(uses, usesKnown, language),
    file.bytes === undefined ? undefined : bytesText(file.bytes, language),
    file.createdAt === undefined ? undefined : ageWords(file.createdAt * 1000, now, language),
  ].filter((part) => part !== undefined);

  const item = treeItem(name);
  item.contextValue = 'file';
  item.iconPath = new vscode.ThemeIcon('file', isUnused ? new vscode.ThemeColor('disabledForeground') : undefined);
  item.description = parts.join(' · ');
  item.accessibilityInformation = { label: listText([name, ...parts], language) };
  return item;
}

export function fileTooltip({ file, uses, usesKnown }: FileRow, now: number): vscode.MarkdownString {
  const { language } = vscode.env;
  const { id, bytes, lineCount, purpose } = file;
  const createdAt = file.createdAt === undefined ? undefined : file.createdAt * 1000;
  return factsTooltip(fileName(file), [
    [l10n.t('ID'), id],
    [l10n.t('Lines'), lineCount === undefined ? undefined : numberText(lineCount, language)],
    [l10n.t('Size'), sizeFact(bytes, language)],
    [
      l10n.t('Uploaded'),
      createdAt === undefined
        ? undefined
        : l10n.t('{0}, {1}', ageWords(createdAt, now, language), absoluteTimeText(createdAt, language)),
    ],
    [l10n.t('Purpose'), purpose],
    [l10n.t('Used by'), usedByFact(uses, usesKnown, language)],
  ]);
}

export function fileName({ filename, id }: RemoteFile): string {
  return filename || shortened(id);
}

function linesText(count: number | undefined, language: string): string | undefined {
  if (count === undefined) return undefined;
  return count === 1 ? l10n.t('1 line') : l10n.t('{0} lines', numberText(count, language));
}

/** `undefined` if it is unknown whether the file was used. */
function usesText(uses: readonly FileUse[], usesKnown: boolean, language: string): string | undefined {
  if (uses.length === 0) return usesKnown ? l10n.t('unused') : undefined;
  return uses.length === 1 ? l10n.t('1 batch') : l10n.t('{0} batches', numberText(uses.length, language));
}

function usedByFact(uses: readonly FileUse[], usesKnown: boolean, language: string): string | undefined {
  if (uses.length === 0) return usesKnown ? l10n.t('no batches') : undefined;
  const named = uses
    .slice(0, mostNamed)
    .map(({ name, status }) => (status === undefined ? name : l10n.t('{0} ({1})', foreign(name), statusText(status))));
  const others = uses.length - named.length;
  return others === 0
    ? listText(named, language)
    : l10n.t('{0} and {1} more', listText(named, language), numberText(others, language));
}

function sizeFact(bytes: number | undefined, language: string): string | undefined {
  if (bytes === undefined) return undefined;
  const short = bytesText(bytes, language);
  return bytes < 1000 ? short : l10n.t('{0} ({1} bytes)', short, numberText(bytes, language));
}

export const fileDrawing: RowDrawing<FileRow> = { toItem: toFileItem, tooltipOf: fileTooltip };

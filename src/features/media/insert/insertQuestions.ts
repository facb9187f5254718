import path from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { beginningOf, oneLine } from '../../../core/assets/altText';
import type { InsertForm } from '../../../core/assets/insertForms';
import { askPick, type PickItem } from '../../../platform/quickInput';
import { UserError } from '../../../platform/errors/userError';
import type { MediaQuestions, OfferedForm } from '../mediaQuestions';
import type { CopyTarget } from './insertTarget';
import { isBelow } from './distance';

/** Asks which form to insert, and where to copy the file. */
export const askInsert: MediaQuestions['insert'] = async (fitting, others, target) => {
  const answer = await askPick<InsertForm | 'choose' | 'stay'>({
    title: title(),
    placeholder: target
      ? l10n.t('Choose a form. The file is copied to {0}.', shownFolder(target))
      : l10n.t('In which form?'),
    canGoBack: false,
    canFilter: true,
    items: [
      ...fitting.map(toItem),
      ...(target
        ? [
            divider(l10n.t('Other places')),
            item('folder-opened', l10n.t('Copy to another folder…'), 'choose' as const),
            item('file-symlink-file', l10n.t('Link to the original'), 'stay' as const),
          ]
        : []),
      divider(l10n.t('Other forms')),
      ...others.map(toItem),
    ],
  });
  if (answer.kind !== 'value') return undefined;
  const [{ form }] = fitting as readonly [OfferedForm];
  if (answer.value === 'stay') return { form };
  if (answer.value !== 'choose') return { form: answer.value, target };
  const chosen = target && (await chooseFolder(target.base));
  return chosen && { form, target: chosen };
};

function shownFolder({ base, folder }: CopyTarget): string {
  return folder === '' ? path.basename(base) : folder;
}

async function chooseFolder(base: string): Promise<CopyTarget | undefined> {
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title: title(),
      openLabel: l10n.t('Copy Here'),
      defaultUri: vscode.Uri.file(base),
      canSelectFiles: false,
      canSelectFolders: true,
    })) ?? [];
  if (!chosen) return undefined;
  const folder = path.relative(base, chosen.fsPath);
  if (chosen.scheme === 'file' && (folder === '' || isBelow(chosen.fsPath, base))) return { base, folder };
  throw new UserError(
    l10n.t('This folder is not part of the project'),
    l10n.t('Choose one in “{0}”, so that the text and the file move together.', base),
  );
}

function title(): string {
  return l10n.t('Insert at cursor');
}

function toItem({ form, text }: OfferedForm): PickItem<InsertForm> {
  return { label: formLabel(form), detail: beginningOf(oneLine(text), 160), value: form };
}

function divider(label: string): PickItem<never> {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function item<T>(icon: string, label: string, value: T): PickItem<T> {
  return { label, iconPath: new vscode.ThemeIcon(icon), value };
}

function formLabel(form: InsertForm): string {
  const labels: Readonly<Record<InsertForm, string>> = {
    markdown: 'Markdown',
    html: 'HTML',
    import: l10n.t('Import'),
    css: 'CSS',
    latex: 'LaTeX',
    restructuredText: 'reStructuredText',
    asciiDoc: 'AsciiDoc',
    path: l10n.t('Path'),
  };
  return labels[form];
}

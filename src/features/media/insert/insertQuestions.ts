import path from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { beginningOf, oneLine } from '../../../core/assets/altText';
import type { InsertForm } from '../../../core/assets/insertForms';
import { askPick, askText } from '../../../platform/quickInput';
import type { PickItem } from '../../../platform/quickInput';
import { UserError } from '../../../platform/userError';
import type { MediaQuestions, OfferedForm } from '../mediaQuestions';
import { formLabel } from './formWords';
import { isBelow } from './nearness';
import { foreign } from '../../../core/text/foreignText';

export const insertQuestions: Pick<MediaQuestions, 'forms' | 'alt' | 'place'> = {
  async forms(fitting, others) {
    const answer = await askPick({
      title: title(),
      placeholder: l10n.t('In which form?'),
      canGoBack: false,
      canFilter: true,
      items: [...fitting.map(toItem), divider(l10n.t('Other forms')), ...others.map(toItem)],
    });
    return answer.kind === 'value' ? answer.value : undefined;
  },
  async alt(proposed) {
    const answer = await askText({
      title: title(),
      prompt: l10n.t('What it shows, for those who do not see it. Empty where it is only decoration.'),
      value: proposed,
      canGoBack: false,
      check: () => undefined,
    });
    return answer.kind === 'value' ? answer.value : undefined;
  },
  async place(file, base, folder) {
    const shown = folder === '' ? path.basename(base) : folder;
    const answer = await askPick<'copy' | 'choose' | 'stay'>({
      title: title(),
      placeholder: l10n.t('“{0}” is not part of the project. Copy it there?', foreign(path.basename(file))),
      canGoBack: false,
      items: [
        item('copy', l10n.t('Copy to {0}', shown), path.join(base, folder), 'copy'),
        item('folder-opened', l10n.t('Copy to another folder…'), undefined, 'choose'),
        item('file-symlink-file', l10n.t('Leave it where it is'), file, 'stay'),
      ],
    });
    if (answer.kind !== 'value') return undefined;
    if (answer.value === 'copy') return { folder };
    return answer.value === 'stay' ? 'stay' : chooseFolder(base);
  },
};

async function chooseFolder(base: string): Promise<{ readonly folder: string } | undefined> {
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
  if (chosen.scheme === 'file' && (folder === '' || isBelow(chosen.fsPath, base))) return { folder };
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

function item<T>(icon: string, label: string, detail: string | undefined, value: T): PickItem<T> {
  return { label, iconPath: new vscode.ThemeIcon(icon), value, ...(detail !== undefined && { detail }) };
}

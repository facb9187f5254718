import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { exists } from '../../core/storage/privateFiles';
import { askPick } from '../quickInput';
import type { StepResult } from '../quickInput';
import { UserError } from '../errors/userError';
import { foreign } from '../../core/text/foreignText';

/** Where to write a file. */
export interface Target {
  readonly target: string;
  /** Whether an existing file may be replaced, because the user confirmed that. */
  readonly replace: boolean;
}

/** Returns a path that is not taken: the suggested one, else one with a number after its name. */
export async function freePath(suggested: string): Promise<string> {
  const { dir, name, ext } = path.parse(suggested);
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? suggested : path.join(dir, `${name}-${number}${ext}`);
    if (!(await exists(candidate))) return candidate;
  }
}

/** Returns the path of a derived file next to the original, with `word` in its name. */
export function besideOf(file: string, word: string): string {
  const { dir, name } = path.parse(file);
  return path.join(dir, `${name}.${word}.jsonl`);
}

/** Shows a save dialog, which itself asks whether to replace an existing file. */
export async function chooseTarget(title: string, suggested: string): Promise<Target | undefined> {
  const uri = await vscode.window.showSaveDialog({
    title,
    defaultUri: vscode.Uri.file(suggested),
    filters: { 'JSON Lines': ['jsonl'] },
  });
  if (!uri) return undefined;
  if (uri.scheme === 'file') return { target: uri.fsPath, replace: true };
  throw new UserError(l10n.t("This location isn't on disk"), l10n.t('Choose a folder on disk.'));
}

/** Offers a path that is not taken, or to choose another. */
export async function askTarget(title: string, suggested: string): Promise<StepResult<Target>> {
  const free = await freePath(suggested);
  const answer = await askPick<'free' | 'other'>({
    title,
    placeholder: l10n.t('Choose where to save'),
    canGoBack: true,
    items: [
      {
        label: l10n.t('Save {0}', foreign(path.basename(free))),
        detail: path.dirname(free),
        iconPath: new vscode.ThemeIcon('save'),
        value: 'free',
      },
      { label: l10n.t('Save As…'), iconPath: new vscode.ThemeIcon('save-as'), value: 'other' },
    ],
  });
  if (answer.kind !== 'value') return answer;
  if (answer.value === 'free') return { kind: 'value', value: { target: free, replace: false } };
  const chosen = await chooseTarget(title, free);
  return chosen ? { kind: 'value', value: chosen } : { kind: 'cancelled' };
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import path from 'node:path';
import { ageWords } from '../../platform/age';
import { askPick, type PickItem } from '../../platform/quickInput';
import type { Asset, MediaAssets } from '../media/media';

/** Maximum number of generated images offered. Older ones are in the gallery. */
const mostOffered = 200;

/**
 * Lets the user choose an image: one of those that were generated, newest first, or a file. `endings` are the file types to offer.
 * `undefined` on cancel.
 */
export async function chooseImage(assets: MediaAssets, endings: readonly string[]): Promise<vscode.Uri | undefined> {
  const generated = (await assets.list()).filter(({ recipe }) => recipe.kind === 'image').slice(0, mostOffered);
  const [newest] = generated;
  if (!newest) return browse(endings);
  const answer = await askPick<Asset | 'browse'>({
    title: chooseTitle(),
    placeholder: l10n.t('Search by prompt, model, or file name'),
    canGoBack: false,
    canFilter: true,
    current: newest,
    items: [
      { label: l10n.t('Browse Files…'), iconPath: new vscode.ThemeIcon('folder-opened'), value: 'browse' },
      { label: l10n.t('Generated Images'), kind: vscode.QuickPickItemKind.Separator },
      ...generated.map(toItem),
    ],
  });
  if (answer.kind !== 'value') return undefined;
  return answer.value === 'browse' ? browse(endings) : vscode.Uri.file(answer.value.path);
}

function toItem(asset: Asset): PickItem<Asset> {
  const { recipe, path: file } = asset;
  return {
    label: recipe.kind === 'speech' ? recipe.request.input : recipe.request.prompt,
    description: ageWords(Date.parse(recipe.createdAt), Date.now(), vscode.env.language),
    detail: `${recipe.request.model} · ${path.basename(file)}`,
    iconPath: vscode.Uri.file(file),
    value: asset,
  };
}

async function browse(endings: readonly string[]): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: chooseTitle(),
    openLabel: l10n.t('Use Image'),
    filters: { [l10n.t('Images')]: [...endings] },
  });
  return chosen?.[0];
}

function chooseTitle(): string {
  return l10n.t('Choose an Image');
}

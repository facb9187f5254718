import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { oneLine } from '../../../core/assets/altText';
import type { AssetKind, Recipe } from '../../../core/assets/recipe';
import type { Asset } from '../../../services/media/media';

/** Bytes. VS Code scales row icons itself; larger images are not worth reading. */
const largestThumbnail = 4_000_000;

export const kindIcons: Readonly<Record<AssetKind, string>> = {
  image: 'file-media',
  video: 'device-camera-video',
  speech: 'unmute',
};

export function kindWords(kind: AssetKind): string {
  if (kind === 'image') return l10n.t('Image');
  return kind === 'video' ? l10n.t('Video') : l10n.t('Speech');
}

/** Returns the prompt or spoken text on one line, else the kind. */
export function titleOf(recipe: Recipe): string {
  const words = recipe.kind === 'speech' ? recipe.request.input : recipe.request.prompt;
  return oneLine(words) || kindWords(recipe.kind);
}

/** Pixels; `undefined` if unknown. */
export function sizeWords({ file: { width, height } }: Recipe): string | undefined {
  return width === undefined || height === undefined ? undefined : `${width}×${height}`;
}

/** Small images are their own icons. */
export function generatedIcon({ recipe: { kind, file }, path }: Asset): vscode.Uri | vscode.ThemeIcon {
  if (kind === 'image' && file.bytes <= largestThumbnail) return vscode.Uri.file(path);
  return new vscode.ThemeIcon(kindIcons[kind]);
}

import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { oneLine } from '../../../core/assets/altText';
import type { AssetKind, Recipe } from '../../../core/assets/recipe';
import type { Asset } from '../../../services/media/media';

/** The editor scales pictures of rows down itself; larger ones are not worth the reading. */
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

/** What was asked for, as a line. */
export function titleOf(recipe: Recipe): string {
  const words = recipe.kind === 'speech' ? recipe.request.input : recipe.request.prompt;
  return oneLine(words) || kindWords(recipe.kind);
}

/** Pixels, where they are known. */
export function sizeWords({ file: { width, height } }: Recipe): string | undefined {
  return width === undefined || height === undefined ? undefined : `${width}×${height}`;
}

/** A picture is its own icon. */
export function generatedIcon({ recipe: { kind, file }, path }: Asset): vscode.Uri | vscode.ThemeIcon {
  if (kind === 'image' && file.bytes <= largestThumbnail) return vscode.Uri.file(path);
  return new vscode.ThemeIcon(kindIcons[kind]);
}

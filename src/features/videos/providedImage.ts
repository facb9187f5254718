import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { droppedUri, providedImage, imageNotAccepted, tooLargeText } from '../../services/media/providedImage';
import type { MediaAssets, MediaInput } from '../../services/media/media';
import { maxImageBytes } from '../../protocol/mediaBounds';
import type { ProvidedImage } from '../../protocol/videos';

export interface ProvidedFiles {
  readonly uris: readonly string[];
  readonly pictures: readonly ProvidedImage[];
}

/** Stores a dropped or pasted image. Checks its URI before reading anything; throws `UserError` if it is not a file. */
export async function storeProvided({ uris, pictures }: ProvidedFiles, assets: MediaAssets): Promise<MediaInput> {
  if (uris.length + pictures.length > 1) throw imageNotAccepted(l10n.t('A video begins with one picture.'));
  const [uri] = uris;
  if (uri !== undefined) return keepFile(droppedUri(uri), assets);
  const [picture] = pictures;
  if (!picture) throw imageNotAccepted(l10n.t('What was dropped is no file.'));
  if ('trouble' in picture) throw imageNotAccepted(troubleText(picture.trouble));
  return assets.keepInput({ bytes: Buffer.from(picture.base64, 'base64'), name: picture.name });
}

/** Asks the user for an image, and stores it. `undefined` on cancel. */
export async function chooseImage(assets: MediaAssets): Promise<MediaInput | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: l10n.t('Choose the first picture'),
    openLabel: l10n.t('Use Picture'),
    filters: { [l10n.t('Pictures')]: ['png', 'jpg', 'jpeg', 'webp'] },
  });
  return chosen?.[0] ? keepFile(chosen[0], assets) : undefined;
}

async function keepFile(uri: vscode.Uri, assets: MediaAssets): Promise<MediaInput> {
  return assets.keepInput(await providedImage(uri, maxImageBytes));
}

function troubleText(trouble: 'folder' | 'tooLarge' | 'unreadable'): string {
  switch (trouble) {
    case 'folder':
      return l10n.t('It is a folder.');
    case 'tooLarge':
      return tooLargeText(maxImageBytes);
    case 'unreadable':
      return l10n.t('It could not be read.');
  }
}

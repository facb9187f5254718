import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { droppedPlace, givenPicture, pictureNotTaken, tooLargeText } from '../../platform/givenPicture';
import type { MediaAssets, MediaInput } from '../../platform/media';
import { mostPictureBytes } from '../../protocol/mediaBounds';
import type { GivenPicture } from '../../protocol/videos';

export interface Given {
  readonly uris: readonly string[];
  readonly pictures: readonly GivenPicture[];
}

/** Keeps what was dropped or pasted. Its address is checked before anything is read; `UserError` where it is none. */
export async function keepGiven(
  { uris, pictures }: Given,
  assets: Pick<MediaAssets, 'keepInput'>,
): Promise<MediaInput> {
  if (uris.length + pictures.length > 1) throw pictureNotTaken(l10n.t('A video begins with one picture.'));
  const [uri] = uris;
  if (uri !== undefined) return keepFile(droppedPlace(uri), assets);
  const [picture] = pictures;
  if (!picture) throw pictureNotTaken(l10n.t('What was dropped is no file.'));
  if ('trouble' in picture) throw pictureNotTaken(troubleText(picture.trouble));
  return assets.keepInput({ bytes: Buffer.from(picture.base64, 'base64'), name: picture.name });
}

/** Asks for one. `undefined` where the person left. */
export async function choosePicture(assets: Pick<MediaAssets, 'keepInput'>): Promise<MediaInput | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: l10n.t('Choose the first picture'),
    openLabel: l10n.t('Use Picture'),
    filters: { [l10n.t('Pictures')]: ['png', 'jpg', 'jpeg', 'webp'] },
  });
  return chosen?.[0] ? keepFile(chosen[0], assets) : undefined;
}

async function keepFile(uri: vscode.Uri, assets: Pick<MediaAssets, 'keepInput'>): Promise<MediaInput> {
  return assets.keepInput(await givenPicture(uri, mostPictureBytes));
}

function troubleText(trouble: 'folder' | 'tooLarge' | 'unreadable'): string {
  switch (trouble) {
    case 'folder':
      return l10n.t('It is a folder.');
    case 'tooLarge':
      return tooLargeText(mostPictureBytes);
    case 'unreadable':
      return l10n.t('It could not be read.');
  }
}

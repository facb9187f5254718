import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { bytesText } from '../../../platform/displayText';
import { droppedUri, providedImage } from '../../../services/images/providedImage';
import type { MediaAssets, MediaInput } from '../../../services/media/media';
import { UserError } from '../../../platform/errors/userError';
import { inputFields } from '../../../protocol/imageForm';
import type { ImageForm, ImageInput } from '../../../protocol/images';
import { maxImageBytes } from '../../../protocol/mediaBounds';

/** Input images that are sent with a request. */
export interface ProvidedInputs {
  /** Returns, by reference, the form's input images that are stored on this machine. */
  of(form: ImageForm): Readonly<Record<string, ImageInput>>;
  /** Looks up the form's references that are not known yet. */
  learn(form: ImageForm): Promise<void>;
  /** Resolves to the reference of the chosen image; `undefined` on cancel. Throws `UserError` if the file is not an image. */
  choose(): Promise<string | undefined>;
  drop(given: { readonly uri: string } | { readonly name: string; readonly base64: string }): Promise<string>;
}

export function createProvidedInputs(assets: MediaAssets, uriOf: (path: string) => string): ProvidedInputs {
  const known = new Map<string, MediaInput | undefined>();
  const keep = async (from: Parameters<MediaAssets['keepInput']>[0]) => {
    const input = await assets.keepInput(from);
    known.set(input.ref, input);
    return input.ref;
  };
  return {
    of: (form) =>
      Object.fromEntries(
        inputFields.flatMap((field) => {
          const input = known.get(form[field]);
          return input ? [[form[field], { uri: uriOf(input.path), facts: factsOf(input) }]] : [];
        }),
      ),
    async learn(form) {
      const unknown = inputFields.map((field) => form[field]).filter((ref) => ref !== '' && !known.has(ref));
      for (const ref of unknown) known.set(ref, await assets.input(ref));
    },
    async choose() {
      const [uri] =
        (await vscode.window.showOpenDialog({
          title: l10n.t('Picture to send along'),
          openLabel: l10n.t('Use'),
          filters: { [l10n.t('Pictures')]: ['png', 'jpg', 'jpeg', 'webp', 'gif', 'bmp', 'tif', 'tiff', 'avif'] },
        })) ?? [];
      return uri && keep(await providedImage(uri, maxImageBytes));
    },
    async drop(given) {
      if ('uri' in given) return keep(await providedImage(droppedUri(given.uri), maxImageBytes));
      if (given.base64 === 'tooLarge') throw tooLarge();
      return keep({ bytes: Buffer.from(given.base64, 'base64'), name: given.name });
    },
  };
}

function tooLarge(): UserError {
  return new UserError(
    l10n.t('The picture is too large'),
    l10n.t('More than 20 MB are not sent along. Make it smaller, then choose it again.'),
  );
}

function factsOf({ contentType, bytes, width, height }: MediaInput): string {
  const size = width !== undefined && height !== undefined ? `${width} × ${height}` : '';
  const kind = contentType.replace(/^image\//, '').toUpperCase();
  return [kind, size, bytesText(bytes, vscode.env.language)].filter(Boolean).join(' · ');
}

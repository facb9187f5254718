import * as l10n from '@vscode/l10n';
import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ImageRequest } from '../../core/api/images/images.schema';
import { inputMark } from '../../core/assets/recipe';
import { bytesText } from '../../platform/displayText';
import { chooseImage } from '../../services/images/chooseImage';
import { droppedUri, providedImage } from '../../services/images/providedImage';
import type { Asset, MediaAssets, MediaInput } from '../../services/media/media';
import { UserError } from '../../platform/errors/userError';
import { inputFields } from '../../protocol/imageForm';
import type { ImageForm, ImageInput, InputField } from '../../protocol/images';
import { maxImageBytes } from '../../protocol/mediaBounds';

/** Input images that are sent with a request. */
export class ProvidedInputs {
  private readonly known = new Map<string, MediaInput | undefined>();

  constructor(
    private readonly assets: () => Promise<MediaAssets>,
    private readonly uriOf: (path: string) => string,
  ) {}

  /** Returns, by reference, the form's input images that are stored on this machine. */
  of(form: ImageForm): Readonly<Record<string, ImageInput>> {
    return Object.fromEntries(
      inputFields.flatMap((field) => {
        const input = this.known.get(form[field]);
        return input ? [[form[field], { uri: this.uriOf(input.path), facts: factsOf(input) }]] : [];
      }),
    );
  }

  /** Looks up the form's references that are not known yet. */
  async learn(form: ImageForm): Promise<void> {
    const unknown = inputFields.map((field) => form[field]).filter((ref) => ref !== '' && !this.known.has(ref));
    for (const ref of unknown) this.known.set(ref, await (await this.assets()).input(ref));
  }

  /** Returns the fields of the request whose input images are not on this machine. */
  async away(request: ImageRequest): Promise<readonly InputField[]> {
    const isHere = await Promise.all(
      inputFields.map(async (field) => {
        const value = request[field];
        return !value?.startsWith(inputMark) || (await (await this.assets()).input(value)) !== undefined;
      }),
    );
    return inputFields.filter((_, at) => !isHere[at]);
  }

  /** Resolves to the reference of the chosen image; `undefined` on cancel. Throws `UserError` if the file is not an image. */
  async choose(): Promise<string | undefined> {
    const endings = ['png', 'jpg', 'jpeg', 'webp', 'gif', 'bmp', 'tif', 'tiff', 'avif'];
    const uri = await chooseImage(await this.assets(), endings);
    return uri && this.keep(await providedImage(uri, maxImageBytes));
  }

  async drop(image: { readonly uri: string } | { readonly name: string; readonly base64: string }): Promise<string> {
    if ('uri' in image) return this.keep(await providedImage(droppedUri(image.uri), maxImageBytes));
    if (image.base64 === 'tooLarge') throw tooLarge();
    return this.keep({ bytes: Buffer.from(image.base64, 'base64'), name: image.name });
  }

  private async keep(from: Parameters<MediaAssets['keepInput']>[0]): Promise<string> {
    const input = await (await this.assets()).keepInput(from);
    this.known.set(input.ref, input);
    return input.ref;
  }
}

function tooLarge(): UserError {
  return new UserError(l10n.t('The image is too large'), l10n.t('The limit is 20 MB.'));
}

function factsOf({ contentType, bytes, width, height }: MediaInput): string {
  const size = width !== undefined && height !== undefined ? `${width} × ${height}` : '';
  const kind = contentType.replace(/^image\//, '').toUpperCase();
  return [kind, size, bytesText(bytes, vscode.env.language)].filter(Boolean).join(' · ');
}

/** Cache of what is known about displayed files; each is read once. */
export class KnownAssets {
  private readonly known = new Map<string, Asset | 'gone'>();
  private readonly watchedPaths = new Set<string>();

  constructor(
    private readonly assets: () => Promise<MediaAssets>,
    private readonly onChange: () => void,
  ) {}

  /** `gone` if the file no longer exists; `undefined` while it has not been read. */
  get(path: string): Asset | 'gone' | undefined {
    return this.known.get(path);
  }

  /** Reads those not known yet, and calls `onChange` if that changed something. */
  want(paths: readonly string[]): void {
    for (const path of paths.filter((one) => !this.watchedPaths.has(one))) {
      this.watchedPaths.add(path);
      void this.look(path);
    }
  }

  /** Checks again whether the files still exist. */
  lookAgain(): void {
    for (const path of this.watchedPaths) void this.look(path);
  }

  private async look(path: string): Promise<void> {
    const isThere = await stat(path).then(
      (found) => found.isFile(),
      () => false,
    );
    const before = this.known.get(path);
    if (isThere && before !== undefined && before !== 'gone') return;
    const asset = isThere ? await this.read(path) : undefined;
    this.known.set(path, asset ?? 'gone');
    if (before !== this.known.get(path)) this.onChange();
  }

  private async read(path: string): Promise<Asset | undefined> {
    try {
      return await (await this.assets()).read(path);
    } catch {
      return undefined;
    }
  }
}

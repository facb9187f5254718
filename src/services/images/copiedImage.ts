import type { Memento } from 'vscode';

/** A file of ours whose image a page copied to the clipboard; `pixels` as defined by `hasPixels`. */
interface CopiedPicture {
  readonly path: string;
  readonly pixels: string;
}

const key = 'copiedPicture';

/** `memory`: the global one, shared by all windows. */
export async function rememberCopied(copied: CopiedPicture, memory: Memento): Promise<void> {
  await memory.update(key, copied);
}

/** Returns the file whose image was copied last, if the clipboard still holds that image; `png` is called only if one was copied. */
export async function copiedFile(png: () => Thenable<Uint8Array>, memory: Memento): Promise<string | undefined> {
  const copied = memory.get<CopiedPicture>(key);
  if (!copied) return undefined;
  const { hasPixels } = await import('../../core/assets/pngPixels');
  return hasPixels(await png(), copied.pixels) ? copied.path : undefined;
}

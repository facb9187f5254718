import type { Memento } from 'vscode';

/** A file of ours whose picture a page put on the clipboard; `pixels` as of `hasPixels`. */
interface CopiedPicture {
  readonly path: string;
  readonly pixels: string;
}

const key = 'copiedPicture';

/** `memory`: the global one, which windows share. */
export async function rememberCopied(copied: CopiedPicture, memory: Memento): Promise<void> {
  await memory.update(key, copied);
}

/** The file whose picture was copied last, where the clipboard still holds that: `png` is read only where one was. */
export async function copiedFile(png: () => Thenable<Uint8Array>, memory: Memento): Promise<string | undefined> {
  const copied = memory.get<CopiedPicture>(key);
  if (!copied) return undefined;
  const { hasPixels } = await import('../../core/assets/pngPixels');
  return hasPixels(await png(), copied.pixels) ? copied.path : undefined;
}

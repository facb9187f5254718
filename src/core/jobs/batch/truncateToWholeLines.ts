import { lstat, open, rm, stat, truncate } from 'node:fs/promises';
import { renameDurably } from '../../storage/atomicFile';

const blockBytes = 64 * 1024;
const lineEnd = 10;

/** Replaces `path` with the complete lines of a partial file, unless it has more already. Always removes the partial file. */
export async function keepWholeLines(part: string, path: string): Promise<void> {
  try {
    // The target of a link is not truncated.
    if (!(await lstat(part)).isFile()) return;
    const bytes = await wholeBytes(part);
    const had = (await stat(path).catch(() => undefined))?.size ?? 0;
    if (bytes <= had) return;
    await truncate(part, bytes);
    await renameDurably(part, path);
  } catch {
    // The partial file is missing or cannot be moved: the existing file stays.
  } finally {
    await rm(part, { force: true }).catch(() => undefined);
  }
}

/** Returns the number of bytes up to and including the last line break. */
async function wholeBytes(path: string): Promise<number> {
  const handle = await open(path, 'r');
  try {
    const block = Buffer.alloc(blockBytes);
    for (let end = (await handle.stat()).size; end > 0;) {
      const start = Math.max(0, end - blockBytes);
      const { bytesRead } = await handle.read(block, 0, end - start, start);
      const at = block.subarray(0, bytesRead).lastIndexOf(lineEnd);
      if (at >= 0) return start + at + 1;
      end = start;
    }
    return 0;
  } finally {
    await handle.close();
  }
}

import type { FileHandle } from 'node:fs/promises';

interface Box {
  readonly type: string;
  /** Bounds of the box's content. */
  readonly start: number;
  readonly end: number;
}

const mostBoxes = 200;
/** A track header is small; the rest of a clip's index lists every frame, so no more than this is read. */
const trackHeaderBytes = 104;

/** Returns the pixel size of the first track that has one in an MP4 or QuickTime file (ISO/IEC 14496-12); empty if none does. */
export async function clipSize(
  handle: Pick<FileHandle, 'read'>,
  size: number,
): Promise<{ readonly width?: number; readonly height?: number }> {
  for await (const movie of boxes(handle, 0, size)) {
    if (movie.type !== 'moov') continue;
    for await (const track of boxes(handle, movie.start, movie.end)) {
      const found = track.type === 'trak' ? await trackSize(handle, track) : undefined;
      if (found) return found;
    }
  }
  return {};
}

async function trackSize(handle: Pick<FileHandle, 'read'>, track: Box) {
  for await (const { type, start, end } of boxes(handle, track.start, track.end)) {
    if (type !== 'tkhd') continue;
    const head = Buffer.alloc(Math.min(trackHeaderBytes, end - start));
    const { bytesRead } = await handle.read(head, 0, head.length, start);
    // Width and height are the last eight bytes of the header, in 16.16 fixed point; the times before them have 32 bits, or 64 in
    // version 1.
    const at = head[0] === 1 ? 88 : 76;
    if (bytesRead < at + 8) return undefined;
    const [width, height] = [head.readUInt32BE(at) >>> 16, head.readUInt32BE(at + 4) >>> 16];
    return width > 0 && height > 0 ? { width, height } : undefined;
  }
  return undefined;
}

async function* boxes(handle: Pick<FileHandle, 'read'>, from: number, to: number): AsyncGenerator<Box> {
  const head = Buffer.alloc(16);
  for (let at = from, count = 0; at + 8 <= to && count < mostBoxes; count++) {
    const { bytesRead } = await handle.read(head, 0, 16, at);
    if (bytesRead < 8) return;
    const short = head.readUInt32BE(0);
    const isLong = short === 1 && bytesRead === 16;
    const length = isLong ? Number(head.readBigUInt64BE(8)) : short === 0 ? to - at : short;
    const start = at + (isLong ? 16 : 8);
    if (at + length < start) return;
    const end = Math.min(to, at + length);
    yield { type: head.toString('latin1', 4, 8), start, end };
    at = end;
  }
}

import type { FileHandle } from 'node:fs/promises';

interface Box {
  readonly type: string;
  /** Of its content. */
  readonly start: number;
  readonly end: number;
}

const mostBoxes = 200;
/** Of a clip's index: it names every frame; a header within it is small. */
const trackHeaderBytes = 104;

/** The pixels of the first track of an MP4 or QuickTime file that has some (ISO/IEC 14496-12); empty where none tells. */
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
    // The last eight bytes of the header, as 16.16 fixed point; before it times of 32 or, in version 1, of 64 bits.
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

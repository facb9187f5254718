import { charge } from '../billing';
import { findModel } from '../catalogue';
import { assetUrl, keepAsset } from '../endpoints/assets';
import type { Service } from '../service';
import type { VideoRecord } from '../store';
import { type Canvas, createCanvas, createDrawing } from '../drawing';
import { wait } from '../wait';

/** The model that answers for model ids that request a fault. */
export const videoStandIn = 'Wan-AI/Wan2.2-T2V-A14B';

const assetName = (video: VideoRecord): string => `${video.id}.mp4`;

export const videoIsDrawn = ({ store }: Service, video: VideoRecord): boolean =>
  store.state.assets.some((asset) => asset.name === assetName(video));

export const videoUrl = (service: Service, video: VideoRecord): string =>
  assetUrl(service, assetName(video), { expired: video.fate === 'expiredUrl' });

/** Draws the clip unless it exists. Starts immediately, so that it is ready when its turn and its time have come. */
export function startVideo(service: Service, video: VideoRecord): void {
  if (video.fate === 'fails' || video.fate === 'endless') return;
  service.background((signal) => service.inTurn(() => draw(service, video, signal)));
}

async function draw(service: Service, video: VideoRecord, signal: AbortSignal): Promise<void> {
  if (signal.aborted || videoIsDrawn(service, video)) return;
  const [width = 0, height = 0] = video.size.split('x').map(Number);
  const { prompt, seed } = video;
  const frames = service.pace().clipFrames;
  const bytes = await encodeClip({ prompt, seed, width, height, frames }, signal);
  // A failed video is free. A finished one is charged before it is stored, because a client that sees it might query the balance next.
  const model = findModel(video.model) ?? findModel(videoStandIn);
  if (model) await charge(service, model, 1);
  await keepAsset(service, { name: assetName(video), bytes, contentType: 'video/mp4' });
}

const retentionMs = 24 * 3_600_000;

/** After a restart, draws unfinished clips and discards jobs that are more than a day old. */
export function resumeVideos(service: Service): void {
  const { state } = service.store;
  state.videos = state.videos.filter((video) => service.clock() - video.submittedAt < retentionMs);
  for (const video of state.videos) if (service.clock() - video.submittedAt < 3_600_000) startVideo(service, video);
}

interface ClipRequest {
  readonly prompt: string;
  readonly seed: number;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

const clipFrameRate = 10;

/**
 * Converts a half-size image to a planar frame (I420): doubles the luma plane in both directions, interpolating each new pixel from its
 * neighbours; the chroma planes of that format have half the size anyway.
 */
function toPlanes(
  { width: smallWidth, height: smallHeight, pixels }: Canvas,
  frame: Uint8Array,
  luma: Uint8Array,
): void {
  const width = smallWidth * 2;
  const count = smallWidth * smallHeight;
  const colours = count * 4;
  for (let index = 0, at = 0; index < count; index += 1, at += 4) {
    const [red, green, blue] = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!];
    luma[index] = ((66 * red + 129 * green + 25 * blue + 128) >> 8) + 16;
    frame[colours + index] = ((-38 * red - 74 * green + 112 * blue + 128) >> 8) + 128;
    frame[colours + count + index] = ((112 * red - 94 * green - 18 * blue + 128) >> 8) + 128;
  }
  for (let y = 0; y < smallHeight; y += 1) {
    const row = y * smallWidth;
    const below = Math.min(smallHeight - 1, y + 1) * smallWidth;
    for (let x = 0; x < smallWidth; x += 1) {
      const right = x + 1 < smallWidth ? 1 : 0;
      const [a, b, c, d] = [luma[row + x]!, luma[row + x + right]!, luma[below + x]!, luma[below + x + right]!];
      const at = y * 2 * width + x * 2;
      frame[at] = a;
      frame[at + 1] = (a + b) >> 1;
      frame[at + width] = (a + c) >> 1;
      frame[at + width + 1] = (a + b + c + d) >> 2;
    }
  }
}

/** Undoes what the encoder's runtime does when it loads: it replaces the process's error handling. */
async function loadEncoder() {
  const events = ['uncaughtException', 'unhandledRejection'] as const;
  const before = events.map((event) => new Set<unknown>(process.rawListeners(event)));
  const { default: library } = await import('h264-mp4-encoder');
  const encoder = await library.createH264MP4Encoder();
  for (const [index, event] of events.entries()) {
    for (const listener of process.rawListeners(event)) {
      if (before[index]?.has(listener) === false) process.removeListener(event, listener as () => void);
    }
  }
  return encoder;
}

/** Draws and encodes a playable H.264 MP4, one frame per turn of the event loop. Rejects if the signal aborts. */
export async function encodeClip(
  { prompt, seed, width, height, frames }: ClipRequest,
  signal: AbortSignal,
): Promise<Buffer> {
  const encoder = await loadEncoder();
  let running = false;
  try {
    encoder.width = width;
    encoder.height = height;
    encoder.frameRate = clipFrameRate;
    encoder.speed = 10;
    encoder.quantizationParameter = 26;
    encoder.groupOfPictures = clipFrameRate;
    encoder.outputFilename = `clip-${width}x${height}-${seed}-${performance.now()}.mp4`;
    encoder.initialize();
    running = true;
    const paint = createDrawing(prompt, seed);
    const small = createCanvas(width >> 1, height >> 1);
    const luma = new Uint8Array((width * height) / 4);
    const frame = new Uint8Array((width * height * 3) / 2);
    for (let index = 0; index < frames; index += 1) {
      await wait(0, signal);
      // Three times faster than real time, because a scene drifts slowly.
      paint(small, (index / clipFrameRate) * 3);
      toPlanes(small, frame, luma);
      encoder.addFrameYuv(frame);
    }
    encoder.finalize();
    running = false;
    const clip = Buffer.from(encoder.FS.readFile(encoder.outputFilename));
    return clip;
  } finally {
    // An unfinished encoder would complain on the console and leave its file in memory.
    if (running) encoder.finalize();
    encoder.FS.unlink(encoder.outputFilename);
    encoder.delete();
  }
}

import { type Canvas, createCanvas } from '../drawing/canvas';
import { createScene } from '../drawing/scene';
import { wait } from '../wait';

export interface ClipRequest {
  readonly prompt: string;
  readonly seed: number;
  readonly width: number;
  readonly height: number;
}

/** Two and a half seconds: enough to see it move, little enough to make while the job is "in progress". */
export const clipFrames = 30;
export const clipFrameRate = 12;

/** Doubles a picture both ways, each new pixel the mean of its neighbours. */
function enlarge(small: Canvas, target: Uint8Array, width: number): void {
  const rows = target.length / 4 / width;
  for (let y = 0; y < rows; y += 1) {
    const y0 = y >> 1;
    const y1 = Math.min(small.height - 1, y0 + (y & 1));
    for (let x = 0; x < width; x += 1) {
      const x0 = x >> 1;
      const x1 = Math.min(small.width - 1, x0 + (x & 1));
      const [a, b] = [(y0 * small.width + x0) * 4, (y1 * small.width + x1) * 4];
      const at = (y * width + x) * 4;
      for (let channel = 0; channel < 3; channel += 1)
        target[at + channel] = (small.pixels[a + channel]! + small.pixels[b + channel]!) >> 1;
    }
  }
}

/** The encoder's runtime takes over the process's own error handling when it loads; that is undone. */
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

/** Draws and encodes a playable H.264 MP4, one frame to a turn of the event loop. Rejects when the signal fires. */
export async function encodeClip({ prompt, seed, width, height }: ClipRequest, signal: AbortSignal): Promise<Buffer> {
  const encoder = await loadEncoder();
  try {
    encoder.width = width;
    encoder.height = height;
    encoder.frameRate = clipFrameRate;
    encoder.speed = 8;
    encoder.quantizationParameter = 26;
    encoder.groupOfPictures = clipFrameRate;
    encoder.outputFilename = `clip-${width}x${height}-${seed}-${performance.now()}.mp4`;
    encoder.initialize();
    const scene = createScene(prompt, seed);
    const small = createCanvas(width >> 1, height >> 1);
    const frame = new Uint8Array(width * height * 4);
    for (let index = 0; index < clipFrames; index += 1) {
      await wait(0, signal);
      // Time runs three times as fast as in life: a scene drifts slowly.
      scene.paint(small, (index / clipFrameRate) * 3);
      enlarge(small, frame, width);
      encoder.addFrameRgba(frame);
    }
    encoder.finalize();
    const clip = Buffer.from(encoder.FS.readFile(encoder.outputFilename));
    encoder.FS.unlink(encoder.outputFilename);
    return clip;
  } finally {
    encoder.delete();
  }
}

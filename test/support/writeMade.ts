import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FilledDemo } from './filledDemo';

/** Generates an image at the service and writes it with its recipe, like the extension. Resolves to its name. */
export async function writeMade(demo: FilledDemo, folder: string, prompt: string): Promise<string> {
  const request = { model: 'Qwen/Qwen-Image', prompt, image_size: '1024x768', seed: 42 };
  const answer = (await demo.call('POST', '/images/generations', request)) as {
    readonly images: readonly { readonly url: string }[];
  };
  const bytes = Buffer.from(await (await fetch(answer.images[0]!.url)).arrayBuffer());
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const words = prompt.toLowerCase().match(/[a-z]+/g) ?? ['untitled'];
  const name = `${words.slice(0, 6).join('-')}-${sha256.slice(0, 12)}.png`;
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  const recipe = {
    version: 1,
    kind: 'image',
    request,
    createdAt: new Date().toISOString(),
    service: demo.baseUrl,
    seed: 42,
    inferenceSeconds: 1.9,
    index: 0,
    file: { name, sha256, bytes: bytes.length, contentType: 'image/png', ...size },
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, name), bytes);
  writeFileSync(path.join(folder, `${name}.recipe.json`), JSON.stringify(recipe, undefined, 2));
  return name;
}

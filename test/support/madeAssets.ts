import { createHash } from 'node:crypto';
import type { Asset, Recipe } from '../../src/core/assets/recipe';

interface MadeAsset {
  readonly prompt?: string;
  readonly negative?: string;
  readonly model?: string;
  readonly seed?: number;
  readonly size?: readonly [width: number, height: number];
  readonly createdAt?: string;
  readonly folder?: string;
  readonly extra?: Readonly<Record<string, unknown>>;
}

const start = '2026-11-20T10:00:00.000Z';

export function imageAsset(made: MadeAsset = {}): Asset {
  const { prompt = 'A harbour', negative, model = 'Qwen/Qwen-Image', seed = 7, size = [512, 512] } = made;
  const request = {
    model,
    prompt,
    image_size: `${size[0]}x${size[1]}`,
    ...(negative !== undefined && { negative_prompt: negative }),
    ...made.extra,
  };
  return asset({ kind: 'image', request, seed, ...common(made) }, 'png', 'image/png', made);
}

export function videoAsset(made: MadeAsset = {}): Asset {
  const { prompt = 'Waves', model = 'Wan-AI/Wan2.2-T2V-A14B', seed = 8, size = [1280, 720] } = made;
  const request = { model, prompt, image_size: `${size[0]}x${size[1]}`, ...made.extra };
  return asset({ kind: 'video', request, seed, ...common(made) }, 'mp4', 'video/mp4', { size, ...made });
}

export function speechAsset(made: MadeAsset & { readonly input?: string } = {}): Asset {
  const { input = 'Good morning.', model = 'FunAudioLLM/CosyVoice2-0.5B' } = made;
  const request = { model, input, voice: `${model}:alex` };
  return asset({ kind: 'speech', request, ...common(made) }, 'mp3', 'audio/mpeg', { ...made, size: undefined });
}

function common({ createdAt = start }: MadeAsset) {
  const service = 'https://api.example.com/v1';
  return { version: 1 as const, createdAt, service, index: 0, inferenceSeconds: 1.25, traceId: 'ti_4f1c0d9b7a' };
}

function asset(
  made: Record<string, unknown> & { readonly request: object },
  ending: string,
  contentType: string,
  { folder = '/made', size = [512, 512] }: { readonly folder?: string; readonly size?: MadeAsset['size'] | undefined },
): Asset {
  const sha256 = createHash('sha256').update(JSON.stringify(made)).digest('hex');
  const name = `${made['kind'] as string}-${sha256.slice(0, 12)}.${ending}`;
  const pixels = contentType.startsWith('audio') ? {} : { width: size[0], height: size[1] };
  const file = { name, sha256, bytes: 48_213, contentType, ...pixels };
  return { path: `${folder}/${name}`, recipe: { ...made, file } as unknown as Recipe };
}

import type * as z from 'zod/mini';
import { isVendor } from '../../profiles/knownServices';
import { checkRequest, warningsOf, withOwn } from '../bounds';
import type { ClientOptions } from '../clientOptions';
import { present } from '../present';
import type { CallWatch, Transport } from '../transport/transport';
import { imageBounds } from './images.bounds';
import { imageRequest, imageResponse } from './images.schema';
import type { GeneratedImage, GeneratedImages, ImageRequest } from './images.schema';
import type { ParameterWarning } from '../parameters';

export interface Images {
  /** `watch` is notified while the call is in progress; it is not sent. */
  generate(
    request: ImageRequest & { readonly watch?: CallWatch | undefined },
    signal?: AbortSignal,
  ): Promise<GeneratedImages>;
  warnings(request: ImageRequest): readonly ParameterWarning[];
}

/** `baseUrl` decides the form of the request, and completes addresses that are relative. */
export function createImages(transport: Transport, { baseUrl, bounds: own }: ClientOptions): Images {
  const bounds = withOwn(imageBounds, own?.images);
  const form = imageForm(baseUrl);
  return {
    async generate({ watch, ...request }, signal) {
      checkRequest(request, imageRequest, bounds);
      const { model } = request;
      const call = { method: 'POST', path: '/images/generations', work: 'paid', model, signal, watch } as const;
      const body = inForm(request, form);
      const { list, seed, timings } = await transport.json({
        ...call,
        body,
        response: imageResponse,
        rescue: wholePictures,
      });
      return {
        images: list.slice(0, mostImages).flatMap((image) => toImage(image, baseUrl) ?? []),
        ...(list.length > mostImages && { hasMore: true }),
        ...present({ seed, inferenceSeconds: timings?.inference }),
      };
    },
    warnings: (request) => warningsOf(request, bounds),
  };
}

/** No service makes more for one request: each is downloaded and saved. */
const mostImages = 100;

/** Returns an answer with the pictures that are whole in the beginning of one; `undefined` if there is none. They are paid for. */
function wholePictures(beginning: string): string | undefined {
  const pictures: string[] = [];
  for (let at = beginning.indexOf(member); at !== -1; at = beginning.indexOf(member, at + 1)) {
    const start = beginning.indexOf('"', at + member.length);
    const end = start === -1 ? -1 : beginning.indexOf('"', start + 1);
    const between = beginning.slice(at + member.length, Math.max(start, 0));
    if (end !== -1 && between.trim() === ':') pictures.push(`{${member}:${beginning.slice(start, end + 1)}}`);
  }
  return pictures.length === 0 ? undefined : `{"data":[${pictures.join()}]}`;
}

const member = '"b64_json"';

type ImageOnTheWire = z.infer<typeof imageResponse>['list'][number];

/** Prefers the bytes, because an address expires. Returns `undefined` for an entry with neither. */
function toImage({ url, b64_json: base64 }: ImageOnTheWire, baseUrl: string): GeneratedImage | undefined {
  if (base64) return { bytes: bytesOf(base64) };
  if (!url) return undefined;
  if (/^data:/i.test(url)) return { bytes: bytesOf(url) };
  return { url: URL.parse(url, baseUrl)?.href ?? url };
}

/** Decodes base64, also that of a `data:` address. */
function bytesOf(base64: string): Uint8Array {
  return Buffer.from(base64.replace(/^data:[^,]*,/i, ''), 'base64');
}

/** How a service names what both forms have: `image_size` and `batch_size`, or `size` and `n` as OpenAI does. */
type ImageForm = 'vendor' | 'openai';

/** Returns the form of the service at an address: the vendor's own at the vendor's hosts and the demo service, OpenAI's anywhere else. */
function imageForm(baseUrl: string): ImageForm {
  return isVendor(baseUrl) ? 'vendor' : 'openai';
}

/** Returns a request as a service of that form reads it. */
function inForm(request: ImageRequest, form: ImageForm): object {
  if (form === 'vendor') return request;
  const { image_size: size, batch_size: n, ...rest } = request;
  return { ...rest, size, n };
}

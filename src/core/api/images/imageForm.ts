import { isVendor } from '../../profiles/knownServices';
import type { ImageRequest } from './images.schema';

/** How a service names what both forms have: `image_size` and `batch_size`, or `size` and `n` as OpenAI does. */
export type ImageForm = 'vendor' | 'openai';

/** Returns the form of the service at an address: the vendor's own at the vendor's hosts and the demo service, OpenAI's anywhere else. */
export function imageForm(baseUrl: string): ImageForm {
  return isVendor(baseUrl) ? 'vendor' : 'openai';
}

/** Returns a request as a service of that form reads it. */
export function inForm(request: ImageRequest, form: ImageForm): object {
  if (form === 'vendor') return request;
  const { image_size: size, batch_size: n, ...rest } = request;
  return { ...rest, size, n };
}

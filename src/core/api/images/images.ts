import { checkRequest, warningsOf } from '../bounds';
import { present } from '../present';
import type { CallWatch, Transport } from '../transport/transport';
import { imageBounds } from './images.bounds';
import { imageRequest, imageResponse } from './images.schema';
import type { GeneratedImages, ImageRequest } from './images.schema';
import type { ParameterWarning } from '../parameters';

export interface Images {
  /** `watch` is notified while the call is in progress; it is not sent. */
  generate(
    request: ImageRequest & { readonly watch?: CallWatch | undefined },
    signal?: AbortSignal,
  ): Promise<GeneratedImages>;
  warnings(request: ImageRequest): readonly ParameterWarning[];
}

export function createImages(transport: Transport): Images {
  return {
    async generate({ watch, ...request }, signal) {
      checkRequest(request, imageRequest, imageBounds);
      const { model } = request;
      const call = { method: 'POST', path: '/images/generations', work: 'paid', model, signal, watch } as const;
      const { images, seed, timings } = await transport.json({ ...call, body: request, response: imageResponse });
      return {
        images: images.map(({ url }) => ({ url })),
        ...present({ seed, inferenceSeconds: timings?.inference }),
      };
    },
    warnings: (request) => warningsOf(request, imageBounds),
  };
}

import { checkRequest, warningsOf, withOwn } from '../bounds';
import type { ClientOptions } from '../clientOptions';
import { present, presentWords } from '../present';
import type { CallWatch, Transport } from '../transport/transport';
import { imageToVideo, videoBounds } from './videos.bounds';
import { videoRequest, videoStatusRequest, videoStatusResponse, videoSubmitted } from './videos.schema';
import type { ParameterWarning } from '../parameters';
import type { VideoRequest, VideoStatus } from './videos.schema';

export interface Videos {
  /** `watch` is notified while the call is in progress; it is not sent. */
  submit(
    request: VideoRequest & { readonly watch?: CallWatch | undefined },
    signal?: AbortSignal,
  ): Promise<{ readonly requestId: string }>;
  status(request: { readonly requestId: string }, signal?: AbortSignal): Promise<VideoStatus>;
  warnings(request: VideoRequest): readonly ParameterWarning[];
}

export function createVideos(transport: Transport, options: ClientOptions): Videos {
  const bounds = withOwn(videoBounds, options.bounds?.videos);
  return {
    async submit({ watch, ...request }, signal) {
      checkRequest(request, videoRequest, bounds);
      const { model } = request;
      const call = { method: 'POST', path: '/video/submit', work: 'paid', model, signal, watch } as const;
      const { requestId } = await transport.json({ ...call, body: request, response: videoSubmitted });
      return { requestId };
    },
    async status(request, signal) {
      checkRequest(request, videoStatusRequest, { requestId: { minLength: 1 } });
      const call = { method: 'POST', path: '/video/status', hasIdInBody: true, work: 'poll', signal } as const;
      const wire = await transport.json({ ...call, body: request, response: videoStatusResponse });
      const { status, reason, position, results } = wire;
      return {
        status: status || 'unknown',
        ...presentWords({ reason }),
        ...present({ position, seed: results?.seed, inferenceSeconds: results?.timings?.inference }),
        videos: (results?.videos ?? []).map(({ url }) => ({ url })),
      };
    },
    warnings(request) {
      const warnings = warningsOf(request, bounds);
      const lacksImage = imageToVideo.test(request.model) && !request.image;
      return lacksImage ? [...warnings, { parameter: 'image', rule: 'required' }] : warnings;
    },
  };
}

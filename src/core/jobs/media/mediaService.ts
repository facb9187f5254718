import type { GeneratedImages, ImageRequest } from '../../api/images/images.schema';
import type { VideoRequest, VideoStatus } from '../../api/videos/videos.schema';

/** What a call tells of itself while it goes on. */
export interface RequestObserver {
  readonly onWait?: ((wait: { readonly until: number }) => void) | undefined;
  /** A good answer begins. */
  readonly onAnswer?: ((answer: { readonly traceId: string | undefined }) => void) | undefined;
}

/** What the engine asks of the service. Every method throws `ApiError`. */
export interface MediaService {
  readonly images: {
    generate(
      request: ImageRequest & { readonly watch?: RequestObserver },
      signal?: AbortSignal,
    ): Promise<GeneratedImages>;
  };
  readonly videos: {
    submit(
      request: VideoRequest & { readonly watch?: RequestObserver },
      signal?: AbortSignal,
    ): Promise<{ readonly requestId: string }>;
    status(request: { readonly requestId: string }, signal?: AbortSignal): Promise<VideoStatus>;
  };
  /** An address of an answer, asked without the key. Appears at `toPath`, whose folder exists, when it is whole. */
  download(
    request: { readonly url: string; readonly toPath: string; readonly maxBytes: number; readonly isPrivate: boolean },
    signal?: AbortSignal,
  ): Promise<{ readonly bytes: number }>;
}

/**
 * The service a job was ordered from. Throws `StepFailure` of kind `profileGone` or `addressChanged` where it cannot be
 * reached any more with the key that goes there, else `ApiError`.
 */
export type ConnectMedia = (job: { readonly profileId: string; readonly baseUrl: string }) => Promise<MediaService>;

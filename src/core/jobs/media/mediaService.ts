import type { GeneratedImages, ImageRequest } from '../../api/images/images.schema';
import type { VideoRequest, VideoStatus } from '../../api/videos/videos.schema';
import type { JobEngineOptions } from '../jobEngine';
import type { MediaJob, MediaJobRequest } from './mediaJob';

/** Callbacks for the progress of one call. */
export interface RequestObserver {
  readonly onWait?: ((wait: { readonly until: number }) => void) | undefined;
  /** Called when a successful response begins. */
  readonly onAnswer?: ((answer: { readonly traceId: string | undefined }) => void) | undefined;
}

/** What the engine requires from the service. Every method throws `ApiError`. */
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
  /** Downloads an address from a response without the key. The file appears at `toPath`, whose folder exists, once complete. */
  download(
    request: { readonly url: string; readonly toPath: string; readonly maxBytes: number; readonly isPrivate: boolean },
    signal?: AbortSignal,
  ): Promise<{ readonly bytes: number }>;
}

/**
 * Connects to the service of a job. Throws `StepFailure` of kind `profileGone`, `signedOut` or `addressChanged` if it can no longer be reached with
 * the key that belongs to it, else `ApiError`.
 */
export type ConnectMedia = (job: { readonly profileId: string; readonly baseUrl: string }) => Promise<MediaService>;

export interface MediaEngineOptions extends JobEngineOptions<MediaJob> {
  /** Rejects if a job would exceed what may be spent. */
  readonly checkPaid: (job: MediaJob) => Promise<void>;
  readonly connect: ConnectMedia;
  /** Returns the request as it is sent: with its input images instead of their names. */
  readonly expand: (task: MediaJobRequest) => Promise<MediaJobRequest>;
  /** Absolute: used if a job's folder is not writable. */
  readonly fallback: string;
}

import * as z from 'zod/mini';
import { call, returns, type Accepted, type CallsOf } from './call';
import { maxImageBytes } from './mediaBounds';
import { videoSizes } from './videoForm';
import type { ModelCost, WireAction, WireError } from './wire';

const text = (most: number) => z.string().check(z.maxLength(most));

/** As typed, and as it is saved. */
export const videoForm = z.strictObject({
  prompt: text(100_000),
  negativePrompt: text(100_000),
  model: text(500),
  size: z.enum(videoSizes),
  /** Empty to let the service choose. */
  seed: text(100),
  /** Reference of a stored image; empty for none. */
  picture: text(500),
});
export type VideoForm = Accepted<typeof videoForm>;
export type VideoSize = VideoForm['size'];

export type VideoField = 'prompt' | 'model' | 'seed' | 'picture';
/** Localized reasons why a field's value is not sent. */
export type VideoIssues = { readonly [Field in VideoField]?: string };

/** The first frame of a video. */
export interface VideoImage {
  readonly ref: string;
  readonly uri: string;
  /** Localized: format, dimensions and file size. */
  readonly facts: string;
}

export interface VideoModel {
  readonly id: string;
  /** Whether it generates a video from an image. `unknown` if there is no information. */
  readonly picture: 'needed' | 'refused' | 'unknown';
}

const jobAction = z.enum(['checkNow', 'fetchAgain', 'fetchAnyway', 'submitAgain', 'fillForm', 'forget']);
export type VideoJobAction = Accepted<typeof jobAction>;
const fileAction = z.enum([
  'insert',
  'saveAs',
  'regenerate',
  'vary',
  'openOutside',
  'reveal',
  'copyPath',
  'showRecipe',
  'remove',
]);
export type VideoFileAction = Accepted<typeof fileAction>;

/** A file that was saved. */
export interface VideoFile {
  /** Index among the files of its job. */
  readonly index: number;
  readonly name: string;
  /** Absent if the file has been moved or deleted. */
  readonly uri?: string;
  /** Localized: file size, and dimensions if known. */
  readonly facts: readonly string[];
}

/** A video job. All texts except those the user typed are localized. */
export interface VideoJob {
  readonly id: string;
  readonly dot: 'waiting' | 'working' | 'done' | 'failed' | 'doubt';
  readonly state: string;
  /** E.g. its position in the queue. */
  readonly stateDetail?: string;
  /** Time since it started, by the host's clock; absent once it has ended. */
  readonly elapsedMs?: number;
  /** How long it took. */
  readonly took?: string;
  readonly when: string;
  /** Same as `when`, to the second. */
  readonly at: string;
  readonly model: string;
  readonly prompt: string;
  readonly negativePrompt?: string;
  readonly size: string;
  /** As reported by the service, otherwise as requested. */
  readonly seed?: string;
  readonly pictureUri?: string;
  /** Name of its profile, if that is not the active one. */
  readonly profile?: string;
  readonly error?: VideoNotice;
  readonly actions: readonly { readonly id: VideoJobAction; readonly label: string; readonly hint?: string }[];
  readonly files: readonly VideoFile[];
  /** The label of the action that sends the request of a saved video again, with the price. */
  readonly regenerate?: string;
  readonly facts: readonly { readonly name: string; readonly value: string; readonly hint?: string }[];
}

export interface VideoNotice {
  readonly tone: 'info' | 'warning' | 'error';
  readonly title: string;
  readonly detail: string;
  readonly actions?: readonly WireAction[];
}

export interface VideosPage {
  readonly form: VideoForm;
  /** Changes when the host fills in the form; the page then discards what is typed. */
  readonly formId: string;
  /** The image of `form`, if it is stored here. */
  readonly picture?: VideoImage;
  readonly issues: VideoIssues;
  readonly models: readonly VideoModel[];
  /** More can follow, in which case the page is notified. */
  readonly modelsAreLoading?: boolean;
  readonly modelsError?: WireError;
  readonly isSignedOut: boolean;
  /** The service generates no videos; a notice says so. */
  readonly isNotOffered?: boolean;
  /** Newest first; failed jobs come last, except one just started from this page. */
  readonly jobs: readonly VideoJob[];
  /** Number of failed jobs as text. Missing if none failed. */
  readonly failed?: string;
  /** The label of the action that retries them, with the price. */
  readonly retryFailed?: string;
  readonly notices: readonly VideoNotice[];
  /** The job to show; `times` increases with each request. */
  readonly jobToShow?: { readonly job: string; readonly times: number };
  /** The price of a video, by model. */
  readonly costs: readonly ModelCost[];
}

const name = text(300);
const base64 = text(Math.ceil(maxImageBytes / 3) * 4);
/** An image that the page received without a path on this machine. */
const providedImage = z.union([
  z.strictObject({ name, base64 }),
  z.strictObject({ name, problem: z.enum(['folder', 'tooLarge', 'unreadable']) }),
]);
export type ProvidedImage = Accepted<typeof providedImage>;

interface Chosen {
  readonly picture?: VideoImage;
}

const nothing = z.strictObject({});
const job = text(200);
const index = z.int().check(z.nonnegative(), z.maximum(100));

export const videosCalls = {
  'videos/ready': call(nothing, returns<VideosPage>()),
  /** Saves what is typed. */
  'videos/form': call(z.strictObject({ form: videoForm }), returns<{ readonly issues: VideoIssues }>()),
  /**
   * Resolves when the service has responded. `said` is the state of the job then. A chunk says what it is waiting for. Continues when the
   * page closes. Only `stop` ends it.
   */
  'videos/submit': call(
    z.strictObject({ form: videoForm }),
    returns<{ readonly job: string; readonly message: string }, { readonly text: string }>(),
  ),
  'videos/stop': call(nothing),
  /** Without an image if the user canceled. */
  'videos/choosePicture': call(nothing, returns<Chosen>()),
  'videos/givePicture': call(
    z.strictObject({
      uris: z.array(text(10_000)).check(z.maxLength(2)),
      pictures: z.array(providedImage).check(z.maxLength(2)),
    }),
    returns<Chosen>(),
  ),
  'videos/actOnJob': call(z.strictObject({ job, action: jobAction })),
  /** Fetches or submits all failed jobs again, after a confirmation if several incur cost, or removes them from the list. */
  'videos/failed': call(z.strictObject({ action: z.enum(['retry', 'clear']) })),
  'videos/actOnFile': call(z.strictObject({ job, index, action: fileAction })),
  /** Asks where to save; `said` is empty if the user canceled. */
  'videos/saveFrame': call(
    z.strictObject({ job, index, seconds: z.number().check(z.nonnegative()), png: base64 }),
    returns<{ readonly message: string }>(),
  ),
  'videos/act': call(z.strictObject({ action: text(1000) })),
};

export interface VideosScreen {
  readonly state: {
    readonly form: VideoForm;
    readonly formId: string;
    /** The expanded job. */
    readonly open: string | null;
    readonly loops: boolean;
    readonly rate: number;
  };
  readonly calls: CallsOf<typeof videosCalls>;
  readonly events: {
    readonly 'videos/changed': VideosPage;
  };
}

import type { Call } from './call';
import type { VideosStrings } from './videosStrings';
import type { ModelCost, WireAction, WireError } from './wire';

/** The sizes listed by the service: https://docs.siliconflow.com/en/api-reference/videos/videos_submit */
export const videoSizes = ['1280x720', '720x1280', '960x960'] as const;
export type VideoSize = (typeof videoSizes)[number];

/** As typed. */
export interface VideoForm {
  readonly prompt: string;
  readonly negativePrompt: string;
  readonly model: string;
  readonly size: VideoSize;
  /** Empty to let the service choose. */
  readonly seed: string;
  /** Reference of a stored image; empty for none. */
  readonly picture: string;
}

export const emptyVideoForm: VideoForm = {
  prompt: '',
  negativePrompt: '',
  model: '',
  size: '1280x720',
  seed: '',
  picture: '',
};

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
  /** Whether it generates a video from an image; `unknown` if there is no information. */
  readonly picture: 'needed' | 'refused' | 'unknown';
}

export type VideoJobAction = 'checkNow' | 'fetchAgain' | 'fetchAnyway' | 'submitAgain' | 'fillForm' | 'forget';
export type VideoFileAction =
  | 'insert'
  | 'saveAs'
  | 'regenerate'
  | 'vary'
  | 'openOutside'
  | 'reveal'
  | 'copyPath'
  | 'showRecipe'
  | 'remove';

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
  readonly trouble?: VideoNotice;
  readonly actions: readonly { readonly id: VideoJobAction; readonly label: string; readonly hint?: string }[];
  readonly files: readonly VideoFile[];
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
  /** More may follow; the page is then notified. */
  readonly modelsAreLoading?: boolean;
  readonly modelsTrouble?: WireError;
  readonly isSignedOut: boolean;
  /** Newest first; failed jobs come last, except one just started from this page. */
  readonly jobs: readonly VideoJob[];
  /** Number of failed jobs, in words; absent if none failed. */
  readonly failed?: string;
  readonly notices: readonly VideoNotice[];
  /** The job to show; `times` increases with each request. */
  readonly wanted?: { readonly job: string; readonly times: number };
  /** Cost of the last video, by model. */
  readonly costs: readonly ModelCost[];
}

/** An image that the page received without a path on this machine. */
export type ProvidedImage =
  | { readonly name: string; readonly base64: string }
  | { readonly name: string; readonly trouble: 'folder' | 'tooLarge' | 'unreadable' };

type Nothing = Record<never, never>;
type Chosen = { readonly picture?: VideoImage };

export interface VideosScreen {
  readonly state: {
    readonly form: VideoForm;
    readonly formId: string;
    /** The expanded job. */
    readonly open: string | null;
    readonly loops: boolean;
    readonly rate: number;
  };
  readonly strings: VideosStrings;
  readonly calls: {
    readonly 'videos/ready': Call<Nothing, VideosPage>;
    /** Saves what is typed. */
    readonly 'videos/form': Call<{ readonly form: VideoForm }, { readonly issues: VideoIssues }>;
    /**
     * Resolves when the service has answered; `said` is the state of the job then. A chunk says what it is waiting for. Continues when the
     * page closes: only `stop` ends it.
     */
    readonly 'videos/submit': Call<
      { readonly form: VideoForm },
      { readonly job: string; readonly said: string },
      { readonly text: string }
    >;
    readonly 'videos/stop': Call<Nothing, Nothing>;
    /** Without an image if the user cancelled. */
    readonly 'videos/choosePicture': Call<Nothing, Chosen>;
    readonly 'videos/givePicture': Call<
      { readonly uris: readonly string[]; readonly pictures: readonly ProvidedImage[] },
      Chosen
    >;
    readonly 'videos/actOnJob': Call<{ readonly job: string; readonly action: VideoJobAction }, Nothing>;
    /** Fetches or submits all failed jobs again, after a confirmation if several incur cost, or removes them from the list. */
    readonly 'videos/failed': Call<{ readonly action: 'retry' | 'clear' }, Nothing>;
    readonly 'videos/actOnFile': Call<
      { readonly job: string; readonly index: number; readonly action: VideoFileAction },
      Nothing
    >;
    /** Asks where to save; `said` is empty if the user cancelled. */
    readonly 'videos/saveFrame': Call<
      { readonly job: string; readonly index: number; readonly seconds: number; readonly png: string },
      { readonly said: string }
    >;
    readonly 'videos/act': Call<{ readonly action: string }, Nothing>;
  };
  readonly events: {
    readonly 'videos/changed': VideosPage;
  };
}

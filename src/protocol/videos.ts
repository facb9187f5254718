import type { Call } from './call';
import type { VideosStrings } from './videosStrings';
import type { ModelCost, WireAction, WireError } from './wire';

/** Those the service's page names: https://docs.siliconflow.com/en/api-reference/videos/videos_submit */
export const videoSizes = ['1280x720', '720x1280', '960x960'] as const;
export type VideoSize = (typeof videoSizes)[number];

/** As typed. */
export interface VideoForm {
  readonly prompt: string;
  readonly negativePrompt: string;
  readonly model: string;
  readonly size: VideoSize;
  /** Empty: the service chooses. */
  readonly seed: string;
  /** Stands for a kept picture; empty: none. */
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
/** Why a field's value is not sent: worded. */
export type VideoIssues = { readonly [Field in VideoField]?: string };

/** The picture that a video begins with. */
export interface VideoImage {
  readonly ref: string;
  readonly uri: string;
  /** Worded: format, size in pixels and bytes. */
  readonly facts: string;
}

export interface VideoModel {
  readonly id: string;
  /** Whether it makes a video of a picture; `unknown` where nothing tells. */
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
  /** Among those of its order. */
  readonly index: number;
  readonly name: string;
  /** Absent where it was moved or deleted since. */
  readonly uri?: string;
  /** Worded: size in bytes, and in pixels where known. */
  readonly facts: readonly string[];
}

/** An order. All texts are worded but those that were typed. */
export interface VideoJob {
  readonly id: string;
  readonly dot: 'waiting' | 'working' | 'done' | 'failed' | 'doubt';
  readonly state: string;
  /** E.g. its place in the queue. */
  readonly stateDetail?: string;
  /** How long it has been going on, by the host's clock; absent once it ended. */
  readonly elapsedMs?: number;
  /** How long it took. */
  readonly took?: string;
  readonly when: string;
  /** `when`, to the second. */
  readonly at: string;
  readonly model: string;
  readonly prompt: string;
  readonly negativePrompt?: string;
  readonly size: string;
  /** As the service told it, else as ordered. */
  readonly seed?: string;
  readonly pictureUri?: string;
  /** The name of its profile, where that is not the active one. */
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
  /** Another one once the host has filled the form: then what is typed gives way. */
  readonly formId: string;
  /** The one of `form`, where it is kept here. */
  readonly picture?: VideoImage;
  readonly issues: VideoIssues;
  readonly models: readonly VideoModel[];
  /** More may come; then the page is told. */
  readonly modelsAreLoading?: boolean;
  readonly modelsTrouble?: WireError;
  readonly isSignedOut: boolean;
  /** Newest first; below them those that failed, but one that was ordered from this page just now. */
  readonly jobs: readonly VideoJob[];
  /** How many failed, in words; absent where none did. */
  readonly failed?: string;
  readonly notices: readonly VideoNotice[];
  /** The job to be shown; `times` grows each time that is wanted. */
  readonly wanted?: { readonly job: string; readonly times: number };
  /** What the last video cost. */
  readonly costs: readonly ModelCost[];
}

/** What the page has of a picture whose place on this machine it is not told. */
export type ProvidedImage =
  | { readonly name: string; readonly base64: string }
  | { readonly name: string; readonly trouble: 'folder' | 'tooLarge' | 'unreadable' };

type Nothing = Record<never, never>;
type Chosen = { readonly picture?: VideoImage };

export interface VideosScreen {
  readonly state: {
    readonly form: VideoForm;
    readonly formId: string;
    /** The job that is open. */
    readonly open: string | null;
    readonly loops: boolean;
    readonly rate: number;
  };
  readonly strings: VideosStrings;
  readonly calls: {
    readonly 'videos/ready': Call<Nothing, VideosPage>;
    /** Keeps what is typed. */
    readonly 'videos/form': Call<{ readonly form: VideoForm }, { readonly issues: VideoIssues }>;
    /** Resolves when the service has answered; `said` is how the order stands then. A chunk says what it waits for. Goes on when the page goes away: only `stop` ends it. */
    readonly 'videos/submit': Call<
      { readonly form: VideoForm },
      { readonly job: string; readonly said: string },
      { readonly text: string }
    >;
    readonly 'videos/stop': Call<Nothing, Nothing>;
    /** Without a picture where the person left. */
    readonly 'videos/choosePicture': Call<Nothing, Chosen>;
    readonly 'videos/givePicture': Call<
      { readonly uris: readonly string[]; readonly pictures: readonly ProvidedImage[] },
      Chosen
    >;
    readonly 'videos/actOnJob': Call<{ readonly job: string; readonly action: VideoJobAction }, Nothing>;
    /** All that failed: fetches or sends it again, after a question where several are paid for, or takes it off the list. */
    readonly 'videos/failed': Call<{ readonly action: 'retry' | 'clear' }, Nothing>;
    readonly 'videos/actOnFile': Call<
      { readonly job: string; readonly index: number; readonly action: VideoFileAction },
      Nothing
    >;
    /** Asks where to; `said` is empty where the person left. */
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

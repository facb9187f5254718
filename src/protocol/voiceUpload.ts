import type { Call } from './call';
import type { VoiceUploadStrings } from './voiceUploadStrings';
import type { WireAction, WireError } from './wire';

/** For a larger file, the page gets no bytes: it is played, but drawn without a waveform. */
export const mostDrawnBytes = 10_000_000;

/** What the user entered. */
export interface VoiceUploadForm {
  readonly name: string;
  /** The exact words spoken in the sample. */
  readonly text: string;
  readonly model: string;
  /** `file` is streamed, `base64` is text in JSON. */
  readonly way: 'file' | 'base64';
  /** For raw samples; 0 if not stated. */
  readonly pcmRate: number;
  /** Whose voice it is, and where the recording is from. Stored locally, never sent. */
  readonly note: string;
  readonly isAllowed: boolean;
}

export interface VoiceUploadRequest {
  readonly form: VoiceUploadForm;
  /** The account that was shown. */
  readonly profileId: string;
  /** Upload although the user knows that another voice has the name. */
  readonly evenIfNamed: boolean;
}

/** All texts are localized. */
export interface VoiceUploadFact {
  readonly label: string;
  readonly value: string;
  readonly title?: string;
}

/** Localized. An `error` prevents the sample from being sent. */
export interface VoiceUploadFinding {
  readonly severity: 'error' | 'warning' | 'hint';
  readonly text: string;
}

export interface VoiceUploadSample {
  readonly name: string;
  /** Localized location of the file. */
  readonly place: string;
  readonly facts: readonly VoiceUploadFact[];
  /** URI of a file the page may play; absent for raw samples whose rate is not stated. */
  readonly playUri?: string;
  /** Changes when there is a different sound to draw. */
  readonly soundId: string;
  /** Localized reason why the page does not get the bytes; absent if it gets them. */
  readonly notDrawn?: string;
  /** Hertz; the rate the decoder should use. */
  readonly sampleRate?: number;
  readonly isRaw: boolean;
}

export interface VoiceUploadProgress {
  /** Localized. */
  readonly text: string;
  /** From 0 to 1; absent if unknown. */
  readonly part?: number;
}

/** The state of transcribing the sample. `heard` lasts until the page has taken over the text; each text has its own `id`. */
export type VoiceUploadHearing =
  | { readonly kind: 'running' }
  | { readonly kind: 'heard'; readonly id: string; readonly text: string }
  | { readonly kind: 'failed'; readonly trouble: WireError };

export interface VoiceUploadOutcome {
  /**
   * `created`: the voice exists. `named`: other voices have the name, and the user is asked. `unknown`: it may exist. `failed`: it does not
   * exist.
   */
  readonly kind: 'created' | 'named' | 'unknown' | 'failed';
  readonly title: string;
  readonly detail: string;
  /** Set with `created`. */
  readonly uri?: string;
  /** The page handles `retry` and `sendAnyway` itself. */
  readonly actions: readonly WireAction[];
}

/** Everything the page shows apart from what the user entered. */
export interface VoiceUploadView {
  /** Identifies the page to the host after a reload. */
  readonly pageId: string;
  /** While there is no sample to upload: `reading`, or `failed`. */
  readonly state: 'reading' | 'ready' | 'failed';
  /** Set with `failed`. */
  readonly trouble?: WireError;
  /** The file the user chose, even if it was rejected. */
  readonly fileName: string;
  readonly sample?: VoiceUploadSample;
  readonly findings: readonly VoiceUploadFinding[];
  /** Localized: how long it takes to speak the text; empty if there is none. */
  readonly textTime: string;
  /** The account used to upload; absent if nobody is signed in. */
  readonly account?: { readonly profileId: string; readonly text: string };
  /** The transcription models; empty if none is known. */
  readonly hearingModels: readonly string[];
  readonly hearing?: VoiceUploadHearing;
  readonly progress?: VoiceUploadProgress;
  readonly outcome?: VoiceUploadOutcome;
  /** The values of the fields unless the user enters others. */
  readonly suggested: { readonly name: string; readonly model: string };
}

export interface VoiceUploadModel {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  readonly group: string;
}

/** Measurements of the decoded sample: taken by the page, put into words by the host. All except `seconds` are from 0 to 1. */
export interface VoiceUploadLevels {
  readonly seconds: number;
  readonly peak: number;
  readonly loudness: number;
  readonly clippedPart: number;
  readonly silentPart: number;
}

type Nothing = Record<never, never>;

export interface VoiceUploadScreen {
  readonly state: {
    readonly pageId: string;
    /** Fields that were never edited are absent: they follow the suggestions. */
    readonly form: Partial<VoiceUploadForm>;
  };
  readonly strings: VoiceUploadStrings;
  readonly calls: {
    readonly 'voiceUpload/ready': Call<Nothing, VoiceUploadView>;
    /** Sends what is typed; what follows from it arrives with `voiceUpload/changed`. */
    readonly 'voiceUpload/form': Call<{ readonly form: VoiceUploadForm }, Nothing>;
    /**
     * Returns the bytes of the sample as base64 for the page's own decoder, because the page may not fetch anything. At most
     * `mostDrawnBytes`; raw samples are returned as WAV. The only call that transfers a file's bytes to the page.
     */
    readonly 'voiceUpload/sound': Call<Nothing, { readonly base64: string }>;
    readonly 'voiceUpload/levels': Call<{ readonly soundId: string; readonly levels: VoiceUploadLevels }, Nothing>;
    /** Lets the user choose another file. */
    readonly 'voiceUpload/choose': Call<Nothing, Nothing>;
    readonly 'voiceUpload/readAgain': Call<Nothing, Nothing>;
    /** A file was dropped: its URI, which the host checks before it reads anything, or else its bytes. */
    readonly 'voiceUpload/drop': Call<
      { readonly uri: string } | { readonly name: string; readonly base64: string },
      Nothing
    >;
    readonly 'voiceUpload/models': Call<Nothing, { readonly models: readonly VoiceUploadModel[] }>;
    /** Starts transcribing; the result arrives with `voiceUpload/changed`, also after the page was hidden. */
    readonly 'voiceUpload/transcribe': Call<{ readonly model: string }, Nothing>;
    readonly 'voiceUpload/stopTranscribing': Call<Nothing, Nothing>;
    /** The transcript is now in the form and saved with it. */
    readonly 'voiceUpload/tookHeard': Call<{ readonly id: string }, Nothing>;
    /** Resolves once the upload has started; `voiceUpload/changed` reports progress, also after the page was hidden. */
    readonly 'voiceUpload/send': Call<VoiceUploadRequest, Nothing>;
    readonly 'voiceUpload/stop': Call<Nothing, Nothing>;
    /** Runs an offered action. */
    readonly 'voiceUpload/act': Call<{ readonly id: string }, Nothing>;
  };
  readonly events: { readonly 'voiceUpload/changed': VoiceUploadView };
}

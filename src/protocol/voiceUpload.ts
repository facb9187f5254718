import type { Call } from './call';
import type { VoiceUploadStrings } from './voiceUploadStrings';
import type { WireAction, WireError } from './wire';

/** Characters. The name's is that of the services known; the texts' are only to keep a page from sending without end. */
export const voiceBounds = { name: 64, text: 10_000, note: 4000, model: 500 } as const;
/** Hertz, that raw samples may be said to have: those the service makes speech with. */
export const pcmRates = [8000, 16_000, 24_000, 32_000, 44_100, 48_000] as const;
/** Of a larger file the page gets no bytes: it is played, and drawn without a waveform. */
export const mostDrawnBytes = 10_000_000;

/** What the person wrote. */
export interface VoiceUploadForm {
  readonly name: string;
  /** What is said in the sample, word for word. */
  readonly text: string;
  readonly model: string;
  /** `file` is streamed, `base64` is text in JSON. */
  readonly way: 'file' | 'base64';
  /** Of raw samples; 0: not said. */
  readonly pcmRate: number;
  /** Whose voice it is, and where the recording is from. Kept here, never sent. */
  readonly note: string;
  readonly isAllowed: boolean;
}

export interface VoiceUploadRequest {
  readonly form: VoiceUploadForm;
  /** The account that was shown. */
  readonly profileId: string;
  /** Another voice has the name, which the person knows. */
  readonly evenIfNamed: boolean;
}

/** Worded, both. */
export interface VoiceUploadFact {
  readonly label: string;
  readonly value: string;
  readonly title?: string;
}

/** Worded. An `error` keeps the sample from being sent. */
export interface VoiceUploadFinding {
  readonly severity: 'error' | 'warning' | 'hint';
  readonly text: string;
}

export interface VoiceUploadSample {
  readonly name: string;
  /** Worded: where the file is. */
  readonly place: string;
  readonly facts: readonly VoiceUploadFact[];
  /** Of a file the page may play; absent of raw samples whose rate is not said. */
  readonly playUri?: string;
  /** Another one where there is another sound to draw. */
  readonly soundId: string;
  /** Absent where the page gets the bytes: worded, why it does not. */
  readonly notDrawn?: string;
  /** Hertz; what the decoder is to work with. */
  readonly sampleRate?: number;
  readonly isRaw: boolean;
}

export interface VoiceUploadProgress {
  /** Worded. */
  readonly text: string;
  /** From 0 to 1; absent: not known. */
  readonly part?: number;
}

/** A model that writes down what is said. `heard` until the page has taken it; `id`: another one for another text. */
export type VoiceUploadHearing =
  | { readonly kind: 'running' }
  | { readonly kind: 'heard'; readonly id: string; readonly text: string }
  | { readonly kind: 'failed'; readonly trouble: WireError };

export interface VoiceUploadOutcome {
  /**
   * `created`: the voice exists. `named`: others have the name, and the person is asked. `unknown`: whether it exists. `failed`: it
   * does not.
   */
  readonly kind: 'created' | 'named' | 'unknown' | 'failed';
  readonly title: string;
  readonly detail: string;
  /** Of `created`. */
  readonly uri?: string;
  /** `retry` and `sendAnyway` are the page's. */
  readonly actions: readonly WireAction[];
}

/** Everything the page shows besides what the person wrote. */
export interface VoiceUploadView {
  /** By which the host knows the page again. */
  readonly pageId: string;
  /** Where there is no sample to upload yet: `reading`, or why not. */
  readonly state: 'reading' | 'ready' | 'failed';
  /** Of `failed`. */
  readonly trouble?: WireError;
  /** The file the person chose, also where it was refused. */
  readonly fileName: string;
  readonly sample?: VoiceUploadSample;
  readonly findings: readonly VoiceUploadFinding[];
  /** Worded: how long it takes to say what is written; empty: nothing is. */
  readonly textTime: string;
  /** To whom it is sent; absent: nobody is signed in. */
  readonly account?: { readonly profileId: string; readonly text: string };
  /** The models that hear speech; empty: none is known. */
  readonly hearingModels: readonly string[];
  readonly hearing?: VoiceUploadHearing;
  readonly progress?: VoiceUploadProgress;
  readonly outcome?: VoiceUploadOutcome;
  /** What the fields hold unless the person says otherwise. */
  readonly suggested: { readonly name: string; readonly model: string };
}

export interface VoiceUploadModel {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  readonly group: string;
}

/** What a decoder made of the sample: measured by the page, told to the host which words it. All but `seconds` from 0 to 1. */
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
    /** Fields that were never touched are absent: they follow what is suggested. */
    readonly form: Partial<VoiceUploadForm>;
  };
  readonly strings: VoiceUploadStrings;
  readonly calls: {
    readonly 'voiceUpload/ready': Call<Nothing, VoiceUploadView>;
    /** Looks at what is written; the page is told what follows from it. */
    readonly 'voiceUpload/form': Call<{ readonly form: VoiceUploadForm }, Nothing>;
    /**
     * The bytes of the sample as base64, for the page's own decoder: it may fetch nothing. At most `mostDrawnBytes`; raw samples
     * come as WAV. The one place where a file's bytes cross.
     */
    readonly 'voiceUpload/sound': Call<Nothing, { readonly base64: string }>;
    readonly 'voiceUpload/levels': Call<{ readonly soundId: string; readonly levels: VoiceUploadLevels }, Nothing>;
    /** Lets the person choose another file. */
    readonly 'voiceUpload/choose': Call<Nothing, Nothing>;
    readonly 'voiceUpload/readAgain': Call<Nothing, Nothing>;
    /** A file was dropped: its address, which the host checks before it reads anything, or else its bytes. */
    readonly 'voiceUpload/drop': Call<
      { readonly uri: string } | { readonly name: string; readonly base64: string },
      Nothing
    >;
    readonly 'voiceUpload/models': Call<Nothing, { readonly models: readonly VoiceUploadModel[] }>;
    /** Begins; what comes of it is told as it goes, also when the page was away meanwhile. */
    readonly 'voiceUpload/transcribe': Call<{ readonly model: string }, Nothing>;
    readonly 'voiceUpload/stopTranscribing': Call<Nothing, Nothing>;
    /** What was heard is in the form, and kept with it. */
    readonly 'voiceUpload/tookHeard': Call<{ readonly id: string }, Nothing>;
    /** Resolves when it began; how it goes on is told as it goes, also when the page was away meanwhile. */
    readonly 'voiceUpload/send': Call<VoiceUploadRequest, Nothing>;
    readonly 'voiceUpload/stop': Call<Nothing, Nothing>;
    /** Takes a step that was offered. */
    readonly 'voiceUpload/act': Call<{ readonly id: string }, Nothing>;
  };
  readonly events: { readonly 'voiceUpload/changed': VoiceUploadView };
}

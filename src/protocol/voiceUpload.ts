import * as z from 'zod/mini';
import { call, returns, type Accepted, type CallsOf } from './call';
import { pcmRates, voiceBounds } from './mediaBounds';
import type { WireAction, WireError } from './wire';

/** For a larger file, the page gets no bytes: it is playable, but has no waveform. */
export const mostDrawnBytes = 10_000_000;

/** Twice the limit: the page marks text that is too long, which should not be lost. */
const typed = (most: number) => z.string().check(z.maxLength(most * 2));

/** The user's input. */
const form = z.strictObject({
  name: typed(voiceBounds.name * 10),
  /** The exact words spoken in the sample. */
  text: typed(voiceBounds.text),
  model: typed(voiceBounds.model),
  /** `file` is streamed, `base64` is text in JSON. */
  way: z.enum(['file', 'base64']),
  /** For raw samples; 0 if not stated. */
  pcmRate: z.literal([0, ...pcmRates]),
  /** The owner of the voice, and the recording's source. Stored locally, never sent. */
  note: typed(voiceBounds.note),
  isAllowed: z.boolean(),
});
export type VoiceUploadForm = Accepted<typeof form>;

const request = z.strictObject({
  form,
  /** The account that was shown. */
  profileId: z.string().check(z.maxLength(200)),
  /** Upload although the user knows that another voice has the name. */
  evenIfNamed: z.boolean(),
});
export type VoiceUploadRequest = Accepted<typeof request>;

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
  | { readonly kind: 'failed'; readonly error: WireError };

export interface VoiceUploadOutcome {
  /**
   * `created`: the voice exists. `named`: other voices have the name, and the user is asked. `unknown`: it might exist. `failed`: it
   * doesn't exist.
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
  readonly error?: WireError;
  /** The file the user chose, even if it was rejected. */
  readonly fileName: string;
  readonly sample?: VoiceUploadSample;
  readonly findings: readonly VoiceUploadFinding[];
  /** Localized: how long it takes to speak the text. Empty without a text. */
  readonly textTime: string;
  /** The account used to upload; absent if no account is signed in. */
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

const part = z.number().check(z.minimum(0), z.maximum(1));
/** Measurements of the decoded sample: taken by the page, put into words by the host. */
const levels = z.strictObject({
  seconds: z.number().check(z.minimum(0), z.maximum(100_000)),
  peak: part,
  loudness: part,
  clippedPart: part,
  silentPart: part,
});
export type VoiceUploadLevels = Accepted<typeof levels>;

const nothing = z.strictObject({});
/** Slightly more than the largest readable file takes as Base64. */
const mostDropped = 68_000_000;

export const voiceUploadCalls = {
  'voiceUpload/ready': call(nothing, returns<VoiceUploadView>()),
  /** Sends what is typed; what follows from it arrives with `voiceUpload/changed`. */
  'voiceUpload/form': call(z.strictObject({ form })),
  /**
   * Returns the bytes of the sample as base64 for the page's own decoder, because the page can't fetch anything. Up to `mostDrawnBytes`.
   * Raw samples are returned as WAV. The only call that transfers a file's bytes to the page.
   */
  'voiceUpload/sound': call(nothing, returns<{ readonly base64: string }>()),
  'voiceUpload/levels': call(z.strictObject({ soundId: z.string().check(z.maxLength(100)), levels })),
  /** Lets the user choose another file. */
  'voiceUpload/choose': call(nothing),
  'voiceUpload/readAgain': call(nothing),
  /** A file was dropped: its URI, which the host checks before it reads anything, or else its bytes. */
  'voiceUpload/drop': call(
    z.union([
      z.strictObject({ uri: z.string().check(z.minLength(1), z.maxLength(4000)) }),
      z.strictObject({
        name: z.string().check(z.minLength(1), z.maxLength(300)),
        base64: z.string().check(z.maxLength(mostDropped), z.regex(/^[A-Za-z\d+/]*={0,2}$/)),
      }),
    ]),
  ),
  'voiceUpload/models': call(nothing, returns<{ readonly models: readonly VoiceUploadModel[] }>()),
  /** Starts transcribing; the result arrives with `voiceUpload/changed`, also after the page was hidden. */
  'voiceUpload/transcribe': call(
    z.strictObject({ model: z.string().check(z.minLength(1), z.maxLength(voiceBounds.model)) }),
  ),
  'voiceUpload/stopTranscribing': call(nothing),
  /** The transcript is now in the form and saved with it. */
  'voiceUpload/tookHeard': call(z.strictObject({ id: z.string().check(z.maxLength(100)) })),
  /** Resolves once the upload has started; `voiceUpload/changed` reports progress, also after the page was hidden. */
  'voiceUpload/send': call(request),
  'voiceUpload/stop': call(nothing),
  /** Runs an offered action. */
  'voiceUpload/act': call(z.strictObject({ id: z.string().check(z.maxLength(400)) })),
};

export interface VoiceUploadScreen {
  readonly state: {
    readonly pageId: string;
    /** Fields that were never edited are absent: they follow the suggestions. */
    readonly form: Partial<VoiceUploadForm>;
  };
  readonly calls: CallsOf<typeof voiceUploadCalls>;
  readonly events: { readonly 'voiceUpload/changed': VoiceUploadView };
}

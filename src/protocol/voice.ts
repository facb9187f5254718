import * as z from 'zod/mini';
import { call, returns, type Accepted, type CallsOf } from './call';
import { voiceBounds } from './mediaBounds';
import type { CostText, ModelCost, WireAction } from './wire';

const text = (most: number) => z.string().check(z.maxLength(most));
/** No number is longer; like the other limits, this guards against a misbehaving page. */
const number = text(100);
const model = text(500);

/** As typed. An empty text is an unsent parameter. */
const form = z.strictObject({
  input: text(1_000_000),
  model,
  response_format: z.enum(['', 'mp3', 'opus', 'wav', 'pcm']),
  sample_rate: number,
  speed: number,
  gain: number,
  stream: z.boolean(),
});
export type VoiceForm = Accepted<typeof form>;

export type VoiceField = keyof VoiceForm;

/** Texts by field; fields without one are absent. */
export type VoiceWords = { readonly [Field in VoiceField]?: string };

/** All texts are localized. */
export interface VoiceNotice {
  readonly tone: 'info' | 'warning' | 'error';
  readonly title: string;
  readonly detail: string;
  readonly actions: readonly WireAction[];
}

export interface VoiceModel {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  readonly group: string;
}

/** The user's note about a voice. Never sent to the service. */
const note = z.strictObject({ text: text(voiceBounds.note), isAllowed: z.boolean() });
export type VoiceNoteText = Accepted<typeof note>;

/** Speech generated with the voice. Everything except ids and URIs is localized. */
export interface VoiceTake {
  readonly id: string;
  readonly text: string;
  /** File name. */
  readonly name: string;
  /** How long ago, and when. */
  readonly age: string;
  readonly at: string;
  /** URI for the page's player. Empty if it cannot be played here. */
  readonly src: string;
  /** Duration, file size. */
  readonly facts: readonly string[];
  /** The service's ids of the response, for its support. */
  readonly ids: readonly string[];
  readonly cost?: CostText;
  /** Model and the parameters that were set, which distinguish the takes. */
  readonly settings: readonly { readonly name: string; readonly value: string }[];
  /** The label of the action that sends its request again, with the price. */
  readonly regenerate?: string;
}

export interface VoiceTranscript {
  /** File name. */
  readonly name: string;
  readonly text: string;
  /** Model, date. */
  readonly facts: string;
  /** The service's ids of the response, for its support. */
  readonly ids: readonly string[];
  readonly cost?: CostText;
}

/** Everything the page shows. Texts are localized. */
export interface VoiceView {
  readonly uri: string;
  readonly name: string;
  readonly isBuiltIn: boolean;
  /** Empty if the service does not report it. */
  readonly model: string;
  /** Transcript of the sample. Empty if the service does not report it. */
  readonly text: string;
  /**
   * About the voice itself: it was deleted, the list of voices could not be loaded, the service does not offer them, or nobody is signed
   * in.
   */
  readonly error?: VoiceNotice;
  /** Whether the service speaks with the voice at all. */
  readonly canSpeak: boolean;
  readonly canTranscribe: boolean;
  readonly isLoading: boolean;
  readonly canDelete: boolean;
  readonly note: VoiceNoteText & {
    /** Empty if there is no note. */
    readonly writtenAt: string;
  };
  /** The recording it was created from, if that was uploaded from here. `src` is empty if the file is missing. */
  readonly sample?: { readonly name: string; readonly place: string; readonly src: string };
  readonly form: VoiceForm;
  /** Increases when the host changes the form. */
  readonly formRevision: number;
  readonly models: readonly VoiceModel[];
  /** The model used if none is typed; empty while none is known. */
  readonly defaultModel: string;
  /** Sample rates of the format. */
  readonly rates: readonly string[];
  /** Why a field cannot be sent. */
  readonly issues: VoiceWords;
  /** The value is sent, but may be rejected, or was rejected. */
  readonly warnings: VoiceWords;
  readonly hints: VoiceWords;
  /** Why no speech can be generated; empty if it can. */
  readonly obstacle: string;
  /** The price of a clip, or what the last one with the model cost. */
  readonly price?: CostText;
  /** Progress, while speech is being generated. */
  readonly speaking?: string;
  /** Result of the last action, if it should be shown. */
  readonly outcome?: VoiceNotice;
  /** Id of the latest take. */
  readonly newTake?: string;
  /** Newest first. */
  readonly takes: readonly VoiceTake[];
  readonly takesError?: VoiceNotice;
  readonly transcriptionModels: readonly VoiceModel[];
  readonly transcriptionModel: string;
  /** The price of a transcription with each model; empty if the service has no prices. */
  readonly transcriptionPrices: readonly ModelCost[];
  readonly transcribing?: string;
  readonly transcript?: VoiceTranscript;
  readonly transcriptError?: VoiceNotice;
}

const takeStep = z.enum(['use', 'again', 'insert', 'saveAs', 'reveal', 'recipe', 'openOutside', 'remove']);
export type TakeStep = Accepted<typeof takeStep>;
const voiceStep = z.enum(['copyUri', 'insertUri', 'delete', 'other']);
export type VoiceStep = Accepted<typeof voiceStep>;
const transcriptStep = z.enum(['copy', 'insert', 'open', 'dismiss']);
export type TranscriptStep = Accepted<typeof transcriptStep>;

const nothing = z.strictObject({});
const id = text(200);
/** The resulting state. */
const changed = returns<VoiceView>();
/** Localized, for a screen reader; empty for none. */
const message = returns<{ readonly message: string }>();

export const voiceCalls = {
  'voice/ready': call(nothing, changed),
  /** Saves what is typed. */
  'voice/form': call(z.strictObject({ form }), changed),
  'voice/note': call(note, changed),
  /** Starts generating; `voice/changed` reports progress, and generating continues while the page is hidden. */
  'voice/speak': call(z.strictObject({ form }), changed),
  'voice/stop': call(nothing, changed),
  'voice/take': call(z.strictObject({ id, step: takeStep }), message),
  /** Starts transcribing a take, or a file that the user chooses. */
  'voice/transcribe': call(z.strictObject({ model, take: z.optional(id) }), changed),
  'voice/stopTranscribing': call(nothing, changed),
  'voice/transcript': call(z.strictObject({ step: transcriptStep }), message),
  'voice/do': call(z.strictObject({ step: voiceStep }), message),
  /** Runs an action offered with a notice. */
  'voice/act': call(z.strictObject({ id })),
};

export interface VoiceScreen {
  readonly state: {
    readonly uri: string;
    readonly form: VoiceForm;
    readonly note: VoiceNoteText | null;
    /** Ids of the takes selected for comparison. */
    readonly chosen: readonly string[];
  };
  readonly calls: CallsOf<typeof voiceCalls>;
  readonly events: { readonly 'voice/changed': VoiceView };
}

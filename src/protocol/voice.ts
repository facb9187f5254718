import type { Call } from './call';
import type { VoiceStrings } from './voiceStrings';
import type { CostText, WireAction } from './wire';

export type VoiceFormat = 'mp3' | 'opus' | 'wav' | 'pcm';

/** As typed: an empty text is a parameter that is not sent. */
export interface VoiceForm {
  readonly input: string;
  readonly model: string;
  readonly response_format: VoiceFormat | '';
  readonly sample_rate: string;
  readonly speed: string;
  readonly gain: string;
  readonly stream: boolean;
}

export type VoiceField = keyof VoiceForm;

/** Texts by field; fields without one are absent. */
export type VoiceWords = { readonly [Field in VoiceField]?: string };

/** A form with nothing set. */
export const emptyVoiceForm: VoiceForm = {
  input: '',
  model: '',
  response_format: '',
  sample_rate: '',
  speed: '',
  gain: '',
  stream: false,
};

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
export interface VoiceNoteText {
  readonly text: string;
  readonly isAllowed: boolean;
}

/** In characters. */
export const longestNote = 4000;

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
  readonly cost?: CostText;
  /** Model and the parameters that were set, which distinguish the takes. */
  readonly settings: readonly { readonly name: string; readonly value: string }[];
}

export interface VoiceTranscript {
  /** File name. */
  readonly name: string;
  readonly text: string;
  /** Model, date. */
  readonly facts: string;
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
  /** About the voice itself: it was deleted, the list of voices could not be loaded, or nobody is signed in. */
  readonly trouble?: VoiceNotice;
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
  /** Cost of the last clip with the model. */
  readonly lastCost?: CostText;
  /** Progress, while speech is being generated. */
  readonly speaking?: string;
  /** Result of the last action, if it should be shown. */
  readonly said?: VoiceNotice;
  /** Id of the latest take. */
  readonly newTake?: string;
  /** Newest first. */
  readonly takes: readonly VoiceTake[];
  readonly takesTrouble?: VoiceNotice;
  readonly transcriptionModels: readonly VoiceModel[];
  readonly transcriptionModel: string;
  readonly transcribing?: string;
  readonly transcript?: VoiceTranscript;
  readonly transcriptTrouble?: VoiceNotice;
}

export type TakeStep = 'use' | 'again' | 'insert' | 'saveAs' | 'reveal' | 'recipe' | 'openOutside' | 'remove';
export type VoiceStep = 'copyUri' | 'insertUri' | 'delete' | 'other';
export type TranscriptStep = 'copy' | 'insert' | 'open' | 'dismiss';

type Nothing = Record<never, never>;
/** Returns the resulting state. */
type Change<Params> = Call<Params, VoiceView>;
/** Localized, for a screen reader; empty for none. */
interface Said {
  readonly said: string;
}

export interface VoiceScreen {
  readonly state: {
    readonly uri: string;
    readonly form: VoiceForm;
    readonly note: VoiceNoteText | null;
    /** Ids of the takes selected for comparison. */
    readonly chosen: readonly string[];
  };
  readonly strings: VoiceStrings;
  readonly calls: {
    readonly 'voice/ready': Change<Nothing>;
    /** Saves what is typed. */
    readonly 'voice/form': Change<{ readonly form: VoiceForm }>;
    readonly 'voice/note': Change<VoiceNoteText>;
    /** Starts generating; `voice/changed` reports progress, and generating continues while the page is hidden. */
    readonly 'voice/speak': Change<{ readonly form: VoiceForm }>;
    readonly 'voice/stop': Change<Nothing>;
    readonly 'voice/take': Call<{ readonly id: string; readonly step: TakeStep }, Said>;
    /** Starts transcribing a take, or a file that the user chooses. */
    readonly 'voice/transcribe': Change<{ readonly model: string; readonly take?: string | undefined }>;
    readonly 'voice/stopTranscribing': Change<Nothing>;
    readonly 'voice/transcript': Call<{ readonly step: TranscriptStep }, Said>;
    readonly 'voice/do': Call<{ readonly step: VoiceStep }, Said>;
    /** Runs an action offered with a notice. */
    readonly 'voice/act': Call<{ readonly id: string }, Nothing>;
  };
  readonly events: { readonly 'voice/changed': VoiceView };
}

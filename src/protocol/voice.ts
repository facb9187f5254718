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

/** Words about some of the fields. */
export type VoiceWords = { readonly [Field in VoiceField]?: string };

/** Nothing is set. */
export const emptyVoiceForm: VoiceForm = {
  input: '',
  model: '',
  response_format: '',
  sample_rate: '',
  speed: '',
  gain: '',
  stream: false,
};

/** Worded. */
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

/** What a person wrote down about a voice. Never sent to the service. */
export interface VoiceNoteText {
  readonly text: string;
  readonly isAllowed: boolean;
}

/** In characters. */
export const longestNote = 4000;

/** Speech that was made with the voice. All but ids and addresses is worded. */
export interface VoiceTake {
  readonly id: string;
  readonly text: string;
  /** Of the file. */
  readonly name: string;
  /** How long ago, and when. */
  readonly age: string;
  readonly at: string;
  /** Of a page's player. Empty: it cannot be played here. */
  readonly src: string;
  /** Length, size. */
  readonly facts: readonly string[];
  readonly cost?: CostText;
  /** Model and the parameters that were set, by which takes differ. */
  readonly settings: readonly { readonly name: string; readonly value: string }[];
}

export interface VoiceTranscript {
  /** Of the file. */
  readonly name: string;
  readonly text: string;
  /** Model, when. */
  readonly facts: string;
}

/** All of the page. Texts are worded. */
export interface VoiceView {
  readonly uri: string;
  readonly name: string;
  readonly isBuiltIn: boolean;
  /** Empty where the service does not say. */
  readonly model: string;
  /** What is said in the sample. Empty where the service does not say. */
  readonly text: string;
  /** About the voice itself: it is gone, its list could not be read, nobody is signed in. */
  readonly trouble?: VoiceNotice;
  readonly isLoading: boolean;
  readonly canDelete: boolean;
  readonly note: VoiceNoteText & {
    /** Empty while nothing was written down. */
    readonly writtenAt: string;
  };
  /** The recording it was made from, where that was uploaded from here. `src` is empty where the file is gone. */
  readonly sample?: { readonly name: string; readonly place: string; readonly src: string };
  readonly form: VoiceForm;
  /** Rises when the host changed the form. */
  readonly formRevision: number;
  readonly models: readonly VoiceModel[];
  /** The one that is meant where none is typed; empty while none is known. */
  readonly defaultModel: string;
  /** Of the format. */
  readonly rates: readonly string[];
  /** Why a field cannot be sent. */
  readonly issues: VoiceWords;
  /** It is sent, but may be refused; or was refused. */
  readonly warnings: VoiceWords;
  readonly hints: VoiceWords;
  /** Why nothing can be spoken; empty where it can. */
  readonly obstacle: string;
  /** Of the last clip with the model. */
  readonly lastCost?: CostText;
  /** How it goes, while it does. */
  readonly speaking?: string;
  /** What became of what was asked for last, where that is to be told. */
  readonly said?: VoiceNotice;
  /** Of what was made last. */
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
/** Answered with what holds after it. */
type Change<Params> = Call<Params, VoiceView>;
/** Worded, for a screen reader; empty where nothing is to be said. */
interface Said {
  readonly said: string;
}

export interface VoiceScreen {
  readonly state: {
    readonly uri: string;
    readonly form: VoiceForm;
    readonly note: VoiceNoteText | null;
    /** Of takes to be compared. */
    readonly chosen: readonly string[];
  };
  readonly strings: VoiceStrings;
  readonly calls: {
    readonly 'voice/ready': Change<Nothing>;
    /** Keeps what is typed. */
    readonly 'voice/form': Change<{ readonly form: VoiceForm }>;
    readonly 'voice/note': Change<VoiceNoteText>;
    /** Begins; how it goes is told by `voice/changed`, and it goes on while the page is hidden. */
    readonly 'voice/speak': Change<{ readonly form: VoiceForm }>;
    readonly 'voice/stop': Change<Nothing>;
    readonly 'voice/take': Call<{ readonly id: string; readonly step: TakeStep }, Said>;
    /** Begins with a take, or with a file the person chooses. */
    readonly 'voice/transcribe': Change<{ readonly model: string; readonly take?: string | undefined }>;
    readonly 'voice/stopTranscribing': Change<Nothing>;
    readonly 'voice/transcript': Call<{ readonly step: TranscriptStep }, Said>;
    readonly 'voice/do': Call<{ readonly step: VoiceStep }, Said>;
    /** Takes a step that was offered with a notice. */
    readonly 'voice/act': Call<{ readonly id: string }, Nothing>;
  };
  readonly events: { readonly 'voice/changed': VoiceView };
}

import type { BatchSubmitStrings } from './batchSubmitStrings';
import type { Call } from './call';
import type { ModelCost, WireAction, WireError } from './wire';

/** The bounds of a batch's metadata. Lengths are in UTF-16 units. */
export const metadataBounds = { key: 64, value: 512 } as const;
/** Of 16 pairs; the name, the description and the one by which the batch is known again have theirs. */
export const freePairs = 13;
export const takenKeys = { name: 'name', description: 'batch_description', job: 'inference_desk_job' } as const;
/** In hours. */
export const windowBounds = { least: 24, most: 336 } as const;

/** What the person wrote. */
export interface SubmitForm {
  readonly name: string;
  readonly description: string;
  /** Hours, as typed. */
  readonly hours: string;
  /** Takes the place of every line's model; empty: the lines keep theirs. */
  readonly model: string;
  readonly pairs: readonly { readonly key: string; readonly value: string }[];
  /** The errors are known of, and it is to be submitted all the same. */
  readonly takeErrors: boolean;
  /** The uploaded file to use; empty: upload; absent: what is proposed. */
  readonly upload?: string;
}

export interface SubmitRequest {
  /** The one that was shown. */
  readonly profileId: string;
  readonly hours: number;
  readonly model?: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly takeErrors: boolean;
  readonly upload?: string | undefined;
}

/** Worded, both. */
export interface SubmitFact {
  readonly label: string;
  readonly value: string;
  /** The value in full, where it is shortened. */
  readonly title?: string;
  /** Below the value. */
  readonly note?: string;
}

/** All problems of one kind. */
export interface SubmitProblem {
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  /** Of the first of them. */
  readonly message: string;
  /** The line of the first, from 0. */
  readonly line: number;
  readonly count: number;
  /** Worded: which line, and how many there are. */
  readonly where: string;
  /** Another model for all lines does away with it. */
  readonly isOfModel: boolean;
  /** The service refuses the whole file for it, where it is an error. */
  readonly refusesFile: boolean;
  /** What does away with it. */
  readonly step?: WireAction;
}

export type SubmitCheck =
  /** It is not on this machine. */
  | { readonly state: 'none' }
  /** `part` from 0 to 1; worded. */
  | { readonly state: 'running'; readonly part: number; readonly text: string }
  | { readonly state: 'stopped' }
  | { readonly state: 'failed'; readonly error: WireError }
  | {
      readonly state: 'done';
      /** Worded: what was found. */
      readonly text: string;
      /** Those that weigh most first. */
      readonly problems: readonly SubmitProblem[];
    };

export interface SubmitUpload {
  readonly id: string;
  /** Worded: when it was uploaded, and how it is known. */
  readonly text: string;
  /** Worded, where it may be another content. */
  readonly doubt?: string;
}

export interface SubmitProgress {
  /** Worded. */
  readonly text: string;
  /** From 0 to 1; absent: not known. */
  readonly part?: number;
  /** It can still be called back. */
  readonly canStop: boolean;
}

export interface SubmitOutcome {
  /** `created`: the batch exists. `unknown`: whether it does. `failed`: it does not. */
  readonly kind: 'created' | 'unknown' | 'failed';
  /** It ended, and not all of it is answered. */
  readonly isPartial?: boolean;
  readonly title: string;
  readonly detail: string;
  readonly facts: readonly SubmitFact[];
  /** `retry` is the page's: it submits again. */
  readonly actions: readonly WireAction[];
}

/** Everything the page shows besides what the person wrote. */
export interface SubmitView {
  /** By which the host knows the page again. */
  readonly submitId: string;
  readonly name: string;
  /** Worded: what the page is for. */
  readonly heading: string;
  /** Worded: where the file is. */
  readonly place: string;
  readonly facts: readonly SubmitFact[];
  readonly check: SubmitCheck;
  /** What became of the file since it was checked. */
  readonly file: 'same' | 'changed' | 'gone';
  readonly isUnsaved: boolean;
  /** To whom it is sent; absent: nobody is signed in. */
  readonly profileId?: string;
  /** The first one is proposed unless it is in doubt. */
  readonly uploads: readonly SubmitUpload[];
  readonly progress?: SubmitProgress;
  readonly outcome?: SubmitOutcome;
  /** How many different models the lines ask; 0: not known. */
  readonly modelCount: number;
  /** What all lines ask, where that is one. */
  readonly model: string;
  /** What the last batch cost. */
  readonly costs: readonly ModelCost[];
  /** What a new batch is called unless the person says otherwise. */
  readonly suggestedName: string;
  /** What takes the place of the lines' models unless the person says otherwise; empty: nothing. */
  readonly suggestedModel: string;
  /** What can be done in place of submitting it. */
  readonly otherSteps: readonly WireAction[];
}

export interface SubmitModel {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  readonly group: string;
}

type Nothing = Record<never, never>;

export interface BatchSubmitScreen {
  readonly state: { readonly submitId: string; readonly form: SubmitForm };
  readonly strings: BatchSubmitStrings;
  readonly calls: {
    readonly 'submit/ready': Call<Nothing, SubmitView>;
    /** Those the service lists for chats. */
    readonly 'submit/models': Call<Nothing, { readonly models: readonly SubmitModel[] }>;
    /** Reads the file again. */
    readonly 'submit/check': Call<Nothing, Nothing>;
    readonly 'submit/stopCheck': Call<Nothing, Nothing>;
    /** Saves the edits of the file, which is then checked again. */
    readonly 'submit/save': Call<Nothing, Nothing>;
    readonly 'submit/report': Call<Nothing, Nothing>;
    readonly 'submit/goTo': Call<{ readonly line: number }, Nothing>;
    /** Resolves when it began; how it goes on is told as it goes, also when the page was away meanwhile. */
    readonly 'submit/send': Call<SubmitRequest, Nothing>;
    /** Calls it back, while it can be. */
    readonly 'submit/stop': Call<Nothing, Nothing>;
    /** Takes a step that was offered. */
    readonly 'submit/act': Call<{ readonly id: string }, Nothing>;
  };
  readonly events: { readonly 'submit/changed': SubmitView };
}

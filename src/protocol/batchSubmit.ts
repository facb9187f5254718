import type { Call } from './call';
import type { ModelCost, WireAction, WireError } from './wire';

/** Keys of a batch's metadata with a field of their own, and the one that identifies the batch later. */
export const takenKeys = { name: 'name', description: 'batch_description', job: 'inference_desk_job' } as const;
/** What the service takes. */
export interface SubmitBounds {
  /** Hours allowed. */
  readonly hours: { readonly least: number; readonly most: number };
  /** Metadata: pairs that are the user's own, and the UTF-16 units of a key and of a value. */
  readonly metadata: { readonly pairs: number; readonly key: number; readonly value: number };
}

/** What the user entered. */
export interface SubmitForm {
  readonly name: string;
  readonly description: string;
  /** Hours, as typed. */
  readonly hours: string;
  /** Replaces the model of every line; empty to use each line's own. */
  readonly model: string;
  readonly pairs: readonly { readonly key: string; readonly value: string }[];
  /** Submit despite known errors. */
  readonly takeErrors: boolean;
  /** Id of the uploaded file to use; empty to upload; absent to use the suggestion. */
  readonly upload?: string;
}

export interface SubmitRequest {
  /** The profile that was shown. */
  readonly profileId: string;
  readonly hours: number;
  readonly model?: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  readonly takeErrors: boolean;
  readonly upload?: string | undefined;
}

/** Both texts are localized. */
export interface SubmitFact {
  readonly label: string;
  readonly value: string;
  /** The full value, if `value` is shortened. */
  readonly title?: string;
  /** Shown below the value. */
  readonly note?: string;
}

/** All problems of one kind. */
export interface SubmitProblem {
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  /** Message of the first of them. */
  readonly message: string;
  /** Line of the first of them, from 0. */
  readonly line: number;
  readonly count: number;
  /** Localized: the line, and how many there are. */
  readonly where: string;
  /** Whether using another model for all lines fixes it. */
  readonly isOfModel: boolean;
  /** Whether the service rejects the whole file because of it, if it is an error. */
  readonly refusesFile: boolean;
  /** The action that fixes it. */
  readonly step?: WireAction;
}

export type SubmitCheck =
  /** The file is not on this machine. */
  | { readonly state: 'none' }
  /** `part` from 0 to 1; `text` is localized. */
  | { readonly state: 'running'; readonly part: number; readonly text: string }
  | { readonly state: 'stopped' }
  | { readonly state: 'failed'; readonly error: WireError }
  | {
      readonly state: 'done';
      /** Localized result. */
      readonly text: string;
      /** Most severe first. */
      readonly problems: readonly SubmitProblem[];
    };

export interface SubmitUpload {
  readonly id: string;
  /** Localized: when it was uploaded, and how it was recognized. */
  readonly text: string;
  /** Localized; set if its content may differ. */
  readonly doubt?: string;
}

export interface SubmitProgress {
  /** Localized. */
  readonly text: string;
  /** From 0 to 1; absent if unknown. */
  readonly part?: number;
  /** Whether it can still be cancelled. */
  readonly canStop: boolean;
}

export interface SubmitOutcome {
  /** `created`: the batch exists. `unknown`: it may exist. `failed`: it does not. */
  readonly kind: 'created' | 'unknown' | 'failed';
  /** The batch ended before all requests were answered. */
  readonly isPartial?: boolean;
  readonly title: string;
  readonly detail: string;
  readonly facts: readonly SubmitFact[];
  /** The page handles `retry` itself: it submits again. */
  readonly actions: readonly WireAction[];
}

/** Everything the page shows apart from what the user entered. */
export interface SubmitView {
  /** Identifies the page to the host after a reload. */
  readonly submitId: string;
  readonly bounds: SubmitBounds;
  readonly name: string;
  /** Localized: the purpose of the page. */
  readonly heading: string;
  /** Localized location of the file. */
  readonly place: string;
  readonly facts: readonly SubmitFact[];
  readonly check: SubmitCheck;
  /** State of the file since it was checked. */
  readonly file: 'same' | 'changed' | 'gone';
  readonly isUnsaved: boolean;
  /** The profile used to submit; absent if nobody is signed in. */
  readonly profileId?: string;
  /** The first one is suggested unless it has `doubt`. */
  readonly uploads: readonly SubmitUpload[];
  readonly progress?: SubmitProgress;
  readonly outcome?: SubmitOutcome;
  /** Number of different models the lines use; 0 if unknown. */
  readonly modelCount: number;
  /** The model of all lines, if there is only one. */
  readonly model: string;
  /** Cost of the last batch, by model. */
  readonly costs: readonly ModelCost[];
  /** Name of a new batch unless the user enters another. */
  readonly suggestedName: string;
  /** Model that replaces those of the lines unless the user chooses otherwise; empty for none. */
  readonly suggestedModel: string;
  /** Actions offered instead of submitting the file. */
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
  readonly calls: {
    readonly 'submit/ready': Call<Nothing, SubmitView>;
    /** The models that the service lists for chat. */
    readonly 'submit/models': Call<Nothing, { readonly models: readonly SubmitModel[] }>;
    /** Checks the file again. */
    readonly 'submit/check': Call<Nothing, Nothing>;
    readonly 'submit/stopCheck': Call<Nothing, Nothing>;
    /** Saves the file's unsaved edits; the file is then checked again. */
    readonly 'submit/save': Call<Nothing, Nothing>;
    readonly 'submit/report': Call<Nothing, Nothing>;
    readonly 'submit/goTo': Call<{ readonly line: number }, Nothing>;
    /** Resolves once submitting has started; `submit/changed` reports progress, also after the page was hidden. */
    readonly 'submit/send': Call<SubmitRequest, Nothing>;
    /** Cancels the submission while that is still possible. */
    readonly 'submit/stop': Call<Nothing, Nothing>;
    /** Runs an offered action. */
    readonly 'submit/act': Call<{ readonly id: string }, Nothing>;
  };
  readonly events: { readonly 'submit/changed': SubmitView };
}

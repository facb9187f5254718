import * as z from 'zod/mini';
import { takenKeys } from './batchMetadata';
import { call, returns, type Accepted, type CallsOf } from './call';
import type { ModelCost, WireAction, WireError } from './wire';

/** The service's limits. */
export interface SubmitBounds {
  /** Whether the requests are sent in the call that creates the batch: without an upload, and without metadata. */
  readonly isInline: boolean;
  /** Whether all requests of a batch have the same model. */
  readonly hasOneModel: boolean;
  /** Hours allowed. `usual`: what the service certainly accepts. */
  readonly hours: { readonly least: number; readonly most: number; readonly usual: number };
  /** The documented models that can replace that of every line; none if it cannot be replaced. */
  readonly replacementModels: readonly string[];
  /** Metadata: pairs that are the user's own, and the UTF-16 units of a key and of a value. */
  readonly metadata: { readonly pairs: number; readonly key: number; readonly value: number };
}

/** The user's input. */
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

/** The submitted values. The host checks the service's limits on hours and metadata. */
const request = z.strictObject({
  /** The profile that was shown. */
  profileId: z.string().check(z.maxLength(200)),
  hours: z.int().check(z.positive()),
  model: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(500))),
  metadata: z.record(
    z.string().check(
      z.minLength(1),
      z.refine((key) => key !== takenKeys.job),
    ),
    z.string(),
  ),
  takeErrors: z.boolean(),
  upload: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(500))),
});
export type SubmitRequest = Accepted<typeof request>;

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
  /** Whether the service rejects the entire file because of it, if it is an error. */
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
  /** Whether it can still be canceled. */
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
  /** The profile used to submit; absent if no account is signed in. */
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
  /** Whether the lines are on this machine, so that any model can be written in them. */
  readonly hasFile: boolean;
  /** Model that replaces those of the lines unless the user selects another. Empty for none. */
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

const nothing = z.strictObject({});

export const submitCalls = {
  'submit/ready': call(nothing, returns<SubmitView>()),
  /** The models that can replace that of every line. */
  'submit/models': call(nothing, returns<{ readonly models: readonly SubmitModel[] }>()),
  /** Checks the file again. */
  'submit/check': call(nothing),
  'submit/stopCheck': call(nothing),
  /** Saves the file's unsaved edits; the file is then checked again. */
  'submit/save': call(nothing),
  'submit/report': call(nothing),
  'submit/goTo': call(z.strictObject({ line: z.int().check(z.nonnegative()) })),
  /** Resolves once submitting has started; `submit/changed` reports progress, also after the page was hidden. */
  'submit/send': call(request),
  /** Cancels the submission while that is still possible. */
  'submit/stop': call(nothing),
  /** Runs an offered action. */
  'submit/act': call(z.strictObject({ id: z.string().check(z.maxLength(200)) })),
};

export interface BatchSubmitScreen {
  readonly state: { readonly submitId: string; readonly form: SubmitForm };
  readonly calls: CallsOf<typeof submitCalls>;
  readonly events: { readonly 'submit/changed': SubmitView };
}

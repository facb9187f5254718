import * as z from 'zod/mini';
import { call, returns, type Accepted, type CallsOf } from './call';
import type { ParameterPreset } from './chatParameters';

/** A parameter that is a number, and how it is shown. */
export interface CompletionNumber {
  readonly name: string;
  readonly group: 'length' | 'choice' | 'repetition' | 'tokens';
  readonly control: 'box' | 'seed' | 'slider' | 'probabilities';
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

const nothing = z.strictObject({});
const id = z.string().check(z.minLength(1), z.maxLength(100));
const name = z.string().check(
  z.maxLength(100),
  z.refine((typed) => typed.trim() !== ''),
);
/** No number is longer; like the other limits, this guards against a misbehaving page. */
const number = z.string().check(z.maxLength(100));
const row = z.strictObject({ token: number, bias: number });
export type CompletionBias = Accepted<typeof row>;

/** As typed. An empty text is an unset parameter. */
const form = z.strictObject({
  /** By name of the parameter; the host ignores names it does not know. */
  numbers: z.record(name, number),
  /** The escapes `\n`, `\t` and `\\` are decoded. */
  stop: z.array(z.string().check(z.maxLength(10_000))).check(z.maxLength(1000)),
  logit_bias: z.array(row).check(z.maxLength(5000)),
});
export type CompletionForm = Accepted<typeof form>;

/** Texts by the name of the parameter; those without one are absent. */
export type CompletionWords = Readonly<Record<string, string>>;

/** A localized message and its range in the JSON. */
export interface CompletionIssue {
  readonly text: string;
  /** Localized: line and column. */
  readonly where: string;
  readonly offset: number;
  readonly length: number;
}

/** Localized, by index in the list. */
export type RowIssues = Readonly<Record<number, string>>;

export interface BiasIssue {
  readonly text: string;
  /** Which of the two inputs of the row it concerns. */
  readonly box: keyof CompletionBias;
}

/** Where a completion is written. */
const way = z.enum(['insert', 'replace', 'beside']);
export type CompletionWay = Accepted<typeof way>;

/** The document that would be completed. */
export interface CompletionTarget {
  /** Localized; empty if there is none. */
  readonly name: string;
  /** Why it cannot be done; absent if it can. */
  readonly obstacles: { readonly [Way in CompletionWay]?: string };
  /** Of all its requests, localized. Missing if the service has no prices, or there is nothing to complete. */
  readonly price?: string | undefined;
}

/** Everything the page shows. */
export interface CompletionView {
  /** Empty for automatic. */
  readonly model: string;
  /** The model that automatic selects; empty while none is known. */
  readonly automatic: string;
  /** Localized; set if the chosen model may not work. */
  readonly modelWarning?: string;
  /** The parameters as JSON, exactly as written. */
  readonly text: string;
  /** The fields of `text`; if that is invalid, the values in effect. */
  readonly form: CompletionForm;
  /** The fields of `form.numbers`, in the order in which they are shown. */
  readonly numbers: readonly CompletionNumber[];
  readonly isBroken: boolean;
  /** Issues of the JSON, in order of position. */
  readonly textIssues: readonly CompletionIssue[];
  /** Why a field's value is not sent. */
  readonly issues: CompletionWords;
  readonly stopIssues: RowIssues;
  readonly biasIssues: Readonly<Record<number, BiasIssue>>;
  /** The value is sent, but may be rejected, or does not have the effect it seems to have. */
  readonly warnings: CompletionWords;
  readonly hints: CompletionWords;
  /** Not sent to the model because it rejected them before, whether set or not. */
  readonly notTaken: CompletionWords;
  /** Number of parameters that are set and sent. */
  readonly count: number;
  readonly presets: readonly ParameterPreset[];
  readonly target: CompletionTarget;
  /** The request as JSON, with the prompt shortened. */
  readonly preview: string;
}

export interface CompletionModel {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  readonly group: string;
}

/** Input not yet sent to the host. */
export type CompletionDraft = { readonly form: CompletionForm } | { readonly text: string };

export type CompletionTab = 'form' | 'json';

/** Most calls return the resulting state. */
const view = returns<CompletionView>();

export const completionCalls = {
  'completion/ready': call(nothing, view),
  'completion/models': call(nothing, returns<{ readonly models: readonly CompletionModel[] }>()),
  'completion/setForm': call(z.strictObject({ form }), view),
  'completion/setText': call(z.strictObject({ text: z.string().check(z.maxLength(500_000)) }), view),
  /** Replaces an invalid text with the values in effect. */
  'completion/dropText': call(nothing, view),
  /** Empty for automatic. */
  'completion/setModel': call(z.strictObject({ model: z.string().check(z.maxLength(500)) }), view),
  /** Saves the current values as a preset, replacing any of that name. */
  'completion/savePreset': call(z.strictObject({ name }), view),
  'completion/applyPreset': call(z.strictObject({ id }), view),
  'completion/renamePreset': call(z.strictObject({ id, name }), view),
  'completion/deletePreset': call(z.strictObject({ id }), view),
  /** Forgets that the model rejected the parameter. */
  'completion/sendAgain': call(z.strictObject({ name }), view),
  /** Resolves once the completion has started. */
  'completion/run': call(z.strictObject({ way })),
  /** Runs an action offered with an error. */
  'completion/act': call(z.strictObject({ id: z.string().check(z.maxLength(200)) })),
};

export interface CompletionScreen {
  readonly state: { readonly tab: CompletionTab; readonly draft?: CompletionDraft };
  readonly calls: CallsOf<typeof completionCalls>;
  readonly events: { readonly 'completion/changed': CompletionView };
}

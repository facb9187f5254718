import type { Call } from './call';
import type { ParameterPreset } from './chatParameters';

/** A parameter that is a number, and how it is shown. */
export interface CompletionNumber {
  readonly name: string;
  readonly group: 'length' | 'choice' | 'repetition' | 'tokens';
  readonly control: 'box' | 'seed' | 'slider' | 'probabilities';
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** As typed: an empty text is a parameter that is not set. */
export interface CompletionForm {
  readonly numbers: Readonly<Record<string, string>>;
  /** The escapes `\n`, `\t` and `\\` are decoded. */
  readonly stop: readonly string[];
  readonly logit_bias: readonly CompletionBias[];
}

export interface CompletionBias {
  readonly token: string;
  readonly bias: string;
}

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
export type CompletionWay = 'insert' | 'replace' | 'beside';

/** The document that would be completed. */
export interface CompletionTarget {
  /** Localized; empty if there is none. */
  readonly name: string;
  /** Why it cannot be done; absent if it can. */
  readonly obstacles: { readonly [Way in CompletionWay]?: string };
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

type Nothing = Record<never, never>;
/** Returns the resulting state. */
type Change<Params> = Call<Params, CompletionView>;

export interface CompletionScreen {
  readonly state: { readonly tab: CompletionTab; readonly draft?: CompletionDraft };
  readonly calls: {
    readonly 'completion/ready': Change<Nothing>;
    readonly 'completion/models': Call<Nothing, { readonly models: readonly CompletionModel[] }>;
    readonly 'completion/setForm': Change<{ readonly form: CompletionForm }>;
    readonly 'completion/setText': Change<{ readonly text: string }>;
    /** Replaces an invalid text with the values in effect. */
    readonly 'completion/dropText': Change<Nothing>;
    /** Empty for automatic. */
    readonly 'completion/setModel': Change<{ readonly model: string }>;
    /** Saves the current values as a preset, replacing any of that name. */
    readonly 'completion/savePreset': Change<{ readonly name: string }>;
    readonly 'completion/applyPreset': Change<{ readonly id: string }>;
    readonly 'completion/renamePreset': Change<{ readonly id: string; readonly name: string }>;
    readonly 'completion/deletePreset': Change<{ readonly id: string }>;
    /** Forgets that the model rejected the parameter. */
    readonly 'completion/sendAgain': Change<{ readonly name: string }>;
    /** Resolves once the completion has started. */
    readonly 'completion/run': Call<{ readonly way: CompletionWay }, Nothing>;
    /** Runs an action offered with an error. */
    readonly 'completion/act': Call<{ readonly id: string }, Nothing>;
  };
  readonly events: { readonly 'completion/changed': CompletionView };
}

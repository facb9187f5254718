import type { Call } from './call';
import type { ParameterPreset } from './chatParameters';
import type { CompletionStrings } from './completionStrings';

export type CompletionNumber =
  | 'max_tokens'
  | 'temperature'
  | 'top_p'
  | 'top_k'
  | 'n'
  | 'seed'
  | 'repetition_penalty'
  | 'presence_penalty'
  | 'frequency_penalty'
  | 'logprobs';

/** As typed: an empty text is a parameter that is not set. */
export interface CompletionForm extends Readonly<Record<CompletionNumber, string>> {
  /** `\n`, `\t` and `\\` stand for themselves. */
  readonly stop: readonly string[];
  readonly logit_bias: readonly CompletionBias[];
}

export interface CompletionBias {
  readonly token: string;
  readonly bias: string;
}

export type CompletionField = keyof CompletionForm;

/** What a model can refuse: the text after the gap is no field. */
export type RefusableCompletion = CompletionField | 'suffix';

/** Words about some of the fields. */
export type CompletionWords = { readonly [Field in CompletionField]?: string };

/** Worded, with the place in the JSON it is about. */
export interface CompletionIssue {
  readonly text: string;
  /** Worded: line and column. */
  readonly where: string;
  readonly offset: number;
  readonly length: number;
}

/** By position in its list; worded. */
export type RowIssues = Readonly<Record<number, string>>;

export interface BiasIssue {
  readonly text: string;
  /** Which of both boxes of the row it is about. */
  readonly box: keyof CompletionBias;
}

/** What becomes of an answer. */
export type CompletionWay = 'insert' | 'replace' | 'beside';

/** The text that would be completed. */
export interface CompletionTarget {
  /** Worded; empty: there is none. */
  readonly name: string;
  /** Why it cannot be done; absent where it can. */
  readonly obstacles: { readonly [Way in CompletionWay]?: string };
}

/** All of the page. */
export interface CompletionView {
  /** Empty: automatic. */
  readonly model: string;
  /** The one that automatic means; empty while none is known. */
  readonly automatic: string;
  /** Worded, where the model that is set is in doubt. */
  readonly modelWarning?: string;
  /** The parameters as JSON, as it was written. */
  readonly text: string;
  /** The fields of `text`; where it is broken, what is in force. */
  readonly form: CompletionForm;
  readonly isBroken: boolean;
  /** Of the JSON, in its order. */
  readonly textIssues: readonly CompletionIssue[];
  /** Why a field's value is not sent. */
  readonly issues: CompletionWords;
  readonly stopIssues: RowIssues;
  readonly biasIssues: Readonly<Record<number, BiasIssue>>;
  /** The value is sent, but may be refused, or does not do what it seems to. */
  readonly warnings: CompletionWords;
  readonly hints: CompletionWords;
  /** Not sent to the model, because it refused them: set or not. */
  readonly notTaken: { readonly [Name in RefusableCompletion]?: string };
  /** How many are set and sent. */
  readonly count: number;
  readonly presets: readonly ParameterPreset[];
  readonly target: CompletionTarget;
  /** The request as JSON, the prompt shortened. */
  readonly preview: string;
}

export interface CompletionModel {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  readonly group: string;
}

/** What was typed and not told yet. */
export type CompletionDraft = { readonly form: CompletionForm } | { readonly text: string };

export type CompletionTab = 'form' | 'json';

type Nothing = Record<never, never>;
/** Answered with what holds after it. */
type Change<Params> = Call<Params, CompletionView>;

export interface CompletionScreen {
  readonly state: { readonly tab: CompletionTab; readonly draft?: CompletionDraft };
  readonly strings: CompletionStrings;
  readonly calls: {
    readonly 'completion/ready': Change<Nothing>;
    readonly 'completion/models': Call<Nothing, { readonly models: readonly CompletionModel[] }>;
    readonly 'completion/setForm': Change<{ readonly form: CompletionForm }>;
    readonly 'completion/setText': Change<{ readonly text: string }>;
    /** Writes what is in force in place of a text that is broken. */
    readonly 'completion/dropText': Change<Nothing>;
    /** Empty: automatic. */
    readonly 'completion/setModel': Change<{ readonly model: string }>;
    /** Keeps what is set under a name; a preset of that name is replaced. */
    readonly 'completion/savePreset': Change<{ readonly name: string }>;
    readonly 'completion/applyPreset': Change<{ readonly id: string }>;
    readonly 'completion/renamePreset': Change<{ readonly id: string; readonly name: string }>;
    readonly 'completion/deletePreset': Change<{ readonly id: string }>;
    /** Forgets that the model refused it. */
    readonly 'completion/sendAgain': Change<{ readonly name: RefusableCompletion }>;
    /** Resolves when it began. */
    readonly 'completion/run': Call<{ readonly way: CompletionWay }, Nothing>;
    /** Takes a step that was offered with an error. */
    readonly 'completion/act': Call<{ readonly id: string }, Nothing>;
  };
  readonly events: { readonly 'completion/changed': CompletionView };
}

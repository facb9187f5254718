import type { Call } from './call';

/** As typed: an empty text is a parameter that is not set. */
export interface ParameterForm {
  readonly system: string;
  readonly max_tokens: string;
  readonly temperature: string;
  readonly top_p: string;
  readonly top_k: string;
  /** `\n`, `\t` and `\\` stand for themselves. */
  readonly stop_sequences: readonly string[];
  readonly prefill: string;
}

export type ParameterField = keyof ParameterForm;

/** Words about some of the fields. */
export type FieldWords = { readonly [Name in ParameterField]?: string };

/** What a model can refuse: tools have a place of their own, not in the form. */
export type RefusableParameter = ParameterField | 'tools' | 'tool_choice';

export interface ParametersState {
  readonly form: ParameterForm;
  /** How many are set and sent. */
  readonly count: number;
  /** The bounds of a field, or what is sent where it is empty. */
  readonly hints: FieldWords;
  /** Why a field's value is not taken over; what stands there is not sent. */
  readonly issues: FieldWords;
  /** The value is sent, but may be refused. */
  readonly warnings: FieldWords;
  /** Set, but not sent to the model, because it refused them. */
  readonly notTaken: { readonly [Name in RefusableParameter]?: string };
  readonly presets: readonly ParameterPreset[];
}

export interface ParameterPreset {
  readonly id: string;
  readonly name: string;
}

/** `model` is the one the next question goes to. */
interface About {
  readonly model: string;
}

type Asks<Params> = Call<Params & About, ParametersState>;

/** Each is answered with what holds after it. */
export interface ParametersCalls {
  /** What holds for another model. */
  readonly 'chat/parameters': Asks<unknown>;
  readonly 'chat/setParameters': Asks<{ readonly form: ParameterForm }>;
  /** Keeps what is set under a name; a preset of that name is replaced. */
  readonly 'chat/savePreset': Asks<{ readonly name: string }>;
  readonly 'chat/applyPreset': Asks<{ readonly id: string }>;
  readonly 'chat/renamePreset': Asks<{ readonly id: string; readonly name: string }>;
  readonly 'chat/deletePreset': Asks<{ readonly id: string }>;
  /** Remembers that the model refuses a parameter: it is not sent to it any more. */
  readonly 'chat/withoutParameter': Asks<{ readonly parameter: RefusableParameter }>;
  /** Forgets it: the parameter is sent again. */
  readonly 'chat/withParameter': Asks<{ readonly parameter: RefusableParameter }>;
}

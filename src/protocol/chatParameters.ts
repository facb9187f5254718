import type { Call } from './call';

/** As typed: an empty text is a parameter that is not set. */
export interface ParameterForm {
  readonly system: string;
  /** By name, in the order of the fields. */
  readonly numbers: Readonly<Record<string, string>>;
  /** The escapes `\n`, `\t` and `\\` are decoded. */
  readonly stop_sequences: readonly string[];
  readonly prefill: string;
}

/** Texts by the name of the parameter; those without one are absent. */
export type FieldWords = Readonly<Record<string, string>>;

export interface ParametersState {
  readonly form: ParameterForm;
  /** Number of parameters that are set and sent. */
  readonly count: number;
  /** The ranges of numbers. */
  readonly hints: FieldWords;
  /** The value sent if the field is empty; a text is empty while it is not known. Of other fields, nothing is sent. */
  readonly defaults: FieldWords;
  /** Why a field's value is invalid; it is not sent. */
  readonly issues: FieldWords;
  /** The value is sent, but may be rejected. */
  readonly warnings: FieldWords;
  /** Set, but not sent to the model, because it rejected them before. */
  readonly notTaken: FieldWords;
  readonly presets: readonly ParameterPreset[];
}

export interface ParameterPreset {
  readonly id: string;
  readonly name: string;
}

/** `model` is the one the next question is sent to. */
interface About {
  readonly model: string;
}

type Asks<Params> = Call<Params & About, ParametersState>;

/** Each returns the resulting state. */
export interface ParametersCalls {
  /** Returns the state for another model. */
  readonly 'chat/parameters': Asks<unknown>;
  readonly 'chat/setParameters': Asks<{ readonly form: ParameterForm }>;
  /** Saves the current values as a preset, replacing any of that name. */
  readonly 'chat/savePreset': Asks<{ readonly name: string }>;
  readonly 'chat/applyPreset': Asks<{ readonly id: string }>;
  readonly 'chat/renamePreset': Asks<{ readonly id: string; readonly name: string }>;
  readonly 'chat/deletePreset': Asks<{ readonly id: string }>;
  /** Remembers that the model rejects a parameter, which is no longer sent to it. */
  readonly 'chat/withoutParameter': Asks<{ readonly parameter: string }>;
  /** Forgets that rejection: the parameter is sent again. */
  readonly 'chat/withParameter': Asks<{ readonly parameter: string }>;
}

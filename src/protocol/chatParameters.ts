import * as z from 'zod/mini';
import { call, returns, type Accepted } from './call';
import { id, longText, model } from './chatFields';

/** The host ignores names of parameters that it does not know. */
const parameter = z.string().check(z.maxLength(100));

/** As typed. An empty text is an unset parameter. */
const form = z.strictObject({
  system: longText,
  /** By name, in the order of the fields. No number is longer. */
  numbers: z.record(parameter, z.string().check(z.maxLength(100))),
  /** The escapes `\n`, `\t` and `\\` are decoded. */
  stop_sequences: z.array(z.string().check(z.maxLength(10_000))).check(z.maxLength(1000)),
  prefill: longText,
  /** Missing if the model can't be configured. */
  enable_thinking: z.exactOptional(z.enum(['', 'on', 'off'])),
});
export type ParameterForm = Accepted<typeof form>;

/** Texts by the name of the parameter; those without one are absent. */
export type FieldWords = Readonly<Record<string, string>>;

export interface ParametersState {
  readonly form: ParameterForm;
  /** Number of parameters that are set and sent. */
  readonly count: number;
  /** The ranges of numbers. */
  readonly hints: FieldWords;
  /** The value sent if the field is empty. A text is empty while it is unknown. Other fields send nothing. */
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

const presetName = z.string().check(
  z.maxLength(100),
  z.refine((typed) => typed.trim() !== ''),
);
const state = returns<ParametersState>();

/** Each returns the resulting state. `model` is the one the next question is sent to. */
export const parameterCalls = {
  /** Returns the state for another model. */
  'chat/parameters': call(z.strictObject({ model }), state),
  'chat/setParameters': call(z.strictObject({ model, form }), state),
  /** Saves the current values as a preset, replacing any of that name. */
  'chat/savePreset': call(z.strictObject({ model, name: presetName }), state),
  'chat/applyPreset': call(z.strictObject({ model, id }), state),
  'chat/renamePreset': call(z.strictObject({ model, id, name: presetName }), state),
  'chat/deletePreset': call(z.strictObject({ model, id }), state),
  /** Remembers that the model rejects a parameter, which is no longer sent to it. */
  'chat/withoutParameter': call(z.strictObject({ model, parameter }), state),
  /** Forgets that rejection: the parameter is sent again. */
  'chat/withParameter': call(z.strictObject({ model, parameter }), state),
};

import { boundIssues } from '../api/bounds';
import type { ParameterIssue } from '../api/parameters';
import { rateWarnings, speechBounds } from '../api/speech/speech.bounds';
import type { SpeechRequest } from '../api/speech/speech.schema';
import { typedNumber } from '../parameters/typedValue';
import { refusedAmong } from '../parameters/refusal';
import type { Refusal } from '../parameters/refusal';
import { voiceFor } from './builtInVoices';

export const speechFormats = ['mp3', 'opus', 'wav', 'pcm'] as const;
export type SpeechFormat = (typeof speechFormats)[number];

/** The form as typed: an empty field is not sent. */
export interface SpeechForm {
  readonly input: string;
  readonly model: string;
  readonly response_format: SpeechFormat | '';
  readonly sample_rate: string;
  readonly speed: string;
  readonly gain: string;
  readonly stream: boolean;
}

export type SpeechField = keyof SpeechForm;
export type SpeechFault =
  | { readonly kind: 'missing' }
  | { readonly kind: 'notNumber' }
  | { readonly kind: 'parameter'; readonly issue: ParameterIssue };

export interface ReadSpeechForm {
  /** `undefined` while the form has faults. */
  readonly request: SpeechRequest | undefined;
  readonly faults: { readonly [Field in SpeechField]?: SpeechFault };
  /** These do not prevent sending. */
  readonly warnings: { readonly [Field in SpeechField]?: ParameterIssue };
}

const numbers = ['sample_rate', 'speed', 'gain'] as const;

/** Builds the request of a form for a voice; includes only parameters that are set. */
export function readSpeechForm(form: SpeechForm, voiceUri: string): ReadSpeechForm {
  const { input, response_format, stream } = form;
  const model = form.model.trim();
  const faults: Partial<Record<SpeechField, SpeechFault>> = {};
  const values: Partial<Record<(typeof numbers)[number], number>> = {};
  if (input.trim() === '') faults.input = { kind: 'missing' };
  if (model === '') faults.model = { kind: 'missing' };
  for (const name of numbers) {
    if (form[name].trim() === '') continue;
    const value = typedNumber(form[name]);
    if (value === undefined) faults[name] = { kind: 'notNumber' };
    else values[name] = value;
  }
  const request: SpeechRequest = {
    model,
    input,
    voice: voiceFor(voiceUri, model),
    ...(response_format !== '' && { response_format }),
    ...values,
    ...(stream && { stream }),
  };
  for (const issue of boundIssues(request, speechBounds)) {
    faults[issue.parameter as SpeechField] ??= { kind: 'parameter', issue };
  }
  const warnings = Object.fromEntries(rateWarnings(request).map((warning) => [warning.parameter, warning]));
  return { request: Object.keys(faults).length === 0 ? request : undefined, faults, warnings };
}

/** Returns the form that repeats a request. */
export function formOfRequest(request: SpeechRequest): SpeechForm {
  const { input, model, response_format, sample_rate, speed, gain, stream } = request;
  return {
    input,
    model,
    response_format: response_format ?? '',
    sample_rate: sample_rate?.toString() ?? '',
    speed: speed?.toString() ?? '',
    gain: gain?.toString() ?? '',
    stream: stream ?? false,
  };
}

const wordsFor: Readonly<Record<SpeechField, RegExp>> = {
  response_format: /response_format|\b(mp3|opus|wav|pcm)\b/i,
  sample_rate: /sample[_ ]rate/i,
  speed: /\bspeed\b/i,
  gain: /\bgain\b/i,
  stream: /\bstream(ing)?\b/i,
  input: /\binput\b/i,
  model: /\bmodel\b/i,
};

/** Returns which of the sent fields a refusal is about. */
export function refusedField(refusal: Refusal, request: SpeechRequest): SpeechField | undefined {
  const names = Object.keys(wordsFor) as SpeechField[];
  const sent = names.filter((name) => request[name] !== undefined && request[name] !== null);
  return refusedAmong(refusal, sent, (name) => wordsFor[name]);
}

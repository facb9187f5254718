import type { EndpointName } from '../endpointNames';

/** Transport faults; the answer itself is right. */
export type WireEffect =
  | 'slowFirstByte'
  | 'neverAnswers'
  | 'stall'
  | 'cutBody'
  | 'resetBeforeHeaders'
  | 'resetAfterHeaders'
  | 'resetDuringUpload'
  | 'wrongContentType'
  | 'hugeDeclared'
  | 'hugeUndeclared';

/** Faults in the events of a stream; the answer itself is right. */
export type StreamEffect =
  | 'cutMidEvent'
  | 'cutBeforeEnd'
  | 'stallMidStream'
  | 'textDeltaOnTool'
  | 'textDeltaOnThinking'
  | 'emptyTextBlockFirst'
  | 'wrongIndex'
  | 'noBlockStart'
  | 'noBlockStop'
  | 'malformedEvent'
  | 'bareErrorLine'
  | 'errorEvent'
  | 'unknownEvent'
  | 'noEventLines'
  | 'crlf'
  | 'comments'
  | 'noDone'
  | 'noMessageStop';

/** Faults in the content of the answer; the transport is fine. */
export type ContentEffect =
  | 'empty'
  | 'thinkingOnly'
  | 'refusal'
  | 'unknownStopReason'
  | 'noUsage'
  | 'foreignIndex'
  | 'repeatedIndex'
  | 'noScore'
  | 'sameScores'
  | 'wordForScore';

/** Faults in a result, seen only after the call itself succeeded. */
export type ResultEffect = 'expiredUrl' | 'failedJob' | 'unknownStatus' | 'endlessJob' | 'noAddress';

export type FaultEffect =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** A string is sent as is; anything else as JSON (in the provider's shape on `/completions` if it has a `message`). */
      readonly body: unknown;
      /** Unset: `text/plain` for a string, otherwise JSON. */
      readonly contentType?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'wire'; readonly how: WireEffect }
  | { readonly kind: 'stream'; readonly how: StreamEffect }
  | { readonly kind: 'content'; readonly how: ContentEffect }
  | { readonly kind: 'result'; readonly how: ResultEffect };

/** A fault that can be requested by the model id `fault/<name>` or by `POST /_control/arm`. */
export interface Fault {
  readonly name: string;
  /** What a client sees. */
  readonly summary: string;
  /** The endpoints it applies to. The control path refuses any other. */
  readonly endpoints: readonly EndpointName[];
  /** Whether it only shows if the request asks for a stream; without one the answer is right. */
  readonly streamOnly: boolean;
  readonly effect: FaultEffect;
}

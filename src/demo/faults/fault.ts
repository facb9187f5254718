import type { EndpointName } from '../endpointNames';

/** What the wire does with an answer that is otherwise right. */
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

/** What happens to the events of a stream; the answer itself is right. */
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

/** What the answer says, on the wire all is well. */
export type ContentEffect =
  | 'empty'
  | 'thinkingOnly'
  | 'refusal'
  | 'unknownStopReason'
  | 'noUsage'
  | 'foreignIndex'
  | 'repeatedIndex'
  | 'noScore'
  | 'wordForScore';

/** What becomes of the thing asked for, seen after the call itself succeeded. */
export type ResultEffect = 'expiredUrl' | 'failedJob' | 'unknownStatus' | 'endlessJob' | 'noAddress';

export type FaultEffect =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** Text is sent bare; anything else as JSON (provider-shaped on `/completions` when it has a `message`). */
      readonly body: unknown;
      /** Unset: `text/plain` for text, else JSON. */
      readonly contentType?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'wire'; readonly how: WireEffect }
  | { readonly kind: 'stream'; readonly how: StreamEffect }
  | { readonly kind: 'content'; readonly how: ContentEffect }
  | { readonly kind: 'result'; readonly how: ResultEffect };

/** A misbehaviour the service can be asked for, by the model id `fault/<name>` or by `POST /_control/arm`. */
export interface Fault {
  readonly name: string;
  /** What a client sees. */
  readonly summary: string;
  /** Where it can be asked for. A fault of another endpoint is refused by the control path. */
  readonly endpoints: readonly EndpointName[];
  /** Seen only when the request asks for a stream; without one the answer is a good one. */
  readonly streamOnly: boolean;
  readonly effect: FaultEffect;
}

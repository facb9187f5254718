import type { Bound } from '../../api/bounds';
import type { EndpointKind } from '../rules/endpoint';
import type { ProblemCode, Severity } from '../problem';

/** The services whose batches are documented in public. `unknown` stands for all others. */
export type BatchServiceId =
  | 'siliconFlow'
  | 'openAi'
  | 'azure'
  | 'anthropic'
  | 'openRouter'
  | 'zhiPu'
  | 'dashScope'
  | 'together'
  | 'groq'
  | 'mistral'
  | 'fireworks'
  | 'vllm'
  | 'unknown';

/** The most requests and bytes of a file; unset if nothing is known of them. */
export interface BatchLimits {
  readonly requests?: number;
  readonly bytes?: number;
}

/** The rules for batches of one service. Plain data, because it is passed to workers. */
export interface BatchRules extends BatchLimits {
  readonly id: BatchServiceId;
  /** A proper name, the same in every language. */
  readonly name: string;
  /**
   * How a batch is submitted. `file`: upload a file, then create a batch for it, as at OpenAI. `anthropic`: all requests in the call that
   * creates a Message Batch. `openrouter`: all requests in a call that also names their model and endpoint. `none`: not by a call that we
   * know.
   */
  readonly form: 'file' | 'anthropic' | 'openrouter' | 'none';
  /**
   * The content of a line besides its ID. `request`: `method`, `url`, and `body`. `body`: only a body, because its endpoint is set when the
   * batch is created. `params`: Anthropic's name of the body.
   */
  readonly line: 'request' | 'body' | 'params';
  /** The supported endpoints, in the form in which lines name them. The first one is for chats. */
  readonly endpoints: readonly string[];
  /** The completion window in hours; unset if nothing is known of it. */
  readonly hours?: { readonly least: number; readonly most: number };
  /** The most bytes of a line; unset if nothing is known of them. */
  readonly lineBytes?: number;
  /** Set if a file beyond the limits of one batch is submitted in parts, so that these aren't errors. */
  readonly isSplit?: true;
  /** The most tokens of requests that wait, if it is the same for all accounts. */
  readonly enqueuedTokens?: number;
  /** How the name of a file must end; unset if it may end otherwise. */
  readonly fileEnding?: '.jsonl';
  /** All properties that the body of a chat completion can have, if they differ from the public service's. */
  readonly members?: readonly string[];
  /** The bounds of parameters that it sets besides those of all services. */
  readonly bounds?: Readonly<Record<string, Bound>>;
  /** The pattern for a complete ID. */
  readonly idPattern?: string;
  /** All types that parts of chat messages can have. Unset if unknown types are allowed. */
  readonly partTypes?: readonly string[];
  /** It loads images and files from URLs and accepts none within the request. */
  readonly mediaByUrlOnly?: true;
  /** The formats of images that it accepts; unset if nothing is known of them. */
  readonly imageTypes?: readonly string[];
  /** It rejects JSON mode unless the messages contain the word "JSON". */
  readonly needsJsonWord?: true;
  /** Matches the names of models that reject `max_tokens` and take `max_completion_tokens`. */
  readonly completionTokensOnly?: string;
  /** Matches the names of models that reject sampling parameters with other values than the default ones. */
  readonly fixedSampling?: string;
  /** Matches the names of models that accept only one of `temperature` and `top_p`. */
  readonly oneSampling?: string;
  /** By endpoint, parameters with a match for the names of the models that reject them. */
  readonly notForModels?: Readonly<Partial<Record<EndpointKind, Readonly<Record<string, string>>>>>;
  /** Parameters of chats that it rejects, whatever the model. Those of messages begin with `messages[].`. */
  readonly rejects?: readonly string[];
  /**
   * It rejects empty lists of tools, options without the one that they need, names of tools and schemas with other characters than usual, and
   * strict schemas that allow further or optional properties.
   */
  readonly checksTools?: true;
  /** The roles of messages besides those that all services have. */
  readonly moreRoles?: readonly string[];
  /** The severities of problems of a batch file that differ from those at the public service. */
  readonly severities: { readonly [Code in ProblemCode]?: Severity | 'information' | 'off' };
  /** The models that can replace that of all requests when a batch is created. Empty if the service has no such parameter. */
  readonly replacementModels: readonly string[];
  /** Whether a batch is documented to cost half as much. */
  readonly isHalfPrice: boolean;
  /** Whether requests in batches are documented not to count toward the rate limits of single ones. */
  readonly avoidsLimits: boolean;
  /** Whether batches are paid from what was paid in, not from gifts. */
  readonly isPaidFromCharge: boolean;
}

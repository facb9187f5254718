import type { EndpointName } from './endpointNames';
import type { Fault } from './faults/fault';
import type { Reply } from './reply';
import type { UploadedFile } from './requestBody';
import type { Service } from './service';

/** One request as an endpoint sees it: authorised, its body read. */
export interface Call {
  readonly service: Service;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parameters; a model id `fault/…` stands replaced by a model that the endpoint knows. */
  readonly body: Record<string, unknown>;
  readonly files: readonly UploadedFile[];
  /** The model id to answer with: the one that was sent. */
  readonly modelName: string;
  /** The misbehaviour asked for, so far as it is the endpoint's to show (its answer, its stream, its result). */
  readonly fault: Fault | undefined;
  /** Fires when the peer is gone or the service closes. */
  readonly signal: AbortSignal;
  readonly reply: Reply;
}

export interface Endpoint {
  readonly name: EndpointName;
  readonly body: 'none' | 'json' | 'form' | 'jsonOrForm';
  /** Errors are told in this shape. Unset: the platform's. */
  readonly errors?: 'provider';
  /** The model that answers where a fault of stream, content or result is asked for by model id. */
  readonly standIn?: string;
  /** Also takes the key in `x-api-key`. */
  readonly takesApiKeyHeader?: true;
  /** Answers, or throws a `Refusal` before it has. */
  handle(call: Call): Promise<void>;
}

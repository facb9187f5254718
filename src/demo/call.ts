import type { EndpointName } from './endpointNames';
import type { Fault } from './faults/fault';
import type { Reply } from './reply';
import type { UploadedFile } from './requestBody';
import type { Service } from './service';

/** A request as an endpoint sees it: authorised, with its body read. */
export interface Call {
  readonly service: Service;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parameters; a model id `fault/…` is replaced by a model that the endpoint knows. */
  readonly body: Record<string, unknown>;
  readonly files: readonly UploadedFile[];
  /** The model id to answer with: the one in the request. */
  readonly modelName: string;
  /** The requested fault, if it is for the endpoint to apply (its answer, its stream, its result). */
  readonly fault: Fault | undefined;
  /** Aborts when the client disconnects or the service closes. */
  readonly signal: AbortSignal;
  readonly reply: Reply;
}

export interface Endpoint {
  readonly name: EndpointName;
  readonly body: 'none' | 'json' | 'form' | 'jsonOrForm';
  /** The shape of its errors. Unset: the platform's. */
  readonly errors?: 'provider';
  /** The model that answers if a fault of stream, content or result is requested by model id. */
  readonly standIn?: string;
  /** Also accepts the key in `x-api-key`. */
  readonly takesApiKeyHeader?: true;
  /** Answers the call. Throws a `Refusal` before the response starts. */
  handle(call: Call): Promise<void>;
}

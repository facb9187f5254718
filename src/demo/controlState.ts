import type { EndpointName } from './endpointNames';
import type { Fault } from './faults/fault';
import type { Pace } from './pace';
import type { UploadedFile } from './requestBody';

export interface ArmedFault {
  readonly fault: Fault;
  readonly endpoint: EndpointName;
  /** Number of calls it still applies to. */
  left: number;
  readonly delayMs: number;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** As received, including the authorization header, so that tests can check where a key was sent. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly bodyBytes: number;
  /** The parsed JSON body, or the form's fields. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The form's files. */
  readonly files: readonly Pick<UploadedFile, 'field' | 'filename' | 'contentType' | 'bytes' | 'sha256'>[];
  readonly status: number;
  readonly at: number;
}

export interface BatchOptions {
  readonly outputAs: 'id' | 'url';
  /** Unset: the completion window the batch requests. */
  readonly windowSeconds?: number | undefined;
  /** Number of lines after which a batch fails as a whole. */
  readonly failAfter?: number | undefined;
}

/** Members, as on the wire, that override those of one batch's response. */
export type BatchTale = Readonly<Record<string, unknown>>;

/** The state set through the control path. Lost on restart. */
export interface ControlState {
  pace: Pace;
  batch: BatchOptions;
  /** By batch id. */
  readonly tales: Map<string, BatchTale>;
  armed: ArmedFault[];
  readonly requests: SeenRequest[];
}

const keptRequests = 1000;

export const newControlState = (pace: Pace): ControlState => ({
  pace,
  batch: { outputAs: 'id' },
  tales: new Map(),
  armed: [],
  requests: [],
});

export function recordRequest(control: ControlState, request: SeenRequest): void {
  control.requests.push(request);
  if (control.requests.length > keptRequests) control.requests.shift();
}

/** Returns the fault armed for this operation, if any, and counts down its remaining calls. */
export function takeArmed(control: ControlState, endpoint: EndpointName): ArmedFault | undefined {
  const armed = control.armed.find((item) => item.endpoint === endpoint && item.left > 0);
  if (armed === undefined) return undefined;
  armed.left -= 1;
  if (armed.left === 0) control.armed = control.armed.filter((item) => item !== armed);
  return armed;
}

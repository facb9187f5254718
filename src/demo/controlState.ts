import type { EndpointName } from './endpointNames';
import type { Fault } from './faults/fault';
import type { Pace } from './pace';
import type { UploadedFile } from './requestBody';

export interface ArmedFault {
  readonly fault: Fault;
  readonly endpoint: EndpointName;
  /** Calls it still befalls. */
  left: number;
  readonly delayMs: number;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** As they came, the authorization header too: it is for tests of where a key went. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly bodyBytes: number;
  /** The parsed JSON body, or the fields of the form. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Of a form. */
  readonly files: readonly Pick<UploadedFile, 'field' | 'filename' | 'contentType' | 'bytes' | 'sha256'>[];
  readonly status: number;
  readonly at: number;
}

export interface BatchOptions {
  readonly outputAs: 'id' | 'url';
  /** Unset: the window the batch asks for. */
  readonly windowSeconds?: number | undefined;
  /** Lines after which a batch fails as a whole. */
  readonly failAfter?: number | undefined;
}

/** What is told of one batch in place of what is so: its members as on the wire. */
export type BatchTale = Readonly<Record<string, unknown>>;

/** What the control path has set. Not kept over a restart. */
export interface ControlState {
  pace: Pace;
  batch: BatchOptions;
  /** By the id of the batch. */
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

/** The fault armed for this operation, if any; each call uses up one of its times. */
export function takeArmed(control: ControlState, endpoint: EndpointName): ArmedFault | undefined {
  const armed = control.armed.find((item) => item.endpoint === endpoint && item.left > 0);
  if (armed === undefined) return undefined;
  armed.left -= 1;
  if (armed.left === 0) control.armed = control.armed.filter((item) => item !== armed);
  return armed;
}

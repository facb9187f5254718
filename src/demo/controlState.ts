import type { EndpointName } from './endpointNames';
import type { Fault } from './faults/fault';
import type { Pace } from './pace';
import type { UploadedFile } from './requestBody';
import { isRecord } from './validate';

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
  /** The parsed JSON body, or the form's fields; of a long one, long texts and lists are cut. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The form's files. */
  readonly files: readonly Pick<UploadedFile, 'field' | 'filename' | 'contentType' | 'bytes' | 'sha256'>[];
  readonly status: number;
  readonly at: number;
}

const maxRequests = 1000;
const maxBytes = 16e6;
/** A body that is longer as JSON is shortened. */
const wholeCharacters = 2e6;
const shortText = 1000;
const shortList = 20;

/** The last requests, as JSON: parsed bodies of many small values would take a multiple of its length. */
export class RequestLog {
  private entries: { readonly text: string; readonly bytes: number }[] = [];
  private bytes = 0;

  add({ body, ...request }: SeenRequest): void {
    const text = `${JSON.stringify(request).slice(0, -1)},"body":${bodyText(body, request.bodyBytes)}}`;
    const bytes = Buffer.byteLength(text);
    this.entries.push({ text, bytes });
    this.bytes += bytes;
    while (this.entries.length > maxRequests || this.bytes > maxBytes) this.bytes -= this.entries.shift()?.bytes ?? 0;
  }

  /** Newest last. */
  all(): readonly SeenRequest[] {
    return this.entries.map(({ text }) => JSON.parse(text) as SeenRequest);
  }

  clear(): void {
    this.entries = [];
    this.bytes = 0;
  }
}

function bodyText(body: SeenRequest['body'], bytes: number): string {
  try {
    const whole = JSON.stringify(body);
    const text = whole.length > wholeCharacters ? JSON.stringify(shortened(body)) : whole;
    if (text.length <= wholeCharacters) return text;
  } catch {
    // It nests too deeply.
  }
  return JSON.stringify({ '…': `${bytes} bytes` });
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string' && value.length > shortText)
    return `${value.slice(0, shortText)}… (${value.length} characters)`;
  if (Array.isArray(value)) {
    const shown = value.slice(0, shortList).map(shortened);
    return value.length > shortList ? [...shown, `… (${value.length} items)`] : shown;
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shortened(item)]));
}

/** Members, as on the wire, that override those of one batch's response. */
export type BatchTale = Readonly<Record<string, unknown>>;

/** The state set through the control path. Lost on restart. */
export interface ControlState {
  pace: Pace;
  batch: {
    readonly outputAs: 'id' | 'url';
    /** Unset: the completion window the batch requests. */
    readonly windowSeconds?: number | undefined;
    /** Number of lines after which a batch fails as a whole. */
    readonly failAfter?: number | undefined;
  };
  /** By batch id. */
  readonly tales: Map<string, BatchTale>;
  armed: ArmedFault[];
  readonly requests: RequestLog;
}

export const newControlState = (pace: Pace): ControlState => ({
  pace,
  batch: { outputAs: 'id' },
  tales: new Map(),
  armed: [],
  requests: new RequestLog(),
});

/** Returns the fault armed for this operation, if any, and counts down its remaining calls. */
export function takeArmed(control: ControlState, endpoint: EndpointName): ArmedFault | undefined {
  const armed = control.armed.find((item) => item.endpoint === endpoint && item.left > 0);
  if (armed === undefined) return undefined;
  armed.left -= 1;
  if (armed.left === 0) control.armed = control.armed.filter((item) => item !== armed);
  return armed;
}

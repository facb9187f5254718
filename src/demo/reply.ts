import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Fault, WireEffect } from './faults/fault';
import { type Frames, createCutter, frameText } from './frames';
import { readOff } from './requestBody';
import { forever, wait } from './wait';

export type Headers = Readonly<Record<string, string>>;

const textHeaders = { 'Content-Type': 'text/plain; charset=utf-8' };
const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8' };

/** Lets the data written so far reach the client, then resets the connection. */
async function reset(response: ServerResponse, signal: AbortSignal): Promise<never> {
  await wait(30, signal);
  response.socket?.resetAndDestroy();
  return forever(signal);
}

/** Node never calls back for a write to a closed connection, so the signal ends the wait. */
function written(response: ServerResponse, bytes: Buffer, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new DOMException('The connection closed.', 'AbortError'));
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    response.write(bytes, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
  });
}

async function breakOff(response: ServerResponse, signal: AbortSignal): Promise<never> {
  response.socket?.destroySoon();
  return forever(signal);
}

const eventHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
};

/** More than an image may have. */
const hugeBytes = 100 * 1024 * 1024;

/** Yields the file, then zeros that are generated on the fly and never held in memory. */
async function* hugeBody(path: string): AsyncGenerator<Buffer> {
  let left = hugeBytes;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    left -= piece.length;
    yield piece;
  }
  const zeros = Buffer.alloc(1024 * 1024);
  for (; left > 0; left -= zeros.length) yield zeros.subarray(0, left);
}

/** Number of frames in a stream before a transport fault applies. */
const framesBeforeBreak = 4;

/** Milliseconds before a slow first byte, unless armed otherwise. */
const defaultDelayMs = 3000;

/** The only way an answer leaves the service. Every method resolves once the answer is sent. */
export class Reply {
  /** The fault to apply to the answer, if it is one of the transport or of line ends. */
  fault: Fault | undefined;
  delayMs = defaultDelayMs;

  /** `signal` aborts when the client disconnects or the service closes. */
  constructor(
    private readonly response: ServerResponse<IncomingMessage>,
    private readonly signal: AbortSignal,
    private readonly random: () => number,
  ) {}

  json(status: number, value: unknown, headers?: Headers): Promise<void> {
    return this.bytes(status, Buffer.from(JSON.stringify(value)), { ...jsonHeaders, ...headers });
  }

  text(status: number, text: string, headers?: Headers): Promise<void> {
    return this.bytes(status, Buffer.from(text), { ...textHeaders, ...headers });
  }

  async bytes(status: number, body: Buffer, headers: Headers): Promise<void> {
    await this.start(status, { ...headers, 'Content-Length': String(body.length) });
    if (this.breaksHalfway) return this.endHalfway(body.subarray(0, Math.floor(body.length / 2)));
    this.response.end(body);
  }

  async file(path: string, size: number, headers: Headers): Promise<void> {
    const { response, signal, wire } = this;
    if (wire === 'hugeDeclared' || wire === 'hugeUndeclared') {
      await this.start(200, wire === 'hugeDeclared' ? { ...headers, 'Content-Length': String(hugeBytes) } : headers);
      return pipeline(hugeBody(path), response, { signal });
    }
    await this.start(200, { ...headers, 'Content-Length': String(size) });
    if (!this.breaksHalfway) return pipeline(createReadStream(path), response, { signal });
    for await (const piece of createReadStream(path, { end: Math.floor(size / 2) }))
      await written(response, piece as Buffer, signal);
    return this.endHalfway(Buffer.alloc(0));
  }

  /** Writes each frame in awkward pieces, each as a separate chunk. */
  async events(frames: Frames): Promise<void> {
    const { response, signal } = this;
    await this.start(200, eventHeaders);
    response.flushHeaders();
    const cutter = createCutter(this.random);
    const lineEnd = this.fault?.effect.kind === 'stream' && this.fault.effect.how === 'crlf' ? '\r\n' : '\n';
    let sent = 0;
    for await (const frame of frames) {
      for (const piece of cutter.cut(Buffer.from(frameText(frame, lineEnd)))) {
        await written(response, piece, signal);
        await wait(0, signal);
      }
      sent += 1;
      const breaks = sent === framesBeforeBreak && this.breaksHalfway;
      if (frame.ending !== undefined || breaks) await written(response, cutter.rest(), signal);
      if (frame.ending === 'hang') await forever(signal);
      if (frame.ending === 'break') await breakOff(response, signal);
      if (breaks) await this.endHalfway(Buffer.alloc(0));
    }
    response.end(cutter.rest());
  }

  private get wire(): WireEffect | undefined {
    return this.fault?.effect.kind === 'wire' ? this.fault.effect.how : undefined;
  }

  private get breaksHalfway(): boolean {
    return this.wire === 'stall' || this.wire === 'cutBody';
  }

  /** Sends the headers, or applies the fault instead. Resolves once the body may follow. */
  private async start(status: number, headers: Headers): Promise<void> {
    const { response, signal, wire } = this;
    if (!(await readOff(response.req, signal))) response.setHeader('Connection', 'close');
    if (wire === 'neverAnswers') return forever(signal);
    if (wire === 'resetBeforeHeaders') return reset(response, signal);
    if (wire === 'slowFirstByte') await wait(this.delayMs, signal);
    response.writeHead(
      status,
      wire === 'wrongContentType' ? { ...headers, 'Content-Type': 'text/html; charset=utf-8' } : headers,
    );
    if (wire === 'resetAfterHeaders') {
      response.flushHeaders();
      return reset(response, signal);
    }
  }

  private async endHalfway(half: Buffer): Promise<void> {
    const { response, signal } = this;
    await written(response, half, signal);
    await (this.wire === 'stall' ? forever(signal) : breakOff(response, signal));
  }
}

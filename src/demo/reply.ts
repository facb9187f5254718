import { createReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { WireEffect } from './faults/fault';
import { type Frames, createCutter, frameText } from './frames';
import { forever, wait } from './wait';

export type Headers = Readonly<Record<string, string>>;

export interface ReplyOptions {
  readonly response: ServerResponse;
  /** Aborts when the client disconnects or the service closes. */
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly lineEnd: () => '\n' | '\r\n';
  /** The transport fault to apply to the answer, if any, and its delay if it has one. */
  readonly wire: () => { readonly effect: WireEffect | undefined; readonly delayMs: number };
}

/** The only way an answer leaves the service. Every method resolves once the answer is sent. */
export interface Reply {
  json(status: number, value: unknown, headers?: Headers): Promise<void>;
  text(status: number, text: string, headers?: Headers): Promise<void>;
  bytes(status: number, bytes: Buffer, headers: Headers): Promise<void>;
  file(path: string, size: number, headers: Headers): Promise<void>;
  events(frames: Frames): Promise<void>;
}

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

interface Halfway {
  readonly breaks: () => boolean;
  readonly breakNow: () => Promise<void>;
}

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

/** Writes each frame in awkward pieces, each as a separate chunk. */
async function sendFrames(
  frames: Frames,
  { response, signal, random, lineEnd }: ReplyOptions,
  halfway: Halfway,
): Promise<void> {
  const cutter = createCutter(random);
  let sent = 0;
  for await (const frame of frames) {
    for (const piece of cutter.cut(Buffer.from(frameText(frame, lineEnd())))) {
      await written(response, piece, signal);
      await wait(0, signal);
    }
    sent += 1;
    const breaks = sent === framesBeforeBreak && halfway.breaks();
    if (frame.ending !== undefined || breaks) await written(response, cutter.rest(), signal);
    if (frame.ending === 'hang') await forever(signal);
    if (frame.ending === 'break') await breakOff(response, signal);
    if (breaks) await halfway.breakNow();
  }
  response.end(cutter.rest());
}

export function createReply(options: ReplyOptions): Reply {
  const { response, signal } = options;

  /** Sends the headers, or applies the fault instead. Resolves once the body may follow. */
  async function start(status: number, headers: Headers): Promise<void> {
    const { effect, delayMs } = options.wire();
    if (effect === 'neverAnswers') return forever(signal);
    if (effect === 'resetBeforeHeaders') return reset(response, signal);
    if (effect === 'slowFirstByte') await wait(delayMs, signal);
    response.writeHead(
      status,
      effect === 'wrongContentType' ? { ...headers, 'Content-Type': 'text/html; charset=utf-8' } : headers,
    );
    if (effect === 'resetAfterHeaders') {
      response.flushHeaders();
      return reset(response, signal);
    }
  }

  async function endHalfway(half: Buffer): Promise<void> {
    const { effect } = options.wire();
    await written(response, half, signal);
    await (effect === 'stall' ? forever(signal) : breakOff(response, signal));
  }

  const breaksHalfway = () => ['stall', 'cutBody'].includes(options.wire().effect ?? '');

  async function bytes(status: number, body: Buffer, headers: Headers): Promise<void> {
    await start(status, { ...headers, 'Content-Length': String(body.length) });
    if (breaksHalfway()) return endHalfway(body.subarray(0, Math.floor(body.length / 2)));
    response.end(body);
  }

  async function file(path: string, size: number, headers: Headers): Promise<void> {
    const { effect } = options.wire();
    if (effect === 'hugeDeclared' || effect === 'hugeUndeclared') {
      await start(200, effect === 'hugeDeclared' ? { ...headers, 'Content-Length': String(hugeBytes) } : headers);
      return pipeline(hugeBody(path), response, { signal });
    }
    await start(200, { ...headers, 'Content-Length': String(size) });
    if (!breaksHalfway()) return pipeline(createReadStream(path), response, { signal });
    for await (const piece of createReadStream(path, { end: Math.floor(size / 2) }))
      await written(response, piece as Buffer, signal);
    return endHalfway(Buffer.alloc(0));
  }

  async function events(frames: Frames): Promise<void> {
    await start(200, eventHeaders);
    response.flushHeaders();
    await sendFrames(frames, options, { breaks: breaksHalfway, breakNow: () => endHalfway(Buffer.alloc(0)) });
  }

  return {
    bytes,
    file,
    events,
    json: (status, value, headers) => bytes(status, Buffer.from(JSON.stringify(value)), { ...jsonHeaders, ...headers }),
    text: (status, text, headers) => bytes(status, Buffer.from(text), { ...textHeaders, ...headers }),
  };
}

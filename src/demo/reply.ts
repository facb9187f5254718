import { createReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { WireEffect } from './faults/fault';
import { type Frames, createCutter, frameText } from './frames';
import { forever, wait } from './wait';

export type Headers = Readonly<Record<string, string>>;

export interface ReplyOptions {
  readonly response: ServerResponse;
  /** Fires when the peer is gone or the service closes. */
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly lineEnd: () => '\n' | '\r\n';
  /** What the wire shall do with the answer, if it misbehaves, and for how long where that matters. */
  readonly wire: () => { readonly effect: WireEffect | undefined; readonly delayMs: number };
}

/** The only way an answer leaves the service. Every method resolves when the answer is out. */
export interface Reply {
  json(status: number, value: unknown, headers?: Headers): Promise<void>;
  text(status: number, text: string, headers?: Headers): Promise<void>;
  bytes(status: number, bytes: Buffer, headers: Headers): Promise<void>;
  file(path: string, size: number, headers: Headers): Promise<void>;
  events(frames: Frames): Promise<void>;
}

const textHeaders = { 'Content-Type': 'text/plain; charset=utf-8' };
const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8' };

/** Lets what was written reach the peer, then resets the connection. */
async function reset(response: ServerResponse, signal: AbortSignal): Promise<never> {
  await wait(30, signal);
  response.socket?.resetAndDestroy();
  return forever(signal);
}

/** Node never calls back for what is written to a connection that is already gone, so the signal ends the wait. */
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

/** More than a picture may have. */
const hugeBytes = 100 * 1024 * 1024;

/** The file, and zeros after it: made as they go out, never held. */
async function* hugeBody(path: string): AsyncGenerator<Buffer> {
  let left = hugeBytes;
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    left -= piece.length;
    yield piece;
  }
  const zeros = Buffer.alloc(1024 * 1024);
  for (; left > 0; left -= zeros.length) yield zeros.subarray(0, left);
}

/** After how many frames a fault of the wire befalls a stream. */
const framesBeforeBreak = 4;

/** Writes each frame in unlucky pieces and lets each piece go out by itself. */
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

  /** Sends the headers, or what the fault has in their place. Resolves when the body may follow. */
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

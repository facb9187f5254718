import { type Frame, type Frames, frameText, jsonFrame } from '../frames';
import { isRecord } from '../validate';
import { messageFaults } from './messageStreamFaults';
import type { Fault, StreamEffect } from './fault';

export type StreamKind = 'messages' | 'chat' | 'completions';

/** Number of frames before a fault in the middle; in a shorter answer the fault comes at the end marker. */
const middle = 5;

export const payloadOf = ({ data }: Frame): Record<string, unknown> => {
  if (data === undefined || data === '[DONE]') return {};
  const value: unknown = JSON.parse(data);
  return isRecord(value) ? value : {};
};

function isFinish(frame: Frame): boolean {
  const { type, choices } = payloadOf(frame);
  if (type === 'message_delta') return true;
  return (
    Array.isArray(choices) && choices.some((choice) => isRecord(choice) && typeof choice['finish_reason'] === 'string')
  );
}

const isEnd = (frame: Frame) =>
  frame.data === '[DONE]' || payloadOf(frame)['type'] === 'message_stop' || isFinish(frame);

/** Inserts frames once, in the middle of the stream. */
async function* atMiddle(
  frames: Frames,
  insert: (next: Frame) => { readonly frames: readonly Frame[]; readonly ends: boolean },
): Frames {
  let seen = 0;
  let done = false;
  for await (const frame of frames) {
    if (!done && (seen === middle || isEnd(frame))) {
      done = true;
      const inserted = insert(frame);
      yield* inserted.frames;
      if (inserted.ends) return;
    }
    seen += 1;
    yield frame;
  }
}

async function* without(frames: Frames, drops: (frame: Frame) => boolean): Frames {
  for await (const frame of frames) if (!drops(frame)) yield frame;
}

async function* withComments(frames: Frames, kind: StreamKind): Frames {
  let seen = 0;
  yield { raw: ': connected\n\n' };
  for await (const frame of frames) {
    yield frame;
    seen += 1;
    if (frame.data === '[DONE]') continue;
    if (seen % 3 === 0) yield { raw: ': keep-alive\n\n' };
    if (seen % 4 === 0) yield { raw: '\n' };
    if (seen % 5 === 0 && kind === 'messages') yield jsonFrame({ type: 'ping' }, 'ping');
  }
}

async function* withoutEventLines(frames: Frames): Frames {
  for await (const { event: _, ...frame } of frames) yield frame;
}

const bareError = '{"code":60000,"message":"Request processing has failed due to some unknown error.","data":null}';

function errorFrame(kind: StreamKind): Frame {
  return kind === 'messages'
    ? jsonFrame({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'error')
    : jsonFrame({
        error: {
          message: 'Model service overloaded. Please try again later.',
          type: 'api_error',
          param: null,
          code: '50505',
        },
      });
}

const unknownFrame = (kind: StreamKind): Frame =>
  kind === 'messages'
    ? jsonFrame({ type: 'content_block_note', index: 0, note: 'new in a later version' }, 'content_block_note')
    : jsonFrame({ id: 'note', object: 'stream.note', created: 0, model: '', choices: [] });

const brokenData: Readonly<Record<StreamKind, string>> = {
  messages: '{"type":"content_block_delta","index":0,"delta":{"type":"text_del',
  chat: '{"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"del',
  completions: '{"id":"x","object":"text_completion","choices":[{"index":0,"te',
};

const transforms: Readonly<Partial<Record<StreamEffect, (frames: Frames, kind: StreamKind) => Frames>>> = {
  cutMidEvent: (frames) =>
    atMiddle(frames, (next) => {
      const text = frameText(next, '\n');
      return { frames: [{ raw: text.slice(0, Math.floor(text.length / 2)), ending: 'break' }], ends: true };
    }),
  cutBeforeEnd: (frames) => without(frames, isEnd),
  stallMidStream: (frames) => atMiddle(frames, () => ({ frames: [{ raw: '', ending: 'hang' }], ends: true })),
  malformedEvent: (frames, kind) => atMiddle(frames, () => ({ frames: [{ data: brokenData[kind] }], ends: false })),
  bareErrorLine: (frames) => atMiddle(frames, () => ({ frames: [{ raw: `${bareError}\n` }], ends: true })),
  errorEvent: (frames, kind) => atMiddle(frames, () => ({ frames: [errorFrame(kind)], ends: true })),
  unknownEvent: (frames, kind) => atMiddle(frames, () => ({ frames: [unknownFrame(kind)], ends: false })),
  noEventLines: withoutEventLines,
  comments: withComments,
  noDone: (frames) => without(frames, (frame) => frame.data === '[DONE]'),
  noMessageStop: (frames) => without(frames, (frame) => payloadOf(frame)['type'] === 'message_stop'),
  ...messageFaults,
};

/** Applies the fault to the frames. */
export function misbehave(frames: Frames, fault: Fault | undefined, kind: StreamKind): Frames {
  if (fault?.effect.kind !== 'stream') return frames;
  return transforms[fault.effect.how]?.(frames, kind) ?? frames;
}

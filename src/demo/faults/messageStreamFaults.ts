import { type Frame, type Frames, jsonFrame } from '../frames';
import { isRecord } from '../validate';
import type { Fault, StreamEffect } from './fault';

interface BlockEvent {
  readonly frame: Frame;
  readonly type: string;
  readonly index: number;
  /** The block's type on its start event, the delta's type on a delta event. */
  readonly kind: string;
  readonly value: Record<string, unknown>;
}

function read(frame: Frame): BlockEvent {
  const value: unknown = frame.data === undefined || frame.data === '[DONE]' ? {} : JSON.parse(frame.data);
  const event = isRecord(value) ? value : {};
  const inner = event['content_block'] ?? event['delta'];
  return {
    frame,
    type: typeof event['type'] === 'string' ? event['type'] : '',
    index: typeof event['index'] === 'number' ? event['index'] : -1,
    kind: isRecord(inner) && typeof inner['type'] === 'string' ? inner['type'] : '',
    value: event,
  };
}

const moved = ({ value, frame }: BlockEvent, index: number): Frame => jsonFrame({ ...value, index }, frame.event);

async function* mapEvents(frames: Frames, each: (event: BlockEvent) => readonly Frame[]): Frames {
  for await (const frame of frames) yield* each(read(frame));
}

/** Sends the text deltas in the tool_use block, holding them back until that block is open. */
function textOnTool(frames: Frames): Frames {
  const held: BlockEvent[] = [];
  let textIndex = -1;
  return mapEvents(frames, (event) => {
    if (event.type === 'content_block_start' && event.kind === 'text') {
      textIndex = event.index;
      return [];
    }
    if (event.index === textIndex && textIndex >= 0) {
      if (event.kind === 'text_delta') held.push(event);
      return [];
    }
    if (event.type === 'content_block_start' && event.kind === 'tool_use') {
      return [event.frame, ...held.splice(0).map((delta) => moved(delta, event.index))];
    }
    return [event.frame];
  });
}

/** Never closes the thinking block and sends the text in it. */
function textOnThinking(frames: Frames): Frames {
  return mapEvents(frames, (event) => {
    if (event.type === 'content_block_stop' && event.index === 0) return [];
    if (event.type === 'content_block_start' && event.kind === 'text') return [];
    return [event.index === 1 ? moved(event, 0) : event.frame];
  });
}

function emptyBlockFirst(frames: Frames): Frames {
  return mapEvents(frames, (event) => {
    if (event.type !== 'message_start') return [event.frame];
    return [
      event.frame,
      jsonFrame(
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        'content_block_start',
      ),
      jsonFrame(
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '' } },
        'content_block_delta',
      ),
      jsonFrame({ type: 'content_block_stop', index: 0 }, 'content_block_stop'),
    ];
  });
}

/** Deltas and blocks that don't match, as observed with several servers. */
export const messageFaults: Readonly<Partial<Record<StreamEffect, (frames: Frames) => Frames>>> = {
  textDeltaOnTool: textOnTool,
  textDeltaOnThinking: textOnThinking,
  emptyTextBlockFirst: emptyBlockFirst,
  wrongIndex: (frames) => mapEvents(frames, (event) => [event.index > 0 ? moved(event, event.index - 1) : event.frame]),
  noBlockStart: (frames) =>
    mapEvents(frames, (event) =>
      event.type === 'content_block_start' && event.kind !== 'tool_use' ? [] : [event.frame],
    ),
  noBlockStop: (frames) => mapEvents(frames, (event) => (event.type === 'content_block_stop' ? [] : [event.frame])),
};

/** Returns the blocks an answer needs for the fault to show. */
export function neededBlocks(fault: Fault | undefined): readonly ('thinking' | 'tool')[] {
  if (fault?.effect.kind !== 'stream') return [];
  const { how } = fault.effect;
  if (how === 'textDeltaOnTool') return ['tool'];
  return how === 'textDeltaOnThinking' || how === 'wrongIndex' ? ['thinking'] : [];
}

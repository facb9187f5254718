import type { MessageParam } from '../api/messages/messages.schema';

export type ContentParam = Exclude<MessageParam['content'], string>[number];
export type ImageParam = Extract<ContentParam, { readonly type: 'image' }>;

/** Messages as one text for a model to read. Images can't be part of the text, so they are attached. */
export interface CompactedTranscript {
  readonly text: string;
  readonly images: readonly ImageParam[];
}

/** Always in English, because models read it; also shown to the user as sent. */
const opening = `[Earlier part of this conversation as a transcript, word for word and in order.
Lines that begin with "> " are what was said or returned; lines in brackets say by whom.]`;
const closing = '[End of the transcript. The conversation goes on from here.]';

/** Converts messages to a transcript, in order and without omissions. Quotes every line, so that no text can pose as a role. */
export function toTranscriptText(messages: readonly MessageParam[]): CompactedTranscript {
  const images: ImageParam[] = [];
  const parts = messages.flatMap(({ role, content }) =>
    toBlocks(content).flatMap((block) => toSections(block, role, images).map(toText)),
  );
  return { text: [opening, ...parts, closing].join('\n\n'), images };
}

/** Converts a message for a model that is offered no tools: calls and results become transcript text, followed by their images. */
export function tellTools({ role, content }: MessageParam): MessageParam {
  const blocks = toBlocks(content);
  if (!blocks.some(isOfTools)) return { role, content };
  const images: ImageParam[] = [];
  return {
    role,
    content: blocks.flatMap((block): readonly ContentParam[] => {
      // Thinking is sent back only for the tool calls it led to.
      if (block.type === 'thinking' || block.type === 'unknown') return [];
      if (!isOfTools(block)) return [block];
      const before = images.length;
      const text = toSections(block, role, images).map(toText).join('\n\n');
      return [{ type: 'text', text }, ...images.slice(before)];
    }),
  };
}

function isOfTools({ type }: ContentParam): boolean {
  return type === 'tool_use' || type === 'tool_result';
}

/** Returns a message's content as blocks; empty text has none. */
export function toBlocks(content: MessageParam['content']): readonly ContentParam[] {
  if (typeof content !== 'string') return content;
  return content === '' ? [] : [{ type: 'text', text: content }];
}

interface Section {
  readonly heading: string;
  readonly text: string;
}

function toText({ heading, text }: Section): string {
  return text === '' ? `[${heading}]` : `[${heading}]\n${quote(text)}`;
}

function toSections(block: ContentParam, role: MessageParam['role'], images: ImageParam[]): readonly Section[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [{ heading: role, text: block.text }];
    case 'thinking':
      return block.thinking === '' ? [] : [{ heading: `${role}, thinking`, text: block.thinking }];
    case 'unknown':
      return [];
    case 'image':
      images.push(block);
      return [{ heading: `${role} shows image ${images.length}, attached to this message`, text: '' }];
    case 'tool_use': {
      const heading = `${role} calls the tool ${inHeading(block.name)}, call ${inHeading(block.id)}`;
      return [{ heading, text: JSON.stringify(block.input) }];
    }
    case 'tool_result': {
      const heading = `${block.is_error ? 'error' : 'result'} of call ${inHeading(block.tool_use_id)}`;
      const parts = toBlocks(block.content ?? '').flatMap((part) => toSections(part, role, images));
      return parts.length === 0
        ? [{ heading: `${heading}: nothing`, text: '' }]
        : parts.map(({ heading: what, text }) => ({ heading: text === '' ? `${heading}: ${what}` : heading, text }));
    }
  }
}

const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;

function quote(text: string): string {
  return `> ${text.replace(lineBreak, '$&> ')}`;
}

/** Names and ids come from models and tools, so they must not break out of the heading. */
function inHeading(name: string): string {
  return JSON.stringify(name).replace(/[\u0085\u2028\u2029]/g, ' ');
}

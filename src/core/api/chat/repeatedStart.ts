import type { MessageRequest } from '../messages/messages.schema';

/** A shorter start may be how the answer continues by chance. */
const leastLength = 4;

/**
 * Removes the start that the request gave, if the answer repeats it before it continues, as llama.cpp's server does, also after the empty
 * thinking that chat templates write before an answer without any. Text is held back only as long as it might be that start.
 */
export class RepeatedStart {
  /** Of the given start, the text still to be matched, and the white space at its end, which servers drop. */
  private left: string;
  private space: string;
  private held = '';

  constructor(messages: MessageRequest['messages']) {
    const last = messages.at(-1);
    const sent = last?.role === 'assistant' ? textOf(last.content) : '';
    const text = sent.trim();
    this.left = text.length < leastLength ? '' : text;
    this.space = this.left === '' ? '' : sent.slice(sent.trimEnd().length);
  }

  /** Returns the text that continues, as far as that is certain. */
  push(piece: string): string {
    if (this.left === '') return this.withoutSpace(piece);
    this.held += piece;
    const begun = afterEmptyThought(this.held);
    if (begun === undefined) return '';
    if (begun.length < this.left.length && this.left.startsWith(begun)) return '';
    if (!begun.startsWith(this.left)) return this.end();
    const rest = begun.slice(this.left.length);
    this.left = this.held = '';
    return this.withoutSpace(rest);
  }

  /** Returns the text that was held back, because it was not that start. */
  end(): string {
    const { held } = this;
    this.left = this.held = this.space = '';
    return held;
  }

  private withoutSpace(text: string): string {
    let same = 0;
    while (same < text.length && same < this.space.length && text[same] === this.space[same]) same++;
    this.space = same === text.length ? this.space.slice(same) : '';
    return text.slice(same);
  }
}

/** Returns what follows white space, with or without empty thinking in it; `undefined` if that depends on more text. */
function afterEmptyThought(text: string): string | undefined {
  const begun = text.trimStart();
  if (begun !== '' && begun !== open && open.startsWith(begun)) return undefined;
  if (!begun.startsWith(open)) return begun;
  const inside = begun.slice(open.length).trimStart();
  if (inside.startsWith(close)) return inside.slice(close.length).trimStart();
  return close.startsWith(inside) ? undefined : begun;
}

const open = '<think>';
const close = '</think>';

function textOf(content: MessageRequest['messages'][number]['content']): string {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');
}

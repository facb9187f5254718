import type { Token } from 'markdown-it';
import type { MarkdownRenderer, References } from './renderer';

export interface StreamStep {
  /** HTML of the blocks that became settled, in order; one element each, or none. */
  readonly settled: readonly string[];
  /** Earlier blocks that render differently because a definition they refer to has arrived. */
  readonly repaired: readonly { readonly index: number; readonly html: string }[];
}

/**
 * Converts growing Markdown to HTML that does not change: a settled block is rendered once. After `end`, the blocks together equal
 * the result of rendering the whole text at once.
 */
interface MarkdownStream {
  push(text: string): void;
  step(): StreamStep;
  end(): StreamStep;
  /** The rest that may still change. */
  readonly open: string;
  /** Returns the definitions for drawing the rest; additions to them are discarded. */
  openReferences(): References;
}

/** While the text grows, earlier blocks are rendered again for a new definition only up to this many characters in total. */
const maxRepairedWhileGrowing = 16_000;

interface Referring {
  readonly index: number;
  readonly source: string;
  html: string;
}

export function createMarkdownStream(renderer: MarkdownRenderer): MarkdownStream {
  const splitter = createBlockSplitter((source) => renderer.outline(source));
  const references = Object.create(null) as References;
  const referring: Referring[] = [];
  let referringLength = 0;
  let count = 0;
  let definitionsAreNew = false;

  const settle = (sources: readonly string[]): string[] =>
    sources.map((source) => {
      const known = source.includes(']:') ? Object.keys(references).length : undefined;
      const html = renderer.render(source, references);
      if (known !== undefined && Object.keys(references).length > known) definitionsAreNew = true;
      if (source.includes('[')) {
        referring.push({ index: count, source, html });
        referringLength += source.length;
      }
      count++;
      return html;
    });

  const repair = () => {
    definitionsAreNew = false;
    return referring.flatMap((block) => {
      const html = renderer.render(block.source, references);
      if (html === block.html) return [];
      block.html = html;
      return [{ index: block.index, html }];
    });
  };

  return {
    push: (text) => splitter.push(text),
    step() {
      const settled = settle(splitter.settle());
      return { settled, repaired: definitionsAreNew && referringLength <= maxRepairedWhileGrowing ? repair() : [] };
    },
    end() {
      const settled = settle(splitter.end());
      return { settled, repaired: definitionsAreNew ? repair() : [] };
    },
    get open() {
      return splitter.open;
    },
    openReferences: () => Object.create(references) as References,
  };
}

/**
 * Splits growing Markdown into blocks that no later text can change, and the rest, which still may. One block holds one top-level
 * element, with the blank lines and definitions before it; the last may hold definitions only.
 */
interface BlockSplitter {
  push(text: string): void;
  /** Returns the blocks that became settled since the last call. */
  settle(): readonly string[];
  /** Settles all that is left, because the text has ended. */
  end(): readonly string[];
  /** The unsettled rest, with line feeds as its only line breaks. */
  readonly open: string;
}

function createBlockSplitter(outline: (source: string) => readonly Token[]): BlockSplitter {
  let open = '';
  let carry = '';
  let examined = 0;
  /** Recognizes lines that cannot end the block that is still open. */
  let goesOn: ((line: string) => boolean) | undefined;

  const take = (blocks: readonly Block[]): readonly string[] => {
    const taken: string[] = [];
    let start = 0;
    for (const { end } of blocks) {
      taken.push(open.slice(start, end));
      start = end;
    }
    open = open.slice(start);
    examined = Math.max(0, examined - start);
    return taken;
  };

  return {
    push(text) {
      const all = carry + text;
      // A carriage return may be half of a line break that comes in the next delta.
      carry = all.endsWith('\r') ? '\r' : '';
      open += all.slice(0, all.length - carry.length).replace(/\r\n?/g, '\n');
    },

    settle() {
      // A line still being written may turn into anything, so only whole lines decide.
      const complete = open.slice(0, open.lastIndexOf('\n') + 1);
      if (complete.length === examined) return [];
      const fresh = complete.slice(examined).split('\n').slice(0, -1);
      examined = complete.length;
      if (goesOn && fresh.every(goesOn)) return [];
      const blocks = findBlocks(complete, outline);
      const closed = closedBlocks(blocks, complete);
      const last = blocks.at(-1);
      goesOn = last && closed.length < blocks.length ? continuation(last) : undefined;
      return take(closed);
    },

    end() {
      if (carry) open += '\n';
      carry = '';
      const blocks = take(findBlocks(open, outline));
      const rest = open;
      open = '';
      examined = 0;
      return rest.trim() ? [...blocks, rest] : blocks;
    },

    get open() {
      return open;
    },
  };
}

interface Block {
  readonly token: Token;
  /** Offset of its first character, and the one after its last. */
  readonly start: number;
  readonly end: number;
  /** Whether a definition ends in the line before it. */
  readonly followsDefinition: boolean;
}

function findBlocks(source: string, outline: (source: string) => readonly Token[]): readonly Block[] {
  const blocks: Block[] = [];
  let line = 0;
  let offset = 0;
  let definitionEnd: number | undefined;
  const offsetOf = (target: number) => {
    for (; line < target; line++) {
      const next = source.indexOf('\n', offset);
      offset = next < 0 ? source.length : next + 1;
    }
    return offset;
  };
  for (const token of outline(source)) {
    if (token.level !== 0 || !token.map || token.nesting < 0 || token.type === 'inline') continue;
    const [first, behind] = token.map;
    if (token.type === 'reference_definition') definitionEnd = behind;
    else {
      const followsDefinition = first === definitionEnd;
      blocks.push({ token, start: offsetOf(first), end: offsetOf(behind), followsDefinition });
    }
  }
  return blocks;
}

/** Returns the blocks without the last one if it may continue, and without all blocks from a heading that may turn out not to be one. */
function closedBlocks(blocks: readonly Block[], source: string): readonly Block[] {
  const undecided = blocks.findIndex((block) => mayBeTitle(block, source));
  if (undecided >= 0) return blocks.slice(0, undecided);
  const last = blocks.at(-1);
  return last && !isClosed(last, source) ? blocks.slice(0, -1) : blocks;
}

/** Whether an underlined heading may still become the title of the definition before it: a title may contain it, but no blank line. */
function mayBeTitle({ token, start, followsDefinition }: Block, source: string): boolean {
  const isUnderlined = token.type === 'heading_open' && (token.markup === '=' || token.markup === '-');
  return followsDefinition && isUnderlined && !/\n[ \t]*\n/.test(source.slice(start));
}

/** Whether the last block is complete although nothing follows it yet. Lists, quotes and indented code may continue after a blank line. */
function isClosed({ token, end }: Block, source: string): boolean {
  switch (token.type) {
    case 'heading_open':
    case 'hr':
      return true;
    case 'paragraph_open':
    case 'table_open':
      return /^[ \t]*\n/.test(source.slice(end));
    case 'fence':
      return token.meta?.['isClosed'] === true && token.meta['mayGoOn'] !== true;
    default:
      return false;
  }
}

function isFenceEnd(line: string, markup: string): boolean {
  const found = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return found !== undefined && found[0] === markup[0] && found.length >= markup.length;
}

/**
 * Saves searching a long open block for its end at every new line: recognizes lines that certainly continue it, by their first
 * characters. The parser decides about any other line, so a mistake here can only settle a block later.
 */
function continuation({ token }: Block): ((line: string) => boolean) | undefined {
  const { type, markup, meta } = token;
  switch (type) {
    case 'fence':
      if (meta?.['isClosed'] === true) return undefined;
      return (line) => !isFenceEnd(line, markup);
    case 'table_open':
      return (line) => line.startsWith('|');
    case 'paragraph_open':
      return (line) => /^[\p{L}"'(]/u.test(line) && !line.includes('|');
    case 'blockquote_open':
      return (line) => line.startsWith('>');
    case 'bullet_list_open':
      return (line) => line.startsWith(`${markup} `) || /^(?: {2}|\t|$)/.test(line);
    case 'ordered_list_open':
      return (line) => /^(?:\d{1,9}[.)] | {2}|\t|$)/.test(line);
    default:
      return undefined;
  }
}

import { createBlockSplitter } from './blockSplitter';
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

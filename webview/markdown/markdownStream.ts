import { createBlockSplitter } from './blockSplitter';
import type { MarkdownRenderer, References } from './renderer';

export interface StreamStep {
  /** HTML of the blocks that became settled, in order; one element each, or none. */
  readonly settled: readonly string[];
  /** Earlier blocks that read differently now that a definition they refer to has come. */
  readonly repaired: readonly { readonly index: number; readonly html: string }[];
}

/**
 * Markdown that grows, as HTML that does not: a settled block is rendered once. After `end`, the blocks together are
 * what rendering the whole text at once gives.
 */
export interface MarkdownStream {
  push(text: string): void;
  step(): StreamStep;
  end(): StreamStep;
  /** The rest that may still change. */
  readonly open: string;
  /** Definitions for drawing the rest; what is added to them is not kept. */
  openReferences(): References;
}

/** Rendering earlier blocks again for a new definition, in mid-stream, is limited to this many characters of them. */
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

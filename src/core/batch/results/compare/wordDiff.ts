import { diffArrays } from 'diff';
import { beginning } from '../../preview/shortText';
import type { DiffPiece } from './comparisonView';

/** The most characters of each text to compare. */
const mostCharacters = 40_000;
/** If comparing takes longer, the texts have little in common and are returned one after the other. */
const mostMs = 1000;

export interface WordDiff {
  readonly pieces: readonly DiffPiece[];
  readonly uncompared: { readonly a: number; readonly b: number };
}

/** Compares two texts word by word, as their language divides words. If `isLoose`, white space and case are ignored. */
export function wordDiff(a: string, b: string, isLoose: boolean): WordDiff {
  const [startA, startB] = [beginning(a, mostCharacters), beginning(b, mostCharacters)];
  const uncompared = { a: a.length - startA.length, b: b.length - startB.length };
  const isSame = (one: string, other: string) => one === other || (isLoose && loose(one) === loose(other));
  const changes = diffArrays(wordsOf(startA), wordsOf(startB), { timeout: mostMs, comparator: isSame });
  const pieces: readonly DiffPiece[] = changes
    ? changes.map(({ added, removed, value }) => ({ kind: added ? 'b' : removed ? 'a' : 'same', text: value.join('') }))
    : [
        { kind: 'a', text: startA },
        { kind: 'b', text: startB },
      ];
  return { pieces: pieces.filter(({ text }) => text !== ''), uncompared };
}

function wordsOf(text: string): string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function loose(word: string): string {
  return word.trim() === '' ? ' ' : word.toLowerCase();
}

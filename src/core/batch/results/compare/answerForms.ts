import { diffArrays } from 'diff';
import { beginning } from '../../preview/shortText';
import { listOf, objectOf, toJson, type JsonObject } from '../../scan/jsonValue';
import { isChat, readChoices } from '../resultChoices';
import type { ResultLine } from '../resultLine';
import type { DiffPiece } from './comparisonView';

/** Numbers with this many digits may lose precision when parsed. */
const longNumber = /\d{16}/;

/** Returns an answer in the form for comparison: its texts without reasoning, and JSON indented with sorted properties. */
export function answerForm({ body = {} }: ResultLine): string {
  const choices = readChoices(body);
  if (choices.length === 0) return isChat(body) ? '' : inOrder(body);
  const texts = choices.map(({ text, refusal, calls }) => {
    const called = calls.map((call) => `${call.name}(${jsonForm(call.arguments)})`);
    return [jsonForm(text), refusal, ...called].filter((part) => part !== '').join('\n');
  });
  return texts.join('\n\n');
}

function jsonForm(text: string): string {
  if (!/^\s*[[{]/.test(text) || longNumber.test(text)) return text;
  try {
    return toJson(sorted(JSON.parse(text)), 2);
  } catch {
    return text;
  }
}

/** Content nested too deeply to be sorted is compared as it is. */
function inOrder(body: JsonObject): string {
  try {
    return toJson(sorted(body), 2);
  } catch {
    return toJson(body, 2);
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return listOf(value).map(sorted);
  const object = objectOf(value);
  if (!object) return value;
  const members = Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

/** The most characters of each text to compare. */
const mostCharacters = 40_000;
/** If comparing takes longer, the texts have little in common and are returned one after the other. */
const mostMs = 1000;

interface WordDiff {
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

/** Compares an answer with that of the reference run. Either is `undefined` if there is none. */
export function comparedPieces(text: string | undefined, reference: string | undefined, isLoose: boolean) {
  if (text === undefined) return { pieces: [], uncompared: 0 };
  if (reference === undefined) return { pieces: [{ text, differs: false }], uncompared: 0 };
  const { pieces, uncompared } = wordDiff(reference, text, isLoose);
  const own = pieces
    .filter(({ kind }) => kind !== 'a')
    .map((piece) => ({ text: piece.text, differs: piece.kind === 'b' }));
  return { pieces: own, uncompared: uncompared.b };
}

function wordsOf(text: string): string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function loose(word: string): string {
  return word.trim() === '' ? ' ' : word.toLowerCase();
}

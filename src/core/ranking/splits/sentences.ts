import type { TextLine } from '../textLines';
import type { TextPart } from '../textSplit';

/** Closing quotes and brackets belong to the sentence they follow. */
const closers = String.raw`"'”’」』）)】\]》〉`;
/**
 * Ends of sentences. Full-width punctuation ends one anywhere. An ellipsis does unless a comma or a lowercase letter follows. ASCII
 * punctuation requires white space or a Chinese or Japanese letter after it, so that numbers, URLs, and file names aren't split.
 */
const sentenceEnd = new RegExp(
  [
    `[。！？｡‼⁇⁈⁉][。！？｡‼⁇⁈⁉!?…]*[${closers}]*`,
    String.raw`(?<!…)…+[。！？!?]*[${closers}]*(?!\s*[\p{Ll}，、；：,;:…。！？!?${closers}])`,
    String.raw`(?<![!?])[!?]+[${closers}]*(?=\s|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|$)`,
    String.raw`(?<!\.|\b(?:\p{L}|Mr|Mrs|Ms|Dr|Prof|St|No|Fig|vs|etc|al|cf))\.+[${closers}]*(?=\s+[^\p{Ll}\s]|\s*$)`,
  ].join('|'),
  'gu',
);
const blockStart =
  /^\s*(?:#{1,6}\s|[-*+>|•]\s|\d{1,9}[.)、]|[〇一二三四五六七八九十]{1,4}、|（[\d〇一二三四五六七八九十]{1,4}）|[①-⑳])/u;
/** Returns the sentences of all paragraphs, without white space around them. A block of fenced code is one part. */
export function sentenceParts(text: string, lines: readonly TextLine[]): readonly TextPart[] {
  return paragraphs(lines).flatMap(({ start, end, isFenced }) => {
    if (isFenced) return [{ start, end, text: text.slice(start, end) }];
    const paragraph = text.slice(start, end);
    const parts: TextPart[] = [];
    let from = 0;
    const add = (to: number) => {
      const piece = paragraph.slice(from, to);
      const sent = piece.trim();
      const before = piece.length - piece.trimStart().length;
      if (sent !== '') {
        const at = start + from + before;
        parts.push({ start: at, end: at + sent.length, text: joinLines(sent) });
      }
      from = to;
    };
    for (const { index, 0: sign } of paragraph.matchAll(sentenceEnd)) add(index + sign.length);
    add(paragraph.length);
    return parts;
  });
}

const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}，、；：（）“”《》—]/u;

/** Joins the lines of a sentence, with a space unless both sides are written without spaces. */
function joinLines(sentence: string): string {
  const pieces: string[] = [];
  // To look at the end of a text that grows would copy all of it for each line.
  let last = '';
  for (const line of sentence.split(/\r\n|\r|\n/).map((one) => one.trim())) {
    const isClose = last === '' || (wide.test(last) && wide.test(line[0] ?? ''));
    pieces.push(isClose ? line : ` ${line}`);
    last = line.at(-1) ?? (last === '' ? '' : ' ');
  }
  return pieces.join('');
}

interface Paragraph {
  readonly start: number;
  end: number;
  readonly isFenced: boolean;
}

/** Groups lines: a blank line, a heading, a list item, and a fence begin another paragraph. */
function paragraphs(lines: readonly TextLine[]): readonly Paragraph[] {
  const found: Paragraph[] = [];
  let open: Paragraph | undefined;
  let isHeading = false;
  for (const { start, end, text, isBlank, isFenced } of lines) {
    if (isBlank && !isFenced) {
      open = undefined;
      continue;
    }
    if (!open || isHeading || open.isFenced !== isFenced || (!isFenced && blockStart.test(text))) {
      open = { start, end, isFenced };
      found.push(open);
    }
    open.end = end;
    isHeading = !isFenced && /^\s*#{1,6}\s/.test(text);
  }
  return found;
}

import type { TextLine } from '../textLines';
import type { TextPart } from '../textSplit';

interface Heading {
  /** Index of its line. */
  readonly at: number;
  readonly level: number;
}

const hashes = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const underline = /^ {0,3}(=+|-+)[ \t]*$/;
const frontMatter = /^---[ \t]*$/;
/** Starts of blocks other than paragraphs; only a paragraph can be underlined to become a heading. */
const notParagraph = /^(?: {4}|\t|\s*(?:[-*+>|#<`~]|\d+[.)]\s))/;

/**
 * Returns the sections of the shallowest heading level that occurs more than once (so a single title above everything is skipped),
 * each with everything below it. Text before the first section, or directly under a shallower heading, belongs to none and stays in
 * position.
 */
export function sectionParts(text: string, lines: readonly TextLine[]): readonly TextPart[] {
  const headings = readHeadings(lines);
  const level = levelOf(headings);
  const borders = headings.filter((heading) => heading.level <= level);
  return borders.flatMap(({ at, level: own }, index) => {
    if (own !== level) return [];
    let last = (borders[index + 1]?.at ?? lines.length) - 1;
    while (lines[last]!.isBlank) last--;
    const start = lines[at]!.start;
    const end = lines[last]!.end;
    return [{ start, end, text: text.slice(start, end) }];
  });
}

function levelOf(headings: readonly Heading[]): number {
  const known = [1, 2, 3, 4, 5, 6];
  const counts = known.map((level) => headings.filter((heading) => heading.level === level).length);
  return known.find((_, at) => counts[at]! > 1) ?? known.find((_, at) => counts[at]! > 0) ?? 0;
}

function readHeadings(lines: readonly TextLine[]): readonly Heading[] {
  const headings: Heading[] = [];
  for (let at = endOfFrontMatter(lines); at < lines.length; at++) {
    const { text, isFenced } = lines[at]!;
    if (isFenced) continue;
    const found = hashes.exec(text);
    if (found) {
      headings.push({ at, level: found[1]!.length });
    } else if (isUnderlined(lines, at, headings.at(-1)?.at)) {
      headings.push({ at, level: lines[at + 1]!.text.includes('=') ? 1 : 2 });
      at++;
    }
  }
  return headings;
}

/** Whether it is a one-line paragraph with a line of `=` or `-` below it. */
function isUnderlined(lines: readonly TextLine[], at: number, lastHeading: number | undefined): boolean {
  const line = lines[at]!;
  const before = lines[at - 1];
  const isFirst = before === undefined || before.isBlank || at - 1 === lastHeading;
  if (!isFirst || line.isBlank || notParagraph.test(line.text)) return false;
  return underline.test(lines[at + 1]?.text ?? '');
}

function endOfFrontMatter(lines: readonly TextLine[]): number {
  if (!frontMatter.test(lines[0]?.text ?? '')) return 0;
  return lines.findIndex(({ text }, at) => at > 0 && frontMatter.test(text)) + 1;
}

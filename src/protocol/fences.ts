/** A fence that is open at some line. In a Markdown file, a fence with a language or before code opens another one. */
export interface OpenFence {
  /** The characters it was opened with. */
  readonly markup: string;
  readonly isMarkdown: boolean;
}

/** Fences open in one another, the Markdown file's included. Each line copies them, so without a limit, a text of fences only would take long. */
const mostOpen = 16;

/** The names of Markdown and of what is written in it, also as a class, and the name of such a file. */
const markdownInfo =
  /^\s*(?:\{?\.?(?:md|mdx|markdown|rmd|rmarkdown|qmd|quarto)(?:[\s:{},]|$)|[^\s`]+\.(?:md|mdx|markdown|rmd|qmd)\s*$)/i;

const fenceLine = /^([ \t]*)(`{3,}|~{3,})([^\n]*)$/;

/** Returns the fence that a line opens outside of any other; `undefined` if it opens none. */
export function fenceOpenedBy(line: string): OpenFence | undefined {
  const [, , markup = '', info = ''] = fenceLine.exec(line) ?? [];
  if (markup === '' || (markup.startsWith('`') && info.includes('`'))) return undefined;
  return { markup, isMarkdown: markdownInfo.test(info) };
}

/** Returns the line before or after the one that is read, without what it is quoted or indented by; `undefined` if there is none. */
export type LineBeside = (step: -1 | 1) => string | undefined;

/**
 * Returns the fences that are open after a line, outermost first; none if the line closed the outermost. Answers contain complete Markdown
 * files in a fence whose own code blocks have fences of the same length, which CommonMark would end at the first of them.
 */
export function fencesAfter(line: string, open: readonly OpenFence[], beside: LineBeside): readonly OpenFence[] {
  const inner = open.at(-1);
  const [, indent = '', markup = '', rest = ''] = fenceLine.exec(line) ?? [];
  if (!inner || !markup.startsWith(inner.markup)) return open;
  const mayOpen = inner.isMarkdown && open.length < mostOpen;
  if (rest.trim() === '') {
    if (mayOpen && mayOpenCode(beside) && beginsCode(beside(1) ?? '')) return [...open, { markup, isMarkdown: false }];
    return open.length > 1 || !/ {4}|\t/.test(indent) ? open.slice(0, -1) : open;
  }
  const nested = mayOpen ? fenceOpenedBy(line) : undefined;
  return nested ? [...open, nested] : open;
}

/**
 * Whether a fence without a language opens code in a Markdown file if code follows it: the fence that ends a file directly follows its text.
 */
export function mayOpenCode(beside: LineBeside): boolean {
  return /^\s*$|[:：]\s*$|^\s*(?:#{1,6}\s|(?:`{3,}|~{3,})\s*\w)/.test(beside(-1) ?? '');
}

/** Whether a line may be the first of some code: not a blank line, a fence, or a sentence. */
function beginsCode(line: string): boolean {
  // A sentence, also one that goes on in the next line.
  if (/^\s*\p{Lu}[\p{Ll}'’]*(?: [\p{L}\p{N}'’,]+){3,}/u.test(line)) return false;
  return !/^\s*$|^\s*(?:`{3}|~{3})|^\s*[\p{Lu}\p{Lo}].*[.:!?。：！？]\s*$/u.test(line);
}

/** Returns the fence in which a text ends, also in a list or a quotation; `undefined` if it ends outside of one. */
export function openFenceIn(text: string): OpenFence | undefined {
  let open: readonly OpenFence[] = [];
  for (const { 0: all, 1: line = '', index } of text.matchAll(
    /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*((?:`{3,}|~{3,}).*)$/gm,
  )) {
    const opened = open.length === 0 ? fenceOpenedBy(line) : undefined;
    open = opened
      ? [opened]
      : fencesAfter(line, open, (step) => (step === 1 ? lineBelow(text, index + all.length) : lineAbove(text, index)));
  }
  return open.at(-1);
}

function lineAbove(text: string, at: number): string | undefined {
  return at === 0 ? undefined : text.slice(text.lastIndexOf('\n', at - 2) + 1, at - 1).replace(/^[ \t>]+/, '');
}

function lineBelow(text: string, at: number): string | undefined {
  const start = text.indexOf('\n', at) + 1;
  const end = text.indexOf('\n', start);
  return start === 0 ? undefined : text.slice(start, end === -1 ? undefined : end).replace(/^[ \t>]+/, '');
}

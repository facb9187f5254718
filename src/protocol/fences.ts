/** A fence that is open at some line. In a Markdown file, a fence with a language opens another one. */
export interface OpenFence {
  /** The characters it was opened with. */
  readonly markup: string;
  readonly isMarkdown: boolean;
}

const fenceLine = /^([ \t]*)(`{3,}|~{3,})([^\n]*)$/;

/** Returns the fence that a line opens outside of any other; `undefined` if it opens none. */
export function fenceOpenedBy(line: string): OpenFence | undefined {
  const [, , markup = '', info = ''] = fenceLine.exec(line) ?? [];
  if (markup === '' || (markup.startsWith('`') && info.includes('`'))) return undefined;
  return { markup, isMarkdown: /^\s*(?:md|markdown|mdx)(?:[\s:{,]|$)/i.test(info) };
}

/**
 * Returns the fences that are open after a line, outermost first; none if the line closed the outermost. Answers contain complete Markdown
 * files in a fence whose own code blocks have fences of the same length, which CommonMark would end at the first of them.
 */
export function fencesAfter(line: string, open: readonly OpenFence[]): readonly OpenFence[] {
  const inner = open.at(-1);
  const [, indent = '', markup = '', rest = ''] = fenceLine.exec(line) ?? [];
  if (!inner || !markup.startsWith(inner.markup)) return open;
  if (rest.trim() === '') return open.length > 1 || !/ {4}|\t/.test(indent) ? open.slice(0, -1) : open;
  const nested = inner.isMarkdown ? fenceOpenedBy(line) : undefined;
  return nested ? [...open, nested] : open;
}

/** Returns the fence in which a text ends, also in a list or a quotation; `undefined` if it ends outside of one. */
export function openFenceIn(text: string): OpenFence | undefined {
  let open: readonly OpenFence[] = [];
  for (const [, line = ''] of text.matchAll(/^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*((?:`{3,}|~{3,}).*)$/gm)) {
    const opened = open.length === 0 ? fenceOpenedBy(line) : undefined;
    open = opened ? [opened] : fencesAfter(line, open);
  }
  return open.at(-1);
}

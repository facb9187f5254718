import { openFenceIn } from '../../src/protocol/fences';

/** How many characters an open bracket, URL, or single-character emphasis can wait for its end. A longer one is rendered as it is. */
const maxHeld = 300;
/** A longer open block is drawn as it is, because scanning it costs more with every step. */
const maxLooked = 20_000;

/**
 * Prepares the open end of a Markdown text for drawing, so that no mark shows that is about to become something else: closes an open
 * emphasis, code or formula, and drops a mark, link or table head of which only the beginning has arrived. Changes only the end.
 */
export function withoutOpenMarks(source: string): string {
  if (source.length > maxLooked) return source;
  const fence = openFenceIn(source)?.markup;
  const lineStart = source.lastIndexOf('\n') + 1;
  const line = source.slice(lineStart);
  if (fence !== undefined) {
    const run = /^[ \t>]*(`+|~+)$/.exec(line)?.[1];
    return run !== undefined && lineStart > 0 && fence.startsWith(run) ? source.slice(0, lineStart) : source;
  }
  // The line would underline the text before it as a heading, or is the start of a list, quote or fence.
  if (lineStart > 0 && /^[ \t]*(?:[-=+*_~`#>]+|\d{1,9}[.)]?)$/.test(line)) return source.slice(0, lineStart).trimEnd();
  const start = inlineStart(source, lineStart);
  if (line.startsWith('|')) {
    const rows = source.slice(start).split('\n');
    const isHead = rows.length === 1 || (rows.length === 2 && /^\|[\s:|-]*$/.test(line));
    if (isHead) return source.slice(0, start).trimEnd();
    const cell = source.lastIndexOf('|') + 1;
    return source.slice(0, cell) + closed(source.slice(cell));
  }
  const prefix =
    /^(?:[ \t]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+|#{1,6}[ \t]+|>[ \t]?))*/.exec(source.slice(start))?.[0] ?? '';
  return source.slice(0, start + prefix.length) + closed(source.slice(start + prefix.length));
}

/** Returns where the inline text of the last line begins: after a blank line, or at the start of a block. Table rows stay together. */
function inlineStart(source: string, lineStart: number): number {
  let start = lineStart;
  while (start > 0 && source.length - start < 5000) {
    if (/^[ \t]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|>)/.test(source.slice(start, start + 20))) return start;
    const before = source.lastIndexOf('\n', start - 2) + 1;
    const line = source.slice(before, start - 1);
    if (line.trim() === '' || /^ {0,3}#{1,6}[ \t]/.test(line) || line.startsWith('|') !== source.startsWith('|', start))
      return start;
    start = before;
  }
  return start;
}

interface OpenRun {
  readonly run: string;
  readonly at: number;
}

/** Closes or cuts the open marks of a text within one block. */
function closed(text: string): string {
  const open: OpenRun[] = [];
  let at = 0;
  let shown = text;
  let literal = '';
  while (at < shown.length) {
    const step = nextStep(shown, at, open);
    if (step.cut !== undefined) shown = shown.slice(0, step.cut);
    else if (step.close === undefined) at = step.at;
    else {
      literal = step.close;
      break;
    }
  }
  const visible = literal === '' ? shown.trimEnd() : shown;
  const runs = open.filter(
    ({ run, at: start }) => start < shown.length && (run.length > 1 || shown.length - start < maxHeld),
  );
  // There is nothing to emphasize yet.
  const last = runs.at(-1);
  if (literal === '' && last && last.at + last.run.length >= visible.length) return closed(shown.slice(0, last.at));
  const closing = runs.toReversed().map(({ run }) => run);
  return closing.length === 0 && literal === '' ? shown : [visible, literal, ...closing].join('');
}

/** `at`: where to continue. `cut`: where the text ends for now. `close`: the missing end mark, up to which the rest is literal. */
type Step =
  | { readonly at: number; readonly cut?: undefined; readonly close?: undefined }
  | { readonly cut: number; readonly close?: undefined }
  | { readonly close: string; readonly cut?: undefined };

function nextStep(text: string, at: number, open: OpenRun[]): Step {
  const [sign = ''] = text.slice(at, at + 2);
  const next = text[at + 1];
  if (sign === '\\') {
    if (next === undefined) return { cut: at };
    if (next === '(' || next === '[') return literal(text, at, next === '(' ? '\\)' : '\\]');
    return { at: at + 2 };
  }
  if (sign === '`') return literal(text, at, /^`+/.exec(text.slice(at))![0]);
  if (sign === '$' && next === '$') return literal(text, at, '$$');
  if (sign === '[' || (sign === '!' && next === '[')) return bracket(text, at);
  if (sign === '!' && next === undefined && /^\s?$/.test(text.slice(at - 1, at))) return { cut: at };
  if (sign === '<' && isOpenTag(text.slice(at, at + maxHeld))) return { cut: at };
  if (sign === '*' || sign === '_' || sign === '~') return emphasis(text, at, open);
  return { at: at + 1 };
}

/** Scans code or a formula, in which nothing is a mark. The opening mark has the same length as `end`. */
function literal(text: string, at: number, end: string): Step {
  const start = at + end.length;
  const isCode = end.startsWith('`');
  let found = text.indexOf(end, start);
  while (isCode && found >= 0 && text[found + end.length] === '`') {
    found = text.indexOf(end, found + /^`+/.exec(text.slice(found))![0].length);
  }
  if (found >= 0) return { at: found + end.length };
  if (text.slice(start).trim() === '') return { cut: at };
  const half = text.length - 1;
  const isHalf = end.length > 1 && half > start && text[half] === end[0];
  return isHalf ? { cut: half } : { close: end };
}

/** Whether the text is the beginning of an autolink, or of an element that is shown as one once its end has arrived. */
function isOpenTag(text: string): boolean {
  return (
    /^<(?:(?:https?:|mailto:)[^\s>]*|\/?[a-z]{0,3}\s?\/?)$/i.test(text) ||
    /^<(sub|sup|kbd)>(?![^]*<\/\1>)[^\n]{0,60}$/i.test(text)
  );
}

/** Cuts the text at a link until the whole link has arrived. */
function bracket(text: string, at: number): Step {
  const lineEnd = text.indexOf('\n', at);
  const line = text.slice(at, lineEnd < 0 ? undefined : lineEnd);
  const isOpen = lineEnd < 0 && line.length <= maxHeld;
  const label = line.indexOf(']');
  if (label < 0 || label === line.length - 1) return isOpen ? { cut: at } : { at: at + 1 };
  if (line[label + 1] !== '(') return { at: at + label + 1 };
  const target = line.indexOf(')', label);
  if (target < 0) return isOpen ? { cut: at } : { at: at + 1 };
  return { at: at + target + 1 };
}

function emphasis(text: string, at: number, open: OpenRun[]): Step {
  const [run = ''] = /^([*_~])\1*/.exec(text.slice(at)) ?? [];
  const [before = ' ', after] = [text[at - 1], text[at + run.length]];
  const same = open.findLastIndex((one) => one.run === run);
  if (same >= 0 && !/\s/.test(before)) open.length = same;
  else if (after === undefined) return { cut: at };
  else if (!/\s/.test(after) && !/[\dA-Za-z]/.test(before) && !(run.startsWith('~') && run.length !== 2))
    open.push({ run, at });
  return { at: at + run.length };
}

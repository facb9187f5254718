import { promptParameters } from './prompt';
import type { PromptProblem } from './promptProblems';
import type { Span } from '../batch/problem';
import { splitPrompt } from './frontMatter';

/** A quick fix for a problem. `text` is the text it writes, or where it moves something. */
export interface PromptQuickFix {
  readonly kind: 'replace' | 'declare' | 'escape' | 'remove' | 'move';
  readonly text: string;
  readonly edits: readonly TextEdit[];
}

const mostSuggested = 2;

/** Returns the quick fixes for a problem of this text, best first. */
export function promptQuickFixesOf(file: string, problem: PromptProblem): readonly PromptQuickFix[] {
  const { code, span, name = '', suggestions = [], issue } = problem;
  const offered = suggestions.slice(0, mostSuggested);
  const replace = (text: string, written = text): PromptQuickFix => ({
    kind: 'replace',
    text,
    edits: [{ ...span, text: written }],
  });
  switch (code) {
    case 'key.unknown':
    case 'model.unknown':
    case 'model.not-chat':
    case 'variable.default-not-option':
      return offered.map((text) => replace(text, yamlText(text)));
    case 'parameter.out-of-bounds':
      return typeof issue?.bound === 'number' ? [replace(String(issue.bound))] : [];
    case 'variable.undeclared':
      return [
        ...declare(file, name),
        ...offered.map((text) => replace(text, `{{${text}}}`)),
        { kind: 'escape', text: `\\{{${name}}}`, edits: [{ start: span.start, end: span.start, text: '\\' }] },
      ];
    case 'variable.unused':
      return remove(file, problem);
    case 'key.misplaced':
      return move(file, problem);
    case 'file.conflict':
    case 'file.too-large':
    case 'front-matter.not-closed':
    case 'front-matter.not-mapping':
    case 'models.too-many':
    case 'parameter.unusual':
    case 'text.empty':
    case 'value.wrong-type':
    case 'variable.bad-name':
    case 'yaml.invalid':
      return [];
  }
}

function declare(file: string, name: string): readonly PromptQuickFix[] {
  const edit = insertUnder(file, 'variables', [`${yamlText(name)}:`]);
  return edit ? [{ kind: 'declare', text: name, edits: [edit] }] : [];
}

function remove(file: string, { span, name = '' }: PromptProblem): readonly PromptQuickFix[] {
  const block = keyBlock(file, span.start);
  if (!block) return [];
  const start = block.isOnly ? file.slice(0, block.start - 1).lastIndexOf('\n') + 1 : block.start;
  return [{ kind: 'remove', text: name, edits: [{ start, end: block.end, text: '' }] }];
}

function move(file: string, { span, name = '' }: PromptProblem): readonly PromptQuickFix[] {
  const block = keyBlock(file, span.start);
  if (!block) return [];
  const isParameter = promptParameters.some((parameter) => parameter === name);
  const edit = isParameter ? insertUnder(file, 'parameters', block.lines) : insertAtTop(file, block.lines);
  if (!edit) return [];
  const text = isParameter ? 'parameters' : '';
  return [{ kind: 'move', text, edits: [{ start: block.start, end: block.end, text: '' }, edit] }];
}

/** Formats a text as YAML on one line: quoted if it could be read as something else. */
export function yamlText(text: string): string {
  const isPlain = /^[\p{L}_][\p{L}\p{N}_./-]*(?: [\p{L}\p{N}_./-]+)*$/u.test(text);
  return isPlain && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text) ? text : JSON.stringify(text);
}

/** A change of a text, in UTF-16 offsets of the text before the change. */
interface TextEdit extends Span {
  readonly text: string;
}

/** A key with everything below it. */
interface KeyBlock extends Span {
  /** Its lines, without the indentation of the first. */
  readonly lines: readonly string[];
  /** Whether it is the only entry under its parent key. */
  readonly isOnly: boolean;
}

/** Writes lines under a front matter key, and adds the key if it is missing. `undefined` if its value cannot take lines. */
function insertUnder(file: string, parent: string, lines: readonly string[]): TextEdit | undefined {
  const { yaml, eol, text } = splitPrompt(file);
  const indented = (by: string) => lines.map((line) => `${by}${line}${eol}`).join('');
  const block = `${parent}:${eol}${indented('  ')}`;
  if (!yaml) return { start: text, end: text, text: `---${eol}${block}---${eol}${eol}` };
  const found = new RegExp(`^${parent}:[ \\t]*(.*)$`, 'm').exec(file.slice(yaml.start, yaml.end));
  if (!found) return insertAt(yaml.end, block);
  const [line, value = ''] = found;
  const lineEnd = yaml.start + found.index + line.length;
  if (value.startsWith('{')) return insertAt(lineEnd - value.length + 1, lines.map((one) => ` ${one} ,`).join(''));
  if (value !== '' && !value.startsWith('#')) return undefined;
  const { end, indent } = childrenAfter(file, lineEnd, yaml.end);
  return insertAt(end, indented(indent));
}

/** Writes lines at the end of the front matter. */
function insertAtTop(file: string, lines: readonly string[]): TextEdit | undefined {
  const { yaml, eol } = splitPrompt(file);
  return yaml && insertAt(yaml.end, lines.map((line) => `${line}${eol}`).join(''));
}

/** Returns the lines of the key at `at`; `undefined` if it shares its line with others. */
function keyBlock(file: string, at: number): KeyBlock | undefined {
  const start = file.lastIndexOf('\n', at - 1) + 1;
  const indent = file.slice(start, at);
  const { yaml } = splitPrompt(file);
  if (!yaml || indent.trim() !== '') return undefined;
  const lineEnd = endOfLine(file, at);
  const under = childrenAfter(file, lineEnd, yaml.end, indent.length);
  const before = file.slice(yaml.start, start).trimEnd();
  const next = /[^\s]/.exec(file.slice(under.end, yaml.end))?.index;
  const nextIndent = next === undefined ? 0 : next - 1 - file.slice(under.end, under.end + next).lastIndexOf('\n');
  const isFirst = indent !== '' && /^\S.*:$/.test(before.slice(before.lastIndexOf('\n') + 1));
  const lines = file.slice(start, under.end).trimEnd().split(/\r?\n/);
  return {
    start,
    end: under.end,
    lines: lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)),
    isOnly: isFirst && nextIndent < indent.length,
  };
}

function insertAt(at: number, text: string): TextEdit {
  return { start: at, end: at, text };
}

/** Returns the end of the lines indented deeper than `depth`, and the indentation of the first of them. */
function childrenAfter(file: string, lineEnd: number, limit: number, depth = 0): { end: number; indent: string } {
  let end = Math.min(limit, nextLine(file, lineEnd));
  let indent = '';
  for (let start = end; start < limit; start = nextLine(file, endOfLine(file, start))) {
    const line = file.slice(start, Math.min(limit, endOfLine(file, start)));
    if (line.trim() === '') continue;
    const own = /^[ \t]*/.exec(line)?.[0] ?? '';
    if (own.length <= depth) break;
    if (indent === '') indent = own;
    end = Math.min(limit, nextLine(file, endOfLine(file, start)));
  }
  return { end, indent: indent || '  ' };
}

function endOfLine(file: string, from: number): number {
  const end = file.indexOf('\n', from);
  return end < 0 ? file.length : end;
}

function nextLine(file: string, lineEnd: number): number {
  const end = endOfLine(file, lineEnd);
  return Math.min(file.length, end + 1);
}

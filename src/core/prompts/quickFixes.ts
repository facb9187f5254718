import { insertAtTop, insertUnder, keyBlock } from './frontMatterLines';
import type { TextEdit } from './frontMatterLines';
import { promptParameters } from './prompt';
import type { PromptProblem } from './promptProblem';

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

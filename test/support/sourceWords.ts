import { readFileSync } from 'node:fs';
import { parseSync, visitorKeys, type Node } from 'oxc-parser';

export interface Place {
  readonly file: string;
  readonly line: number;
  /** The text, with a placeholder for each value of a template. */
  readonly text: string;
}

export interface SourceWords {
  /** User-facing literals, and literals that read like a sentence anywhere. */
  readonly untranslated: readonly Place[];
  /** Numbers, dates, and lists that aren't formatted in the display language. */
  readonly unlocalised: readonly Place[];
}

/** Property names under which VS Code or a page receives user-facing text. */
const shownNames =
  /^(label|detail|tooltip|title|placeHolder|placeholder|prompt|description|openLabel|saveLabel|alt|aria-label|aria-description|aria-roledescription|validationMessage)$/;

/** Calls whose texts are user-facing, and calls whose texts are internal. */
const shownCalls =
  /\.(show(Information|Warning|Error)Message|setStatusBarMessage|appendText|withProgress)$|^(UserError|vscode\.Diagnostic)$/;
const unseenCalls =
  /^(log|console|trace)\b|\blog\.|querySelector|classList|closest|matches|createElement|setAttribute|^(Type|Range|Syntax)?Error$|[A-Z]\w*Error$/;

const translates = /(^|\.)l10n\.t$/;

type AnyNode = Node & Readonly<Record<string, unknown>>;

export function readSourceWords(file: string, code = readFileSync(file, 'utf8')): SourceWords {
  const untranslated: Place[] = [];
  const unlocalised: Place[] = [];
  const sourceOf = (node: { readonly start: number; readonly end: number }) => code.slice(node.start, node.end);
  const place = (node: AnyNode, text: string): Place => ({
    file,
    line: code.slice(0, node.start).split('\n').length,
    text,
  });

  const visit = (node: AnyNode, isShown: boolean): void => {
    if (node.type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)/.test(node.type)) return;
    if (node.type === 'ImportDeclaration' || (node.type === 'ExportNamedDeclaration' && node.source)) return;
    const text = textOf(node);
    if (text !== undefined && isWords(text, isShown || node.type === 'JSXText')) untranslated.push(place(node, text));
    let isSeen =
      isShown && !/^(ArrowFunctionExpression|FunctionExpression|ObjectExpression|MemberExpression)$/.test(node.type);
    if (node.type === 'CallExpression' || node.type === 'NewExpression') {
      const callee = sourceOf(node.callee);
      if (isUnlocalised(callee, node.type === 'NewExpression', node.arguments.map(sourceOf), file))
        unlocalised.push(place(node, sourceOf(node)));
      if (translates.test(callee)) return node.arguments.slice(1).forEach((one) => visit(one as AnyNode, false));
      if (unseenCalls.test(callee) && !shownCalls.test(callee)) return;
      visit(node.callee as AnyNode, isSeen);
      return node.arguments.forEach((one) =>
        visit(one as AnyNode, shownCalls.test(callee) && one.type !== 'ArrayExpression'),
      );
    }
    if (node.type === 'BinaryExpression' && node.operator !== '+') isSeen = false;
    for (const key of visitorKeys[node.type] ?? []) {
      const isTest = node.type === 'ConditionalExpression' && key === 'test';
      const of = nameOf(node, key, sourceOf);
      const isProvided = of === undefined ? isSeen && !isTest : shownNames.test(of);
      for (const child of [node[key]].flat()) if (child) visit(child as AnyNode, isProvided);
    }
  };
  visit(parseSync(file, code).program as unknown as AnyNode, false);
  return { untranslated, unlocalised };
}

/** Returns the name under which the values below `key` are passed. */
function nameOf(node: AnyNode, key: string, sourceOf: (node: Node) => string): string | undefined {
  if (node.type === 'Property' && key === 'value' && !node.computed) return sourceOf(node.key).replaceAll(/['"]/g, '');
  if (node.type === 'JSXAttribute') return key === 'value' ? sourceOf(node.name) : '';
  if (node.type === 'AssignmentExpression' && key === 'right') return /(\w+)$/.exec(sourceOf(node.left))?.[1];
  return undefined;
}

function textOf(node: AnyNode): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked).join('…');
  return node.type === 'JSXText' ? node.value.trim() : undefined;
}

function isWords(text: string, isShown: boolean): boolean {
  const said = text.replaceAll(/\$\([\w~-]+\)/g, '');
  return isShown
    ? /\p{L}{2,}/u.test(said)
    : /^\P{Lu}*\p{L}{2,}[,.:;]? \p{L}{2,}.*[.?:]$|^\p{Lu}\p{Ll}+ (\p{L}+ )+\p{L}+/u.test(said);
}

const formats = 'src/protocol/formats.ts';

function isUnlocalised(callee: string, isNew: boolean, provided: readonly string[], file: string): boolean {
  if (isNew && /^Intl\.(?!Segmenter)/.test(callee)) return file !== formats;
  if (/\.toLocale(Date|Time)?String$/.test(callee)) return true;
  return callee.endsWith('.toFixed') || (callee.endsWith('.join') && provided[0] === "', '");
}

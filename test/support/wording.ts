import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { parseSync, Visitor, type Node } from 'oxc-parser';
import { localizedTexts } from '../../esbuild.mjs';
import { chineseSlips, wordingSlips } from './wordingRules';

/** The rules that each text matches. A text without a match isn't listed. */
export type Slips = Readonly<Record<string, readonly string[]>>;

/** Slips that were there when the rules were introduced. */
const knownSlipsFile = 'test/fixtures/wording/knownSlips.json';

export interface SlipsByLanguage {
  readonly english: Slips;
  readonly chinese: Slips;
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** Texts for models and for the command line. They are English in every language. */
const englishOnly = 'src/{core/agentTools,cli,features/agentTools,features/publicApi}/**/*.ts';

const isSentence = (text: string): boolean => text.split(/\s+/).length >= 3 && /[a-z]{2,} [a-z{]/i.test(text);

/** A written text, with a place for each value of a template. */
function writtenText(node: Node | null | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node?.type === 'TemplateLiteral')
    return node.quasis
      .map(({ value }, at) => (value.cooked ?? '') + (at < node.expressions.length ? `{${at}}` : ''))
      .join('');
  if (node?.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const [left, right] = [writtenText(node.left), writtenText(node.right)];
  return left === undefined || right === undefined ? undefined : left + right;
}

/** Returns the sentences that a source writes out, other than in types and imports. */
export function writtenSentences(file: string, source: string): readonly string[] {
  const found = new Set<string>();
  const parts = new Set<Node>();
  const add = (node: Node) => {
    const text = parts.has(node) ? undefined : writtenText(node);
    if (text !== undefined && isSentence(text)) found.add(text);
  };
  new Visitor({
    BinaryExpression(node) {
      if (writtenText(node) === undefined) return;
      add(node);
      for (const part of [node, node.left, node.right]) parts.add(part);
    },
    TemplateLiteral: add,
    Literal: add,
  }).visit(parseSync(file, source).program);
  return [...found];
}

const buttonElements: ReadonlySet<string> = new Set(['button', 'vscode-button']);

/** Returns the localized texts of a source that are the labels of buttons: in messages and questions, in actions with an ID, and on pages. */
export function buttonTexts(file: string, source: string): readonly string[] {
  const found: string[] = [];
  const add = (node: Node | null | undefined): void => {
    if (node?.type === 'ConditionalExpression') {
      add(node.consequent);
      return add(node.alternate);
    }
    if (node?.type !== 'CallExpression' || !/\bl10n\.t$/.test(source.slice(node.callee.start, node.callee.end))) return;
    const text = writtenText(node.arguments[0]);
    if (text !== undefined) found.push(text);
  };
  new Visitor({
    CallExpression({ callee, arguments: [, , ...rest] }) {
      if (callee.type === 'Identifier' && callee.name === 'showMessage') for (const one of rest) add(one);
    },
    Property({ key, value }) {
      if (key.type === 'Identifier' && key.name === 'action') add(value);
    },
    ObjectExpression({ properties }) {
      const valueOf = (name: string) =>
        properties.find((one) => one.type === 'Property' && one.key.type === 'Identifier' && one.key.name === name);
      const [id, label] = [valueOf('id'), valueOf('label')];
      const isAction = properties.length <= 3 && id?.type === 'Property' && writtenText(id.value) !== undefined;
      if (isAction && label?.type === 'Property') add(label.value);
    },
    JSXElement({ openingElement: { name, attributes }, children }) {
      if (name.type !== 'JSXIdentifier') return;
      if (buttonElements.has(name.name)) {
        for (const child of children) if (child.type === 'JSXExpressionContainer') add(child.expression);
      }
      if (name.name !== 'IconButton') return;
      for (const one of attributes) {
        const isLabel = one.type === 'JSXAttribute' && one.name.name === 'label';
        if (isLabel && one.value?.type === 'JSXExpressionContainer') add(one.value.expression);
      }
    },
  }).visit(parseSync(file, source).program);
  return found;
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly title: string }[];
    readonly submenus: readonly { readonly label: string }[];
  };
}

/** Returns the English slips of all texts of the product: the window, the manifest, tools, and the command line. */
function englishSlips(): Slips {
  const nls = readJson('package.nls.json') as Readonly<Record<string, string>>;
  const { commands, submenus } = (readJson('package.json') as Manifest).contributes;
  const sources = globSync('{src,webview}/**/*.{ts,tsx}').map((file) => [file, readFileSync(file, 'utf8')] as const);
  const labels = [...commands.map(({ title }) => title), ...submenus.map(({ label }) => label)];
  const actions = new Set([
    ...labels.map((label) => nls[label.replaceAll('%', '')] ?? label),
    ...sources.flatMap(([file, source]) => (source.includes('l10n') ? buttonTexts(file, source) : [])),
  ]);
  const plain = globSync(englishOnly).flatMap((file) => writtenSentences(file, readFileSync(file, 'utf8')));
  const texts = [...localizedTexts('src'), ...localizedTexts('webview'), ...Object.values(nls), ...plain];
  return slipsOf(texts, (text) => wordingSlips(text, actions.has(text)));
}

/** Returns the Chinese slips of the window and the manifest. */
function translationSlips(): Slips {
  const files = [...globSync('media/l10n/bundle.l10n.zh-*.json'), ...globSync('package.nls.zh-*.json')];
  return slipsOf(
    files.flatMap((file) => Object.values(readJson(file) as Readonly<Record<string, string>>)),
    chineseSlips,
  );
}

function slipsOf(texts: readonly string[], rulesOf: (text: string) => readonly string[]): Slips {
  const unique = [...new Set(texts)].toSorted();
  return Object.fromEntries(
    unique.map((text) => [text, rulesOf(text)] as const).filter(([, rules]) => rules.length > 0),
  );
}

/** Returns every slip as a line. */
export const slipLines = (slips: Slips): readonly string[] =>
  Object.entries(slips).flatMap(([text, rules]) => rules.map((rule) => `${rule}: ${text}`));

export const readSlips = (): SlipsByLanguage => ({ english: englishSlips(), chinese: translationSlips() });

export const readKnownSlips = (): SlipsByLanguage => readJson(knownSlipsFile) as SlipsByLanguage;

/** Removes the known slips that have been fixed, and adds none. Writes one text per line, so that branches rarely conflict. */
export function shrinkKnownSlips(known: SlipsByLanguage, found: SlipsByLanguage): void {
  const parts = (['english', 'chinese'] as const).map((language) => {
    const lines = Object.entries(known[language]).flatMap(([text, rules]) => {
      const saved = rules.filter((rule) => found[language][text]?.includes(rule));
      return saved.length === 0 ? [] : [`${JSON.stringify(text)}: ${JSON.stringify(saved)}`];
    });
    return `"${language}": {\n${lines.join(',\n')}\n}`;
  });
  writeFileSync(knownSlipsFile, `{\n${parts.join(',\n')}\n}\n`);
}

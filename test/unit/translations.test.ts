import { deepEqual, equal } from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { localizedTexts } from '../../esbuild.mjs';
import { textsWordedAtLoad } from '../support/loadedTexts';

type Words = Readonly<Record<string, string>>;

const read = (file: string): Words => JSON.parse(readFileSync(file, 'utf8')) as Words;
const english = read('package.nls.json');
const bundles = path.join('media', 'l10n');

/** What a translation has to take over as it is: places for values, icons, code, where links lead. */
function fixedParts(text: string): readonly string[] {
  return [...text.matchAll(/\{\w+\}|\$\([\w~-]+\)|`[^`]*`|\]\([^)]*\)/g)].map(([part]) => part).toSorted();
}

const edges = (text: string): readonly [string, string] => [
  text.slice(0, text.length - text.trimStart().length),
  text.slice(text.trimEnd().length),
];

/** Calls in a source that give another number of values than their text has places. */
function unfilledTexts(file: string, source: string): readonly string[] {
  const found: string[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [text, ...values] }) {
      if (source.slice(callee.start, callee.end) !== 'l10n.t' || text?.type !== 'Literal') return;
      const places = new Set(String(text.value).match(/\{\d\}/g));
      const isKnown = values.every(({ type }) => type !== 'SpreadElement');
      if (isKnown && places.size !== values.length) found.push(`${file}: ${String(text.value)}`);
    },
  }).visit(parseSync(file, source).program);
  return found;
}

describe('translations', () => {
  const manifests = readdirSync('.').filter((name) => /^package\.nls\..+\.json$/.test(name));
  const translated: readonly (readonly [file: string, pairs: readonly (readonly [string, string | undefined])[]])[] = [
    ...manifests.map((name) => {
      const words = read(name);
      return [name, Object.entries(english).map(([key, text]) => [text, words[key]] as const)] as const;
    }),
    ...readdirSync(bundles)
      .filter((name) => /^bundle\.l10n\..+\.json$/.test(name) && name !== 'bundle.l10n.json')
      .map((name) => [name, Object.entries(read(path.join(bundles, name)))] as const),
  ];

  it('exist for the manifest and for the code', () => {
    deepEqual(translated.map(([file]) => file).toSorted(), ['bundle.l10n.zh-cn.json', 'package.nls.zh-cn.json']);
  });

  for (const [file, pairs] of translated) {
    it(`keep placeholders and code: ${file}`, () => {
      for (const [text, translation] of pairs) {
        equal(typeof translation, 'string', text);
        deepEqual(fixedParts(translation ?? ''), fixedParts(text), text);
        deepEqual(edges(translation ?? ''), edges(text), text);
      }
    });
  }

  it('have an entry for every text of the host and the pages, and no others', () => {
    const said = [...new Set([...localizedTexts('src'), ...localizedTexts('webview')])].toSorted();
    for (const name of readdirSync(bundles).filter((file) => /^bundle\.l10n\..+\.json$/.test(file)))
      deepEqual(Object.keys(read(path.join(bundles, name))).toSorted(), said, name);
  });

  it('have a value for each placeholder on pages', () => {
    const files = globSync('webview/**/*.{ts,tsx}');
    deepEqual(
      files.flatMap((file) => unfilledTexts(file, readFileSync(file, 'utf8'))),
      [],
    );
    const wrong = ["l10n.t('Delete {0}')", "l10n.t('{0} of {1}', one)", "l10n.t('Copy', name)"];
    for (const call of wrong) equal(unfilledTexts('x.ts', call).length, 1, call);
  });

  it('are set before any text is created, because no module creates one while it is loaded', () => {
    const files = globSync(['src/**/*.ts', 'webview/**/*.{ts,tsx}']);
    deepEqual(
      files.flatMap((file) => textsWordedAtLoad(file, readFileSync(file, 'utf8'))),
      [],
    );
    const early = [
      "const title = l10n.t('Copy');",
      "export const titles = { copy: l10n.t('Copy') };",
      "class Row { static readonly title = l10n.t('Copy'); }",
      "const titles = createTitles(); function createTitles() { return [l10n.t('Copy')]; }",
      "const titles = createTitles(); const createTitles = () => l10n.t('Copy');",
      "const title = (() => l10n.t('Copy'))();",
    ];
    for (const source of early) equal(textsWordedAtLoad('x.ts', source).length, 1, source);
    const late = [
      "const title = () => l10n.t('Copy');",
      "export const titles = { copy: () => l10n.t('Copy'), get paste() { return l10n.t('Paste'); } };",
      "class Row { readonly title = l10n.t('Copy'); }",
      "function createTitles() { return [l10n.t('Copy')]; } export const load = () => createTitles();",
    ];
    for (const source of late) deepEqual(textsWordedAtLoad('x.ts', source), [], source);
  });

  it('have an entry for every key of the manifest, and no others', () => {
    for (const name of manifests) deepEqual(Object.keys(read(name)).toSorted(), Object.keys(english).toSorted(), name);
  });

  /** Beside Chinese characters: half-width punctuation, full-width with a space, no space before Latin words or numbers. */
  const slips = [
    /\p{Script=Han} ?\((?!command:)/u,
    /\p{Script=Han}[,;:!?](?![/\w])|\p{Script=Han}\.(\s|$)/u,
    /[ \t][，。：；！？）”]|[，。：；！？（“][ \t]/u,
    /[A-Za-z0-9]\p{Script=Han}|\p{Script=Han}[A-Za-z0-9]/u,
    /\.\.\.|！/u,
  ];
  for (const [file, pairs] of translated.filter(([name]) => name.includes('zh-cn'))) {
    it(`follow Chinese typography: ${file}`, () => {
      const wrong = pairs
        .map(([, translation = '']) => translation.trim())
        .filter((text) => slips.some((slip) => slip.test(text)));
      deepEqual(wrong, []);
    });
  }
});

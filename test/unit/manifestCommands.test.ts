import { deepEqual, ok } from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { localizedTexts } from '../../esbuild.mjs';

interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly keybindings: readonly { readonly command: string }[];
  };
}

type Words = Readonly<Record<string, string>>;

const read = <Type>(file: string): Type => JSON.parse(readFileSync(file, 'utf8')) as Type;
const { contributes } = read<Manifest>('package.json');
const english = read<Words>('package.nls.json');
const chinese = read<Words>('package.nls.zh-cn.json');
const { commandPalette = [], ...menus } = contributes.menus;
const clauses = new Map(commandPalette.map(({ command = '', when }) => [command, when]));
const commands = contributes.commands.map(({ command, title, category }) => ({
  id: command,
  category,
  title: english[title.slice(1, -1)] ?? '',
  translated: chinese[title.slice(1, -1)] ?? '',
  when: clauses.get(command),
}));
const shown = commands.filter(({ when }) => when !== 'false');
const titles = new Set(commands.map(({ title }) => title.replace(/…$/, '')));

const smallWords = /^(a|an|and|as|at|by|for|from|in|of|on|or|the|to|with)$/;

/** Whether each word starts with a capital, except short ones in the middle. Names such as cURL keep their own letters. */
function isTitleCase(title: string): boolean {
  const words = title.replace(/…$/, '').split(' ');
  return words.every(
    (word, at) => /^(\p{Lu}|cURL$)/u.test(word) || (smallWords.test(word) && at > 0 && at < words.length - 1),
  );
}

/** Words that were replaced in the interface. */
const formerTerms =
  /\b(pictures?|clips?|orders?|ordered|recipes?|voice styles?|exchange|answers?|address|ghost text|find by meaning|judge?ments?|facts|forget|fetch|refused?|lines?|local)\b/i;
const formerCasing = /\b(Ids?|Url|Json)\b/;
const formerChinese = /您|此计算机|批处理|对话模型|注销|常用/;

/** Titles in quotes that aren't ours. */
const otherTitles = ['CSV UTF-8', 'UTF-8 with BOM'];

describe('the commands of the manifest', () => {
  it('show up to 21 in the palette always, and 48 more in context', () => {
    const always = shown.filter(({ when }) => when === undefined);
    const inContext = shown.filter(({ when }) => when !== undefined);
    ok(always.length <= 21, `${always.length} always`);
    ok(inContext.length <= 48, `${inContext.length} in context`);
  });

  it('have one category, which no title repeats or extends', () => {
    deepEqual([...new Set(commands.map(({ category }) => category))], ['Inference Desk']);
    deepEqual(
      shown.filter(({ title }) => /:|Inference Desk|\(/.test(title)),
      [],
    );
  });

  it('are in title case', () => {
    deepEqual(
      commands.filter(({ title }) => !isTitleCase(title)),
      [],
    );
    ok(
      isTitleCase('Copy as cURL') && isTitleCase('Go to File') && !isTitleCase('Copy model') && !isTitleCase('Open a'),
    );
  });

  it('name their object in the palette uniquely', () => {
    const [verbs] = [/^(Rerank…)$/];
    deepEqual(
      shown.filter(({ title }) => !title.includes(' ') && !verbs.test(title)),
      [],
    );
    const names = shown.map(({ title }) => title);
    deepEqual(
      names.filter((title, at) => names.indexOf(title) !== at),
      [],
    );
  });

  it('use no former term', () => {
    deepEqual(
      commands.filter(({ title }) => formerTerms.test(title.replace('Byte Order', '')) || formerCasing.test(title)),
      [],
    );
    deepEqual(
      Object.entries(chinese).filter(([, text]) => formerChinese.test(text)),
      [],
    );
  });

  it('end in an ellipsis in both languages or in neither', () => {
    deepEqual(
      commands.filter(({ title, translated }) => title.endsWith('…') !== translated.endsWith('…')),
      [],
    );
  });

  it('are reachable elsewhere if the palette hides them', () => {
    const inMenus = new Set(Object.values(menus).flatMap((items) => items.flatMap(({ command = [] }) => command)));
    const keys = new Set(contributes.keybindings.map(({ command }) => command));
    const sources = globSync('src/**/*.ts', { exclude: ['src/platform/commands.ts'] })
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const texts = Object.values(english).join('\n');
    const registered = /(?:registerCommand\(\s*services,|\bon\(|\b(?:register|add)\()\s*$/;
    const isUsed = (id: string) =>
      texts.includes(`command:${id}`) ||
      sources
        .split(`'${id}'`)
        .slice(0, -1)
        .some((before) => !registered.test(before.slice(-80)));
    const others = [
      // For other extensions.
      'inferenceDesk.findByMeaning.run',
      // For keys that users have bound to them; other commands do the same.
      'inferenceDesk.complete.hideTokens',
    ];
    deepEqual(
      commands.filter(
        ({ id, when }) => when === 'false' && !others.includes(id) && !inMenus.has(id) && !keys.has(id) && !isUsed(id),
      ),
      [],
    );
  });

  it('add up to two entries to the context menus of other parts of VS Code', () => {
    for (const menu of ['editor/context', 'explorer/context', 'terminal/context', 'editor/title/context']) {
      const items = menus[menu] ?? [];
      ok(items.length > 0 && items.length <= 2, `${menu}: ${items.length}`);
      ok(
        items.every(({ submenu }) => submenu !== undefined),
        menu,
      );
    }
  });
});

describe('texts that name a command', () => {
  it('use its title from the manifest, or name an existing one', () => {
    const texts = [...localizedTexts('src'), ...localizedTexts('webview')];
    const quoted = texts.flatMap((text) => [...text.matchAll(/["“]([A-Z][\w'-]*(?: [\w'-]+)+)…?["”]/g)]);
    deepEqual(
      quoted
        .map(([, name = '']) => name)
        .filter((name) => isTitleCase(name) && !otherTitles.includes(name) && !titles.has(name)),
      [],
    );
    deepEqual(
      texts.filter((text) => /Inference Desk: [A-Z]\w+ /.test(text) && !text.startsWith('Inference Desk: ')),
      [],
    );
  });

  it('name an existing one in the settings, the walkthrough, and the README', () => {
    const documents = [...globSync('{README.md,media/readme/*.md}')].map((file) => readFileSync(file, 'utf8'));
    const named = [...Object.values(english), ...documents].flatMap((text) => [
      ...text.matchAll(/Inference Desk: ([A-Z][\w',-]*(?: [\w',-]+)*)/g),
    ]);
    ok(named.length > 0);
    deepEqual(
      named.map(([, name = '']) => name).filter((name) => ![...titles].some((title) => name.startsWith(title))),
      [],
    );
  });

  it('name an existing one in the README of the samples', () => {
    const named = [
      ...readFileSync('media/samples/README.md', 'utf8').matchAll(/\*\*(?:Inference Desk(?::| >) )?([^*]+)\*\*/g),
    ];
    ok(named.length > 5);
    deepEqual(
      named.map(([, name = '']) => name.replace(/…$/, '')).filter((name) => !titles.has(name)),
      [],
    );
  });
});

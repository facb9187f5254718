import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pseudoText } from '../support/pseudoText.ts';
import { root } from './places.ts';

/** The language tag that VS Code uses for a pseudo language. */
export const pseudoLanguage = 'qps-ploc';

type Words = Readonly<Record<string, string>>;

const read = (file: string): Words => JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Words;

/** Builds the extension with an additional language in which every translatable text is marked. Returns the new folder. */
export function makePseudoExtension(): string {
  const folder = path.join(root, 'dist/test/pseudoExtension');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', ...readdirSync(root).filter((file) => file.startsWith('package.nls.'))])
    cpSync(path.join(root, name), path.join(folder, name));
  cpSync(path.join(root, 'media'), path.join(folder, 'media'), { recursive: true });
  mkdirSync(path.join(folder, 'dist/l10n'), { recursive: true });
  for (const name of readdirSync(path.join(root, 'dist'))) {
    if (!/^(c|.*\.(js|css|ttf|d\.ts))$/.test(name)) continue;
    cpSync(path.join(root, 'dist', name), path.join(folder, 'dist', name), { recursive: true });
  }
  // Packages that a development build leaves external are resolved from there.
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const write = (file: string, words: Words) => writeFileSync(path.join(folder, file), JSON.stringify(words));
  write(`package.nls.${pseudoLanguage}.json`, pseudoWords(Object.entries(read('package.nls.json'))));
  // The keys of a translation, which a unit test compares with the code.
  for (const part of ['bundle', 'pages']) {
    const said = Object.keys(read(`dist/l10n/${part}.l10n.zh-cn.json`));
    write(`dist/l10n/${part}.l10n.${pseudoLanguage}.json`, pseudoWords(said.map((text) => [text, text])));
  }
  return folder;
}

function pseudoWords(words: readonly (readonly [key: string, text: string])[]): Words {
  return Object.fromEntries(words.map(([key, text]) => [key, pseudoText(text)]));
}

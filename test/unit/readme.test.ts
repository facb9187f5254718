import { deepEqual, equal, ok } from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { withSpeed } from '../host/howFast';
import { servicesTable } from '../support/otherServices/whatWorks';

const english = 'README.md';
const chinese = 'media/readme/README.zh-cn.md';
const pages = [english, chinese, '.github/CONTRIBUTING.md'].map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const readme = readFileSync(english, 'utf8');
const manifest = readFileSync('package.json', 'utf8');

/** The IDs that readers of Markdown give to headings. */
const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, head = '']) =>
    head
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Targets of links and pictures, without those on the internet. */
const targetsIn = (text: string): readonly string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset)="([^"]+)"/g)]
    .map(([, link, source]) => link ?? source ?? '')
    .filter((target) => !/^(https?|mailto):/.test(target));

describe('the README', () => {
  it('shows the services as tested, in both languages', () => {
    ok(readme.includes(`<!-- services -->\n\n${servicesTable('en')}\n\n<!-- /services -->`), servicesTable('en'));
    ok(readFileSync(chinese, 'utf8').includes(servicesTable('zh')), servicesTable('zh'));
  });

  it('shows the figures of the last benchmarks', () => {
    equal(readme, withSpeed(readme));
  });

  it('links to its translation in the first line', () => {
    ok(readme.split('\n', 1)[0]?.includes(`](${chinese})`));
    ok(readFileSync(chinese, 'utf8').split('\n', 1)[0]?.includes('](../../README.md)'));
  });

  it('names commands as the Command Palette does, in each language', () => {
    const titlesIn = (file: string) =>
      new Set(Object.values(JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>));
    /** Texts that are emphasized like commands, and end like them or begin with their category. */
    const unknown = (page: string, words: string, emphasized: RegExp) =>
      [...readFileSync(page, 'utf8').matchAll(emphasized)]
        .map(([, text = '']) => text)
        .filter((text) => /^Inference Desk: |…$/.test(text) && !/^(Extensions|扩展): /.test(text))
        .filter((text) => !titlesIn(words).has(text.replace('Inference Desk: ', '')));
    deepEqual(unknown(english, 'package.nls.json', /\*\*([^*]+)\*\*/g), []);
    deepEqual(unknown(chinese, 'package.nls.zh-cn.json', /“([^”]+)”/g), []);
  });

  it('has a script for its images whose folder has tests', () => {
    const kind = /kind: '(\w+)'/.exec(readFileSync('test/host/screenshots.ts', 'utf8'))?.[1];
    ok(readdirSync(`test/${kind}`).some((file) => file.endsWith('.test.ts')));
  });

  it('has a light and a dark version of each image, and no unused ones', () => {
    const shown = targetsIn(readme).filter((target) => target.startsWith('media/readme/') && target.endsWith('.png'));
    const stored = readdirSync('media/readme').filter((file) => file.endsWith('.png'));
    deepEqual(shown.toSorted(), stored.map((file) => `media/readme/${file}`).toSorted());
    const names = (theme: string) => shown.flatMap((file) => file.split(`-${theme}.png`).slice(0, -1));
    deepEqual(names('light'), names('dark'));
  });
});

for (const { file, text } of pages) {
  describe(file, () => {
    it('links to files and headings that exist', () => {
      const missing = targetsIn(text).filter((target) => {
        const [name = '', anchor] = target.split('#');
        const linked = name === '' ? file : path.join(path.dirname(file), name);
        if (!existsSync(linked)) return true;
        return anchor !== undefined && !anchorsOf(readFileSync(linked, 'utf8')).includes(decodeURI(anchor));
      });
      deepEqual(missing, []);
    });

    it('names scripts, files, and settings that exist', () => {
      const { scripts } = JSON.parse(manifest) as { readonly scripts: Readonly<Record<string, string>> };
      const named = [...text.matchAll(/`npm run ([\w:]+)/g)].map(([, script = '']) => script);
      deepEqual(
        named.filter((script) => !(script in scripts)),
        [],
      );
      const files = [...text.matchAll(/`((?:src|webview|test|media)\/[\w./-]+)`/g)].map(([, name = '']) => name);
      // Written by a script.
      const generated = new Set(['media/l10n/bundle.l10n.json']);
      deepEqual(
        files.filter((name) => !existsSync(name) && !generated.has(name)),
        [],
      );
      const all = ['src', 'webview', 'test'].flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `/${folder}/${name}`),
      );
      const short = [...text.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name = '']) => name);
      deepEqual(
        short.filter((name) => !name.startsWith('dist/') && !all.some((one) => one.endsWith(`/${name}`))),
        [],
      );
      const settings = [...text.matchAll(/`(inferenceDesk\.[\w.]+)`/g)].map(([, name = '']) => name);
      deepEqual(
        [...new Set(settings)].filter((name) => !manifest.includes(`"${name}"`) && !manifest.includes(`"${name}.`)),
        [],
      );
    });
  });
}

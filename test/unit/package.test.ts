import { deepEqual, equal, match, throws } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packagedReadme } from '../host/packagedReadme';
import { bundledPackages, noticeOf, noticesText } from '../host/thirdPartyNotices';

describe('the notices of bundled packages', () => {
  const of = (...inputs: readonly (readonly [string, number])[]) => ({
    outputs: {
      'dist/a.js': { inputs: Object.fromEntries(inputs.map(([name, bytesInOutput]) => [name, { bytesInOutput }])) },
    },
  });

  it('name every included package once, and the library of compiled AssemblyScript', () => {
    deepEqual(
      bundledPackages([
        of(['node_modules/zod/v4/mini.js', 10], ['node_modules/zod/v4/core.js', 10], ['src/extension.ts', 5]),
        of(['node_modules/@vscode/l10n/dist/main.js', 10], ['node_modules/diff/index.js', 0]),
        of(['node_modules/a/node_modules/b/index.js', 1], ['assembly:/x/scanner.ts', 9]),
      ]),
      ['node_modules/@vscode/l10n', 'node_modules/a/node_modules/b', 'node_modules/assemblyscript', 'node_modules/zod'],
    );
  });

  it('contain the license of each, and the location of its source', () => {
    const text = noticesText(['node_modules/mediabunny', 'node_modules/@vscode/l10n'].map(noticeOf));
    match(
      text,
      /mediabunny \d[\d.]* \(MPL-2\.0\)\nhttps:\/\/github\.com\/Vanilagy\/mediabunny\n\nMozilla Public License 2\.0: https:\/\/mozilla\.org\/MPL\/2\.0\//,
    );
    // Its package has the name of a license alone.
    match(text, /@vscode\/l10n [\d.]+ \(MIT\)\nhttps:\S+\nCopyright \(c\) .+\n\nPermission is hereby/);
  });

  it('contain shared licenses once, each package with its own copyright', () => {
    const text = noticesText(['node_modules/ms', 'node_modules/zod', 'node_modules/jsonc-parser'].map(noticeOf));
    equal(text.match(/Permission is hereby granted/g)?.length, 1);
    equal(text.match(/^Copyright \(c\)/gm)?.length, 3);
  });

  it("aren't written without the license of one", () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'package-'));
    writeFileSync(path.join(folder, 'package.json'), '{ "name": "odd", "version": "1.0.0", "license": "MPL-2.0" }');
    throws(() => noticeOf(folder), /odd is in the package and brings no text of its license/);
    rmSync(folder, { recursive: true });
  });
});

describe('the README in the package', () => {
  const picture = (folder: string) =>
    `<picture>\n  <source srcset="${folder}a-dark.png">\n  <img alt="A" src="${folder}a-light.png">\n</picture>`;
  const english = (more = '') => ({
    file: 'README.md',
    text: `[简体中文](media/readme/README.zh-cn.md)\n\n# Title\n\n${picture('media/readme/')}\n\nSee [the log](#log), [the file](src/a.ts) and [a page](https://a.example/).\n${more}`,
  });
  const chinese = {
    file: 'media/readme/README.zh-cn.md',
    text: `[English](../../README.md)\n\n# Title\n\n${picture('')}\n\n见[日志](#日志)和[英文](../../README.md#log)。\n`,
  };

  it('contains both languages, with links that work in VS Code and without broken images', () => {
    equal(
      packagedReadme(english(), chinese),
      '[简体中文](#简体中文)\n\n# Title\n\nSee [the log](#log), the file and [a page](https://a.example/).\n\n---\n\n# 简体中文\n\n见[日志](#日志)和英文。\n',
    );
  });

  it('omits sections for contributors, and keeps the text of links to them', () => {
    const more = '\nSee [them](#contributing).\n\n## Contributing\n\n| x |\n\n## Log\n\n<!-- table -->\n\n| y |\n';
    const [, rest] = packagedReadme(english(more), chinese).split('page](https://a.example/).\n');
    match(rest ?? '', /^\nSee them\.\n\n## Log\n\n\| y \|\n\n---\n/);
  });

  it('shows the images of a published folder', () => {
    const shown = packagedReadme(english(), chinese, 'https://a.example/v1/');
    equal(shown.match(/srcset="https:\/\/a\.example\/v1\/media\/readme\/a-dark\.png"/g)?.length, 2);
    equal(shown.match(/ src="https:\/\/a\.example\/v1\/media\/readme\/a-light\.png"/g)?.length, 2);
  });

  it('has unique heading IDs, so links lead to the right language', () => {
    const [readme, translated] = ['README.md', 'media/readme/README.zh-cn.md'].map((file) => ({
      file,
      text: readFileSync(file, 'utf8'),
    }));
    const heads = [...packagedReadme(readme!, translated!).matchAll(/^#+ (.+)$/gm)].map(([, head]) => head);
    deepEqual(heads.length, new Set(heads).size);
  });
});

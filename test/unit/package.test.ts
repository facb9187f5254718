import { deepEqual, equal, match, throws } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packagedReadme } from '../host/packagedReadme';
import { bundledPackages, noticeOf, noticesText } from '../host/thirdPartyNotices';

describe('the notices of what is bundled', () => {
  const of = (...inputs: readonly (readonly [string, number])[]) => ({
    outputs: {
      'dist/a.js': { inputs: Object.fromEntries(inputs.map(([name, bytesInOutput]) => [name, { bytesInOutput }])) },
    },
  });

  it('name every package of which something is left, once, and the library of compiled AssemblyScript', () => {
    deepEqual(
      bundledPackages([
        of(['node_modules/zod/v4/mini.js', 10], ['node_modules/zod/v4/core.js', 10], ['src/extension.ts', 5]),
        of(['node_modules/@vscode/l10n/dist/main.js', 10], ['node_modules/diff/index.js', 0]),
        of(['node_modules/a/node_modules/b/index.js', 1], ['assembly:/x/scanner.ts', 9]),
      ]),
      ['node_modules/@vscode/l10n', 'node_modules/a/node_modules/b', 'node_modules/assemblyscript', 'node_modules/zod'],
    );
  });

  it('hold the license of each, and where its source is', () => {
    const text = noticesText(['node_modules/mediabunny', 'node_modules/@vscode/l10n'].map(noticeOf));
    match(
      text,
      /mediabunny \d[\d.]* \(MPL-2\.0\)\nhttps:\/\/github\.com\/Vanilagy\/mediabunny\n\nMozilla Public License 2\.0: https:\/\/mozilla\.org\/MPL\/2\.0\//,
    );
    // Its package has the name of a license alone.
    match(text, /@vscode\/l10n [\d.]+ \(MIT\)\nhttps:\S+\nCopyright \(c\) .+\n\nPermission is hereby/);
  });

  it('say once what several packages say, each with its own copyright', () => {
    const text = noticesText(['node_modules/ms', 'node_modules/zod', 'node_modules/jsonc-parser'].map(noticeOf));
    equal(text.match(/Permission is hereby granted/g)?.length, 1);
    equal(text.match(/^Copyright \(c\)/gm)?.length, 3);
  });

  it('are not written without the license of one', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'package-'));
    writeFileSync(path.join(folder, 'package.json'), '{ "name": "odd", "version": "1.0.0", "license": "MPL-2.0" }');
    throws(() => noticeOf(folder), /odd is in the package and brings no text of its license/);
    rmSync(folder, { recursive: true });
  });
});

describe('the README in the package', () => {
  const picture =
    '<picture>\n  <source srcset="media/readme/a-dark.png">\n  <img alt="A" src="media/readme/a-light.png">\n</picture>';
  const text = `# Title\n\n${picture}\n\nSee [the log](#log), [the file](src/a.ts) and [a page](https://a.example/).\n`;

  it('has no picture that cannot be shown, and no link that leads nowhere', () => {
    equal(packagedReadme(text), '# Title\n\nSee [the log](#log), the file and [a page](https://a.example/).\n');
  });

  it('leaves out what the editor lists itself, and what is for contributors; links to that keep their words', () => {
    const long =
      '# Title\n\n[a](#a) · [Settings](#settings)\n\n## A\n\nSee [them](#settings).\n\n## Settings\n\n| x |\n\n## B\n';
    equal(packagedReadme(long), '# Title\n\n[a](#a)\n\n## A\n\nSee them.\n\n## B\n');
  });

  it('has its pictures where they are published', () => {
    const shown = packagedReadme(text, 'https://a.example/v1/');
    match(shown, /srcset="https:\/\/a\.example\/v1\/media\/readme\/a-dark\.png"/);
    match(shown, /src="https:\/\/a\.example\/v1\/media\/readme\/a-light\.png"/);
  });
});

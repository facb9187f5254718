import { deepEqual, equal, ok } from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { speedCharts } from '../host/howFast';
import { withTables } from '../host/readmeTables';

const text = readFileSync('README.md', 'utf8');
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

describe('the README', () => {
  it('has the settings and commands of the manifest: npm run readme writes them', () => {
    equal(text, withTables(text));
  });

  it('says of speed what was measured last, and has the charts of it: npm run readme writes them', () => {
    const charts = [...speedCharts()];
    ok(charts.length > 0);
    for (const [file, chart] of charts) {
      equal(readFileSync(file, 'utf8'), chart);
      ok(text.includes(`"${file}"`), file);
    }
  });

  it('shows pictures that are there, in a light and a dark form', () => {
    const files = [...text.matchAll(/\b(?:src|srcset)="(media\/readme\/[^"]+)"/g)].map(([, file = '']) => file);
    ok(files.length > 0);
    deepEqual(
      files.filter((file) => !existsSync(file)),
      [],
    );
    const names = (theme: string) =>
      files.flatMap((file) =>
        file.replace(/\.\w+$/, '').endsWith(`-${theme}`) ? file.replace(`-${theme}.`, '.') : [],
      );
    deepEqual(names('light'), names('dark'));
  });

  it('names scripts, files and places that are there', () => {
    const scripts = [...text.matchAll(/`npm run ([\w:]+)/g)].map(([, script = '']) => script);
    deepEqual(
      scripts.filter((script) => !(script in manifest.scripts)),
      [],
    );
    const files = [...text.matchAll(/`((?:src|webview|test|media)\/[\w./-]+)`/g)].map(([, file = '']) => file);
    deepEqual(
      files.filter((file) => !existsSync(file)),
      // Written by a script.
      ['media/l10n/bundle.l10n.json'].filter((file) => !existsSync(file)),
    );
    const all = ['src', 'webview', 'test'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `/${folder}/${file}`),
    );
    const short = [...text.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, file = '']) => file);
    deepEqual(
      short.filter((file) => !file.startsWith('dist/') && !all.some((one) => one.endsWith(`/${file}`))),
      [],
    );
    const heads = [...text.matchAll(/^#+ (.+)$/gm)].map(([, head = '']) => head.toLowerCase().replaceAll(' ', '-'));
    const links = [...text.matchAll(/\]\(#([\w-]+)\)/g)].map(([, link = '']) => link);
    deepEqual(
      links.filter((link) => !heads.includes(link)),
      [],
    );
  });

  it('names settings that are there', () => {
    const declared = readFileSync('package.json', 'utf8');
    const named = [...text.matchAll(/`inferenceDesk\.([\w.]+)`/g)].map(([, name = '']) => `inferenceDesk.${name}`);
    deepEqual(
      [...new Set(named)].filter((name) => !declared.includes(`"${name}"`) && !declared.includes(`"${name}.`)),
      [],
    );
  });
});

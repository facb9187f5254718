import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SetupError } from './command.ts';

/** esbuild's metadata of a build: which bytes of which source are in which output. */
export interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  /** Older packages use this property. */
  readonly licenses?: readonly { readonly type: string }[];
  readonly author?: string | { readonly name?: string };
  readonly homepage?: string;
  readonly repository?: string | { readonly url?: string };
}

export interface Notice {
  /** Name and version. */
  readonly title: string;
  readonly license: string;
  /** The location of its source. */
  readonly source: string;
  /** Its license and notices, verbatim, except for long terms that have a URL. */
  readonly text: string;
}

/** A package can contain packages. A file belongs to the innermost one. */
const packagePattern = /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** Returns the folders of packages that are part of the outputs. Output of AssemblyScript includes its library. */
export function bundledPackages(metafiles: readonly Metafile[]): readonly string[] {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap((output) =>
      Object.entries(output.inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? input : [])),
    ),
  );
  const folders = inputs.flatMap((input) =>
    input.startsWith('assembly:') ? 'node_modules/assemblyscript' : (packagePattern.exec(input)?.[1] ?? []),
  );
  return [...new Set(folders)].toSorted();
}

function sourceOf({ repository, homepage, name }: Manifest): string {
  const url = typeof repository === 'string' ? repository : repository?.url;
  if (url === undefined) return homepage ?? `https://www.npmjs.com/package/${name}`;
  const plain = url
    .replace(/^git\+/, '')
    .replace(/^git:/, 'https:')
    .replace(/\.git$/, '');
  return /^[\w-]+\/[\w.-]+$/.test(plain) ? `https://github.com/${plain}` : plain;
}

/** Returns the standard license text for packages that name a license without its text. */
function usualText({ name, license, author }: Manifest): string {
  if (license !== 'MIT') throw new SetupError(`${name} is in the package and brings no text of its license.`);
  const holder = typeof author === 'string' ? author : author?.name;
  return `MIT License\n\nCopyright (c) ${holder ?? `the authors of ${name}`}\n\n${mit}`;
}

const shortened = (text: string): string =>
  addressed.reduce((left, [terms, words]) => left.replace(terms, words), text);

/** Returns a package's own notices and those for code from others. */
export function noticeOf(folder: string): Notice {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
  // If there are two licenses to choose from, the first file is the one we choose.
  const files = readdirSync(folder).filter(
    (name) =>
      /^(licen[cs]e|copying|notice)\b/i.test(name) && !(/ OR /.test(manifest.license ?? '') && /-MPL/.test(name)),
  );
  const texts = files.toSorted().map((name) => readFileSync(path.join(folder, name), 'utf8').trim());
  return {
    title: `${manifest.name} ${manifest.version}`,
    license: manifest.license ?? manifest.licenses?.map(({ type }) => type).join(', ') ?? 'see below',
    source: sourceOf(manifest),
    text: texts.length > 0 ? shortened(texts.join('\n\n')) : usualText(manifest),
  };
}

const copyright = /^\s*copyright\s+(?:\(c\)|©|\d)/i;
/** Long terms that several packages contain verbatim are printed once, at the end. */
const apache = /^ *Apache License\s+Version 2\.0, January 2004[\s\S]*?END OF TERMS AND CONDITIONS/m;

/** Long terms that can be referenced by URL: https://www.mozilla.org/MPL/2.0/ (3.1), CC BY 4.0 (3(a)(1)(C)). */
const addressed: readonly (readonly [terms: RegExp, words: string])[] = [
  [/Mozilla Public License Version 2\.0[\s\S]*/, 'Mozilla Public License 2.0: https://mozilla.org/MPL/2.0/'],
  [
    /Attribution 4\.0 International[\s\S]*?Creative Commons may be contacted at creativecommons\.org\./,
    'Creative Commons Attribution 4.0 International: https://creativecommons.org/licenses/by/4.0/legalcode',
  ],
];

const isOwn = (line: string): boolean => copyright.test(line) || /^\s*(?:the )?(?:mit|isc) license\b/i.test(line);

/** Groups packages with the same text, each with its own copyright. */
export function noticesText(notices: readonly Notice[]): string {
  const byWords = new Map<string, { readonly heads: string[]; readonly body: string }>();
  const terms = notices.map(({ text }) => apache.exec(text)?.[0]).find((found) => found !== undefined);
  for (const { title, license, source, text } of notices) {
    const lines = text.replace(apache, '(The Apache License 2.0, at the end of this file.)').split(/\r?\n/);
    const body = lines
      .filter((line) => !isOwn(line))
      .join('\n')
      .trim();
    const words = body.toLowerCase().replaceAll(/[^a-z0-9]+/g, ' ');
    const group = byWords.get(words) ?? { heads: [], body };
    const own = lines.filter((line) => copyright.test(line)).map((line) => line.trim());
    group.heads.push([`${title} (${license})`, source, ...own].join('\n'));
    byWords.set(words, group);
  }
  const parts = [...byWords.values()].map(({ heads, body }) => [...heads, body].join('\n\n'));
  return `${[head, ...parts, ...(terms === undefined ? [] : [terms])].join(`\n\n${'-'.repeat(78)}\n\n`)}\n`;
}

const head = `Third-party notices

This extension contains code of the packages below, under their licenses. It is minified, and parts that nothing uses
are left out. The source of each is at the address below its name.`;

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

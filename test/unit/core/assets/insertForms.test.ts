import { deepEqual, equal, match, ok } from 'node:assert/strict';
import path from 'node:path';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { parseSync } from 'oxc-parser';
import { altTextFrom, oneLine } from '../../../../src/core/assets/altText';
import {
  importNameOf,
  insertFormsFor,
  insertText,
  type InsertForm,
  type Inserted,
} from '../../../../src/core/assets/insertForms';
import { referenceTo } from '../../../../src/core/assets/insertReference';

/** What breaks forms: quotes, brackets, spaces, marks of each language, other scripts, and what is not seen. */
const pieces = [
  ...Array.from(`"'()[]{}<>&\`*_|~$#%^\\/!;:,=+ \t\n a1é漢🦊`),
  '`a`',
  '*a*',
  '**a**',
  '_a_',
  '<b>',
  '&amp;',
  '~~a~~',
  '![',
  '[a](b)',
  '\u2028',
  '\u202e',
  '](',
  '--',
  '${',
  '{{',
  '</',
  ':]',
];
const troubled = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join(''));
/** Names a disk can hold. */
const segment = (forbidden: RegExp) =>
  troubled.map((text) => text.replaceAll(forbidden, '').trim()).filter((text) => text !== '' && !/^\.+$/.test(text));
const posixSegment = segment(/[/\p{Cc}]/gu);
const windowsSegment = segment(/[\\/:*?"<>|\p{Cc}]/gu);

const inserted = (of: Partial<Inserted> = {}): Inserted => ({
  kind: 'image',
  name: 'fox-0123456789ab.png',
  reference: referenceTo('/w/made/fox-0123456789ab.png', '/w', 'linux'),
  alt: 'A fox',
  width: 1024,
  height: 768,
  ...of,
});
const inFolder = (segments: readonly string[]) => referenceTo(path.posix.join('/w', ...segments), '/w', 'linux');

describe('the inserted reference to a file', () => {
  it("leads from the document's folder to the file, encoded or not", () => {
    fc.assert(
      fc.property(
        fc.array(posixSegment, { maxLength: 4 }),
        fc.array(posixSegment, { minLength: 1, maxLength: 4 }),
        (from, to) => {
          const folder = path.posix.join('/', ...from);
          const file = path.posix.join('/', ...to);
          const reference = referenceTo(file, folder, 'linux');
          if (!reference.isRelative) return equal(folder.startsWith(file), true);
          equal(path.posix.join(folder, reference.path), file);
          equal(decodeURIComponent(new URL(reference.url, `http://h${encodeFolder(folder)}/`).pathname), file);
          return match(reference.url, /^[\w.~%/-]*$/);
        },
      ),
    );
  });

  it('has forward slashes on Windows, and is a file URL from one drive to another', () => {
    const windows = 'win32';
    fc.assert(
      fc.property(fc.array(windowsSegment, { minLength: 1, maxLength: 4 }), (to) => {
        const file = path.win32.join('C:\\', ...to);
        const near = referenceTo(file, 'c:\\other', windows);
        ok(near.isRelative && !near.path.includes('\\'));
        const far = referenceTo(file, 'D:\\other', windows);
        equal(far.path, file.replaceAll('\\', '/'));
        equal(decodeURIComponent(new URL(far.url).pathname), `/${far.path}`);
      }),
    );
    const share = referenceTo(String.raw`\\server\my share\a b.png`, 'C:\\', windows);
    deepEqual([share.url, share.isRelative], ['file://server/my%20share/a%20b.png', false]);
  });

  it('is absolute if the document has no folder', () => {
    deepEqual(referenceTo('/a b/c.png', undefined, 'linux'), {
      path: '/a b/c.png',
      url: 'file:///a%20b/c.png',
      isRelative: false,
    });
  });
});

function encodeFolder(folder: string): string {
  return folder === '/' ? '' : folder.split('/').map(encodeURIComponent).join('/');
}

describe('the formats for inserting a file', () => {
  const markdown = new MarkdownIt({ html: true });

  it('include Markdown that shows the file and its description, whatever they contain', () => {
    fc.assert(
      fc.property(troubled, fc.array(posixSegment, { minLength: 1, maxLength: 3 }), (alt, to) => {
        const reference = inFolder(to);
        const text = insertText('markdown', inserted({ alt, reference }));
        const [block] = markdown.parse(`see ${text} there`, {}).filter(({ type }) => type === 'inline');
        const image = block?.children?.find(({ type }) => type === 'image');
        ok(image, text);
        equal(markdown.renderer.renderInlineAsText(image.children ?? [], markdown.options, {}), oneLine(alt));
        equal(image.attrGet('src'), reference.url);
      }),
    );
  });

  it('include HTML with correctly quoted attributes', () => {
    fc.assert(
      fc.property(troubled, fc.constantFrom('image', 'video', 'speech'), (alt, kind) => {
        const text = insertText('html', inserted({ alt, kind }));
        const values = [...text.matchAll(/ [\w-]+="([^"]*)"/g)].map(([, value = '']) => value);
        const bare = text.replaceAll(/ [\w-]+="[^"]*"/g, '');
        match(bare, /^(<img \/>|<video controls><\/video>|<audio controls><\/audio>)$/);
        ok(values.every((value) => !/[<>{}']/.test(value)));
        const words = values.map((value) =>
          value.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
        );
        equal(words.includes(oneLine(alt)), kind === 'image' || oneLine(alt) !== '');
      }),
    );
  });

  it('include valid module imports of the exact file', () => {
    fc.assert(
      fc.property(posixSegment, fc.constantFrom('image', 'video', 'speech'), (name, kind) => {
        const text = insertText('import', inserted({ name, kind, reference: inFolder(['x', name]) }));
        const { program, errors } = parseSync('a.ts', text);
        deepEqual(errors, [], text);
        const [statement] = program.body;
        ok(statement?.type === 'ImportDeclaration');
        equal(path.posix.normalize(statement.source.value), path.posix.normalize(`x/${name}`));
        ok(statement.source.value.startsWith('./'));
      }),
    );
  });

  it('name imports by the description of the file', () => {
    const names: readonly (readonly [file: string, name: string])[] = [
      ['red-fox-in-snow-0123456789ab.png', 'redFoxInSnow'],
      ['3-foxes-0123456789ab.png', 'image3Foxes'],
      ['class.png', 'classImage'],
      ['0123456789ab.png', 'image0123456789ab'],
      ['雪の狐-0123456789ab.png', '雪の狐'],
      ['---.png', 'image'],
      ['.png', 'png'],
    ];
    for (const [file, name] of names) equal(importNameOf(file, 'image'), name);
  });

  it('include style sheets with a correctly quoted URL', () => {
    fc.assert(
      fc.property(fc.array(posixSegment, { minLength: 1, maxLength: 3 }), (to) => {
        match(insertText('css', inserted({ reference: inFolder(to) })), /^url\('[^'"()\s\\]+'\)$/);
      }),
    );
  });

  it('include LaTeX with matching braces', () => {
    fc.assert(
      fc.property(troubled, (alt) => {
        const text = insertText('latex', inserted({ alt })).replaceAll(/\\[\\{}#$%&_~^]/g, '');
        equal([...text.matchAll(/\{/g)].length, [...text.matchAll(/\}/g)].length);
        ok(!/[#$%&~^]/.test(text), text);
      }),
    );
  });

  it('include AsciiDoc with the description as one quoted attribute', () => {
    fc.assert(
      fc.property(troubled, (alt) => {
        match(insertText('asciiDoc', inserted({ alt })), /^image::[^[\s]+\["[^"\\{}\n]*",width=1024,height=768\]$/);
      }),
    );
  });

  it('match each language', () => {
    const texts = (form: InsertForm, of: Partial<Inserted> = {}) => insertText(form, inserted(of));
    equal(texts('markdown'), '![A fox](made/fox-0123456789ab.png)');
    equal(texts('markdown', { kind: 'video', alt: '' }), String.raw`[fox-0123456789ab.png](made/fox-0123456789ab.png)`);
    equal(texts('html'), '<img src="made/fox-0123456789ab.png" alt="A fox" width="1024" height="768" />');
    equal(
      texts('html', { alt: '', width: undefined, height: undefined }),
      '<img src="made/fox-0123456789ab.png" alt="" />',
    );
    equal(texts('import'), "import fox from './made/fox-0123456789ab.png';");
    equal(texts('css'), "url('made/fox-0123456789ab.png')");
    equal(texts('latex'), String.raw`\includegraphics[width=\linewidth,alt={A fox}]{made/fox-0123456789ab.png}`);
    equal(texts('restructuredText'), '.. image:: made/fox-0123456789ab.png\n   :alt: A fox');
    equal(texts('asciiDoc', { kind: 'video' }), 'video::made/fox-0123456789ab.png[width=1024,height=768]');
    equal(texts('path'), 'made/fox-0123456789ab.png');
  });

  it("start with those of the language, and exclude those that can't show the file", () => {
    deepEqual(insertFormsFor('markdown', 'image').fitting, ['markdown', 'html', 'path']);
    deepEqual(insertFormsFor('markdown', 'video').fitting, ['html', 'markdown', 'path']);
    deepEqual(insertFormsFor('typescriptreact', 'image').fitting, ['import', 'html', 'path']);
    deepEqual(insertFormsFor('scss', 'video'), {
      fitting: ['path'],
      others: ['markdown', 'html', 'import', 'restructuredText', 'asciiDoc'],
    });
    deepEqual(insertFormsFor('plaintext', 'image').fitting, ['path']);
  });
});

describe('the suggested description of a file', () => {
  it('is one line of the prompt, cut at a word if it is long', () => {
    equal(altTextFrom('  A fox\n in\u202e snow\t '), 'A fox in snow');
    const long = altTextFrom('foxes, '.repeat(40));
    ok(long.length <= 125 && long.endsWith('foxes…'), long);
    equal(Array.from(altTextFrom('雪'.repeat(300))).length, 125);
    fc.assert(
      fc.property(troubled, (prompt) => {
        const alt = altTextFrom(prompt);
        equal(altTextFrom(alt), alt);
      }),
    );
  });
});

import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  createSpanFinder,
  SlowPatternError,
  createLineIndex,
  snippetsAround,
  createTextPattern,
} from '../../../../src/core/search/textSearch';
import { areUsableGlobs, isQuickGlob, toGlobs } from '../../../../src/core/search/searchGlobs';
import type { TextQuery } from '../../../../src/core/search/textSearch';

describe('search in a text', () => {
  const found = (query: TextQuery, text: string, most = 100) =>
    createSpanFinder(createTextPattern(query))(text, most).map(({ start, end }) => text.slice(start, end));

  it('finds plain text in any case, unless case matters', () => {
    assert.deepEqual(found({ text: 'über' }, 'ÜBER all, über nichts'), ['ÜBER', 'über']);
    assert.deepEqual(found({ text: 'über', isCaseSensitive: true }, 'ÜBER all, über nichts'), ['über']);
  });

  it('treats special characters literally, and a line end as either kind', () => {
    assert.deepEqual(found({ text: 'a.b(c)' }, 'axb(c) a.b(c)'), ['a.b(c)']);
    assert.deepEqual(found({ text: 'one\ntwo' }, 'one\r\ntwo one\ntwo'), ['one\r\ntwo', 'one\ntwo']);
  });

  it('finds every text by itself', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), fc.string(), (text, around) => {
        const inside = text.replaceAll(/\r?\n/g, '\n');
        assert.ok(found({ text: inside, isCaseSensitive: true }, around + inside + around).length > 0);
      }),
    );
  });

  it('supports expressions by line, also with unnecessary escapes', () => {
    assert.deepEqual(found({ text: String.raw`^\w+$`, isRegExp: true }, 'one\ntwo words\nthree'), ['one', 'three']);
    assert.deepEqual(found({ text: String.raw`a\-b`, isRegExp: true }, 'a-b'), ['a-b']);
    assert.throws(() => found({ text: '(', isRegExp: true }, 'x'), SyntaxError);
  });

  it('skips empty matches, and stops at the limit', () => {
    assert.deepEqual(found({ text: 'x*', isRegExp: true }, 'axxbx'), ['xx', 'x']);
    assert.equal(found({ text: 'a' }, 'a'.repeat(50), 7).length, 7);
  });

  it("abandons an expression that doesn't finish, and continues to work", () => {
    const find = createSpanFinder(createTextPattern({ text: '(a+)+$', isRegExp: true }), 50);
    assert.throws(() => find(`${'a'.repeat(40)}b`, 10), SlowPatternError);
    assert.equal(find('aaa', 10).length, 1);
  });
});

describe('lines of a text', () => {
  it('locates an offset with every kind of line ending', () => {
    const lines = createLineIndex('ab\r\nc\rd\n\ne');
    assert.equal(lines.count, 5);
    assert.deepEqual(lines.placeOf(0), { line: 0, character: 0 });
    assert.deepEqual(lines.placeOf(4), { line: 1, character: 0 });
    assert.deepEqual(lines.placeOf(10), { line: 4, character: 1 });
    assert.equal(lines.textOf(1, 2), 'c\rd');
    assert.equal(lines.textOf(4, 4), 'e');
  });
});

describe('snippets around matches', () => {
  const text = Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n');
  const spanOf = (word: string) => ({ start: text.indexOf(word), end: text.indexOf(word) + word.length });

  it('include surrounding lines, up to the edges of the text', () => {
    const [first, second] = snippetsAround(text, [spanOf('line 1'), spanOf('line 19')], 2);
    assert.deepEqual([first?.firstLine, first?.lastLine, first?.text], [0, 3, 'line 0\nline 1\nline 2\nline 3']);
    assert.deepEqual([second?.firstLine, second?.text], [17, 'line 17\nline 18\nline 19']);
    assert.deepEqual(second?.places, [{ start: { line: 19, character: 0 }, end: { line: 19, character: 7 } }]);
  });

  it('are merged if their lines meet', () => {
    const snippets = snippetsAround(text, [spanOf('line 5'), spanOf('line 7'), spanOf('line 12')], 1);
    assert.deepEqual(
      snippets.map(({ firstLine, lastLine, places }) => [firstLine, lastLine, places.length]),
      [
        [4, 8, 2],
        [11, 13, 1],
      ],
    );
  });

  it('are empty without matches', () => assert.deepEqual(snippetsAround(text, [], 3), []));
});

describe('typed file patterns', () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    '': [],
    ' , ': [],
    '*.ts': ['**/*.ts'],
    src: ['**/src', '**/src/**'],
    './src/': ['**/src/**'],
    'src/core/': ['src/core/**'],
    'src/**': ['src/**'],
    '*.{ts,tsx}, docs/*.md': ['**/*.{ts,tsx}', '**/*.{ts,tsx}/**', 'docs/*.md'],
  };
  for (const [typed, globs] of Object.entries(cases)) {
    it(`are parsed from “${typed}”`, () => {
      assert.deepEqual(toGlobs(typed), globs);
      assert.ok(globs.every(isQuickGlob));
    });
  }

  it('are passed to VS Code only if it handles them quickly', () => {
    const slow = ['**/*a*a*a*b', '{a,{b,{c,d}}}', '**/a/**/a/**/a/**/b', '???*', 'a'.repeat(500), '{'.repeat(300)];
    assert.deepEqual(slow.filter(isQuickGlob), []);
    assert.ok(areUsableGlobs('src/**, *.md'));
    assert.ok(!areUsableGlobs(`src/**, ${'a'.repeat(500)}`));
  });
});

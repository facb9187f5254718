import assert from 'node:assert/strict';
import fc from 'fast-check';
import ignore from 'ignore';
import { createGitignore, readIgnoreFile } from '../../../../src/core/workspace/gitignore';
import { quickest } from '../../../support/quickest';
import { runs, seedOf } from '../../../support/runs';

describe('a path checked against Git rules', () => {
  const isIgnored = createGitignore([
    readIgnoreFile('packages/a', '!keep.log\n/local\n'),
    readIgnoreFile('', 'node_modules/\n*.log\n/dist\n# a comment\n'),
  ]);
  const cases: Readonly<Record<string, boolean>> = {
    'src/index.ts': false,
    'a.log': true,
    'deep/below/b.log': true,
    'packages/a/keep.log': false,
    'packages/b/keep.log': true,
    'dist/main.js': true,
    'packages/a/dist/main.js': false,
    'packages/a/local/file.ts': true,
    'local/file.ts': false,
    'node_modules/x/index.js': true,
    'packages/a/node_modules/x/keep.log': true,
  };
  for (const [path, expected] of Object.entries(cases)) {
    it(`${expected ? 'is' : 'is not'} ignored: ${path}`, () => assert.equal(isIgnored(path), expected));
  }

  it('matches a character class', () => {
    const byClass = createGitignore([readIgnoreFile('', 'key[[:digit:]]\n/[[:alpha:]]_private/\n!key[[:punct:]5]\n')]);
    const paths = ['key1', 'a/KEY2', 'key5', 'keys', 'b_private/x', '1_private/x'];
    assert.deepEqual(paths.filter(byClass), ['key1', 'a/KEY2', 'b_private/x']);
  });

  const classes: Readonly<Record<string, readonly string[]>> = {
    '[a/b]x': ['ax', 'bx'],
    '[--a]': ['.', '7', 'b', 'Q'],
    '[c-a]y': ['cy'],
  };
  for (const [line, ignored] of Object.entries(classes)) {
    it(`matches like in Git: ${line}`, () => {
      const own = createGitignore([readIgnoreFile('', line)]);
      assert.deepEqual(['ax', 'bx', 'dir/ax', 'cy', 'ay', '.', '7', 'b', 'Q', '~'].filter(own), ignored);
    });
  }

  it('stays ignored in an ignored folder, whatever a file in that folder says', () => {
    const within = createGitignore([readIgnoreFile('', 'out/'), readIgnoreFile('out', '!kept.txt')]);
    assert.equal(within('out/kept.txt'), true);
  });

  const name = fc.constantFrom('a', 'b', 'ab', 'a.b', '.a', 'B', '{a,b}', '#a', '!b', 'a b');
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
  const part = fc.oneof(
    { weight: 3, arbitrary: name.filter((one) => !/^[#!]/.test(one)) },
    fc.constantFrom('*', '**', 'a*', '*b', '?', 'a?b', '[ab]', '[!a]', 'a**b', '{a,b}', String.raw`\a`, '*.*'),
  );
  const rule = fc
    .tuple(
      fc.constantFrom('', '', '', '!', '/', '!/', '#', String.raw`\#`, String.raw`\!`),
      fc.array(part, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '', '/', ' ', '/**', '\r'),
    )
    .map(([start, parts, end]) => `${start}${parts.join('/')}${end}`);
  it('matches like in other readers of such files', () => {
    const files = fc.array(rule, { minLength: 1, maxLength: 5 }).map((rules) => rules.join('\n'));
    fc.assert(
      fc.property(files, fc.array(path, { minLength: 1, maxLength: 10 }), (text, paths) => {
        const theirs = ignore().add(text);
        const own = createGitignore([readIgnoreFile('', text)]);
        assert.deepEqual(
          paths.filter(own),
          paths.filter((one) => theirs.ignores(one)),
        );
      }),
      { seed: seedOf(20_261_130), numRuns: runs(1500, 5000) },
    );
  });

  it('is checked within 50 ms, however many folders a line names', () => {
    const file = () => readIgnoreFile('', `${'**/a/'.repeat(7)}b`);
    const took = quickest(() => assert.equal(createGitignore([file()])(`${'a/'.repeat(50)}c`), false), 50);
    assert.ok(took < 50, `${took} ms`);
  });

  it('is checked within 50 ms against a file with unclosed classes', () => {
    const text = '[[:'.repeat(15_000);
    const took = quickest(() => assert.equal(createGitignore([readIgnoreFile('', text)])('a'), false), 50);
    assert.ok(took < 50, `${took} ms`);
  });

  it('is checked within 50 ms for any line', () => {
    const lines = fc
      .array(fc.constantFrom('*a', '?', '**/', '[ab]', '*', 'a/', '**/a/', '*?a', '{a,'), {
        minLength: 20,
        maxLength: 200,
      })
      .map((parts) => `*a${parts.join('')}*b`);
    const paths = ['a'.repeat(255), `${'ab/'.repeat(30)}a`];
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 3 }), (text) => {
        for (const one of paths) {
          const took = quickest(() => void createGitignore([readIgnoreFile('', text.join('\n'))])(one), 50);
          assert.ok(took < 50, `${took} ms for ${text.join('\n')}`);
        }
      }),
      { seed: seedOf(20_261_130), numRuns: runs(300, 1000) },
    );
  }).timeout(60_000);

  it("isn't ignored without rules", () => assert.equal(createGitignore([])('a/b'), false));
});

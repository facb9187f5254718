import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { lineAfter, lineBefore } from '../../../../src/core/ghostText/cursorContext';
import type { CursorContext } from '../../../../src/core/ghostText/cursorContext';
import { isEnough, mostLines, trimSuggestion } from '../../../../src/core/ghostText/trim';

/** The cursor is where the bar stands. */
function at(text: string): CursorContext {
  const [before = '', after = ''] = text.split('|');
  return { before, after };
}

/** The same for places that contain markers with bars in them: the cursor is where the only bar between other characters stands. */
function cursorAt(text: string): CursorContext {
  const cursor = text.search(/(?<!<)\|(?!>)/);
  return { before: text.slice(0, cursor), after: text.slice(cursor + 1) };
}

const cases: readonly (readonly [what: string, place: string, answer: string, suggested: string])[] = [
  ['returns the continuation of a line', 'const a = |', 'b + c;', 'b + c;'],
  ['returns only the rest of a line if text follows the cursor', 'f(|, 2)', '1, 3\nmore', '1, 3'],
  ['is empty if the rest of a line starts with a new line', 'f(|, 2)', '\nmore', ''],
  ['ends a passage at the first blank line', 'if (a) {|', '\n  b();\n}\n\nmore();', '\n  b();\n}'],
  ['ends at a line of spaces, too', 'one|', ' two\n  \nthree', ' two'],
  ['allows one blank line in a block, not two', '|', 'a();\n\nb();\n\n\nc();', 'a();\n\nb();'],
  ['keeps blank lines before a block', '{\n  |', '\n\n  return 1;', 'return 1;'],
  ['removes trailing blanks', 'a |', 'b;  \n', 'b;'],
  ['omits existing indentation', 'def f():\n    |', '    return 1\n    # end', 'return 1\n    # end'],
  ['omits an existing space', 'return |', ' 1;', '1;'],
  ['omits a repeated line', 'const total = |', 'const total = a + b;', 'a + b;'],
  ['omits an existing bracket', 'f(|)', 'a, b)', 'a, b'],
  ['keeps a bracket that closes one of its own', 'f(|)', 'g(a)', 'g(a)'],
  ['omits an end that follows on the next line', 'f() {\n  |\n}\n', 'return 1;\n}', 'return 1;'],
  ['keeps the end of its own block', 'f() {\n  |\n}\n', 'if (a) {\n    b();\n}', 'if (a) {\n    b();\n}'],
  ['ends at the next line of the document', '|\nfunction next() {\n', 'a();\nfunction next() {\n  x', 'a();'],
  ['ends at two short lines of the document', '|\n}\n)\n', 'a();\n}\n)\nb', 'a();'],
  ['is empty for existing text', 'a |= 1;', '= 1;', ''],
  ['is empty if it starts with the next line of the document', '  |\n  return x;\n', 'return x;', ''],
  ['ends at special tokens', 'a |', 'b<|endoftext|>c', 'b'],
  ['ends at special tokens with wide bars', 'a |', 'b<｜fim▁end｜>c', 'b'],
  ["doesn't mistake code for a special token", 'a |', 'b < c && d > e', 'b < c && d > e'],
  ['is empty for an empty response', 'a|', ' \n\t', ''],
  ['keeps letters that match by chance', 'const | = 1', 'name ', 'name'],
  ['keeps a single letter that matches by chance', 'x |n = 2', 'in', 'in'],
];

interface SuggestionCase {
  readonly title: string;
  readonly place: string;
  readonly answer: string;
  readonly suggested: string;
}

const answers = JSON.parse(readFileSync('test/cases/chat/inlineSuggestions.json', 'utf8')) as {
  readonly cases: readonly SuggestionCase[];
};

describe('inline suggestions from real models', () => {
  for (const { title, place, answer, suggested } of answers.cases) {
    it(title, () => assert.equal(trimSuggestion(answer, cursorAt(place)), suggested));
  }

  it('keep fences and sentences in Markdown', () => {
    const answer = 'Here is the command:\n```bash\nnpm ci\n```';
    assert.equal(trimSuggestion(answer, { before: '# Setup\n', after: '', isProse: true }), answer);
  });

  it('keep list markers in Markdown', () => {
    const answer = '+ apples\n+ pears';
    assert.equal(trimSuggestion(answer, { before: 'Fruit:\n\n', after: '', isProse: true }), answer);
  });

  it('keep the numbers of a table without surrounding bars', () => {
    const answer = '1 | one\n2 | two';
    assert.equal(trimSuggestion(answer, { before: 'id | name\n', after: '' }), answer);
  });

  it('are incomplete until the thinking and the fence end', () => {
    const place = cursorAt('x = |\n');
    assert.equal(isEnough('<think>\nFirst.\n\nThen.', place), false);
    assert.equal(isEnough('```python\n', place), false);
    assert.equal(isEnough('```python\n1\n```', place), true);
  });
});

describe('a trimmed suggestion', () => {
  for (const [what, place, answer, suggested] of cases) {
    it(what, () => assert.equal(trimSuggestion(answer, at(place)), suggested));
  }

  it('has the line endings of its document', () => {
    assert.equal(trimSuggestion('\n  a();\n}', at('f() {|\r\n'), '\r\n'), '\r\n  a();\r\n}');
    assert.equal(trimSuggestion('\r\n  a();\r\n}', at('f() {|'), '\n'), '\n  a();\n}');
    assert.equal(trimSuggestion('return 1;\n}', at('f() {\r\n  |\r\n}\r\n'), '\r\n'), 'return 1;');
  });

  it('has a readable length', () => {
    const lines = Array.from({ length: 100 }, (_, line) => `line${line}();`).join('\n');
    assert.equal(trimSuggestion(lines, at('|')).split('\n').length, mostLines);
  });

  const withoutIndents = (whole: string) => whole.replaceAll('\r\n', '\n').replaceAll(/\n[^\S\n]+/g, '\n');
  const piece = fc.constantFrom(
    'a',
    'foo',
    ' ',
    '  ',
    '\n',
    '\n\n',
    '(',
    ')',
    '{',
    '}',
    ';',
    '"',
    '\r\n',
    'é',
    '<|eot|>',
  );
  const text = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''));
  const places = fc.record({ before: text, after: text });

  it('is a part of the response without trailing blanks or existing text', () => {
    fc.assert(
      fc.property(text, places, (answer, place) => {
        const suggested = trimSuggestion(answer, place);
        assert.ok(withoutIndents(answer).includes(withoutIndents(suggested)));
        assert.equal(suggested, suggested.trimEnd());
        assert.ok(suggested === '' || !place.after.replaceAll('\r\n', '\n').startsWith(suggested));
        if (!(place.before + place.after).includes('<|eot|>')) assert.ok(!suggested.includes('<|eot|>'));
        if (lineAfter(place).trim() !== '') assert.ok(!suggested.includes('\n'));
      }),
    );
  });

  it('has only line endings of its document', () => {
    fc.assert(
      fc.property(text, places, (answer, place) => {
        assert.doesNotMatch(trimSuggestion(answer, place, '\r\n'), /(?<!\r)\n|\r(?!\n)/);
        assert.doesNotMatch(trimSuggestion(answer, place, '\n'), /\r/);
      }),
    );
  });

  it('is the same whether or not more text follows', () => {
    fc.assert(
      fc.property(text, text, places, (answer, more, place) => {
        if (!isEnough(answer, place)) return;
        const suggested = trimSuggestion(answer, place);
        // What comes later can only show that an end of it was told again.
        assert.ok(suggested.startsWith(trimSuggestion(answer + more, place)) || suggested === '');
      }),
    );
  });

  it('detects a repeated line with any indentation', () => {
    assert.equal(lineBefore(at('a\r\n\t|')), '\t');
    assert.equal(trimSuggestion('foo();\n\treturn x;\n\tb', at('\t|\n\treturn x;\n')), 'foo();');
  });
});

import { deepEqual, equal, ok } from 'node:assert/strict';
import { possibleSplits, proposeSplit, splitText } from '../../../../src/core/ranking/splitText';
import type { SplitBy } from '../../../../src/core/ranking/textSplit';

const texts = (text: string, by: SplitBy) => splitText(text, by).parts.map((part) => part.text);
const pieces = (text: string, by: SplitBy) => splitText(text, by).parts.map(({ start, end }) => text.slice(start, end));

describe('the parts of a text', () => {
  it('are its lines without blank ones, whatever ends them, and move with their indentation', () => {
    const text = '\uFEFFone\r\n\r\n  two  \n \u2028\rthree\u2028still three';
    deepEqual(texts(text, 'lines'), ['one', 'two', 'three\u2028still three']);
    deepEqual(pieces(text, 'lines'), ['one', '  two  ', 'three\u2028still three']);
  });

  it('are its paragraphs; a blank line within fenced code ends none', () => {
    const code = '```js\na\n\nb\n```';
    deepEqual(texts(`one\ntwo\n\n\n${code}\n \nlast`, 'paragraphs'), ['one\ntwo', code, 'last']);
    deepEqual(texts('``` never ended\n\nb', 'paragraphs'), ['``` never ended', 'b']);
  });

  it('are its list items with what is indented below them, sent without their marks', () => {
    const text = 'Intro\n\n- [x] one\n  - child\n\n  more\n* two\nlazy\n\nOutro\n\n1. three\n   3b\n2. four\n';
    deepEqual(texts(text, 'listItems'), ['one\n- child\n\nmore', 'two\nlazy', 'three\n3b', 'four']);
    deepEqual(pieces(text, 'listItems'), ['[x] one\n  - child\n\n  more', 'two\nlazy', 'three\n   3b', 'four']);
  });

  it('are no list items in rules, in code, in empty markers and under headings', () => {
    const text = '- one\n* * *\n```\n- code\n```\n-\n- two\n## Head\ntext\n';
    deepEqual(texts(text, 'listItems'), ['one', 'two']);
  });

  it('keep the number of an item that names it, and leave one that counts in its place', () => {
    deepEqual(pieces('3. a\n9. b\n5. c', 'listItems'), ['3. a', '9. b', '5. c']);
    deepEqual(texts('3. a\n9. b\n5. c', 'listItems'), ['a', 'b', 'c']);
    deepEqual(pieces('3. a\n4. b', 'listItems'), ['a', 'b']);
    deepEqual(pieces('1. a\n1. b', 'listItems'), ['a', 'b']);
    deepEqual(pieces('1. a\n2. b\n\nText\n\n1. c\n2. d', 'listItems'), ['a', 'b', 'c', 'd']);
  });

  it('are the elements of a JSON array: texts by their value, others compact and as they are written', () => {
    const text =
      '[\n  "a \\"q\\"", // why\n  { "n": 1.50, /* x */ "n": 12345678901234567890, "l": [1, 2,], },\n  null, "", 7,\n]';
    deepEqual(texts(text, 'jsonArray'), ['a "q"', '{"n":1.50,"n":12345678901234567890,"l":[1,2]}', 'null', '7']);
  });

  it('are the sections of the shallowest level that has more than one, each with all below it', () => {
    const text =
      '---\ntitle: x\n---\n# Title\nintro\n## A\na\n### A1\n```\n## no heading\n```\n\n## B\nb\n# Part two of one\nrest\n';
    deepEqual(texts(text, 'sections'), [
      '# Title\nintro\n## A\na\n### A1\n```\n## no heading\n```\n\n## B\nb',
      '# Part two of one\nrest',
    ]);
    deepEqual(texts('# Title\nintro\n\n## A\na\n\n\n## B\n', 'sections'), ['## A\na', '## B']);
    deepEqual(texts('# Only\ntext', 'sections'), ['# Only\ntext']);
    const code = '## A\n~~~\n## in code\n~~~';
    deepEqual(texts(`${code}\n## B`, 'sections'), [code, '## B']);
    deepEqual(texts('One\n===\na\n\nTwo\n===\nb\n- x\n---\n', 'sections'), ['One\n===\na', 'Two\n===\nb\n- x\n---']);
  });

  it('are one: the text without blanks around it', () => {
    deepEqual(texts('\n\n a\n\nb \n\n', 'whole'), [' a\n\nb ']);
  });
});

describe('a text without parts', () => {
  const trouble = (text: string, by: SplitBy) => splitText(text, by).trouble;
  it('says why', () => {
    equal(trouble(' \n\u2028\uFEFF', 'lines'), 'blank');
    equal(trouble('', 'jsonArray'), 'blank');
    equal(trouble('a\0b', 'lines'), 'binary');
    equal(trouble('plain', 'listItems'), 'noListItems');
    equal(trouble('plain', 'sections'), 'noSections');
    equal(trouble('{"a":[1]}', 'jsonArray'), 'notJsonArray');
    equal(trouble('plain', 'jsonArray'), 'notJsonArray');
    equal(trouble('[]', 'jsonArray'), 'emptyJsonArray');
    equal(trouble('["", " "]', 'jsonArray'), 'emptyJsonArray');
    equal(trouble('["a", ', 'jsonArray'), 'brokenJson');
    equal(trouble('["a"] behind', 'jsonArray'), 'brokenJson');
    equal(trouble('['.repeat(200_000), 'jsonArray'), 'brokenJson');
  });
});

describe('the split proposed', () => {
  const list = '- one\n- two\n';
  const sections = '# A\na\n\n# B\nb';
  it('is what a person most likely means', () => {
    equal(proposeSplit('["a", "b"]'), 'jsonArray');
    equal(proposeSplit('["a"]'), 'whole');
    equal(proposeSplit(sections, 'markdown'), 'sections');
    equal(proposeSplit(list), 'listItems');
    equal(proposeSplit(`A long text that says much about very little, and then some more of it:\n${list}`), 'lines');
    equal(proposeSplit('a\nb\n\nc\nd'), 'paragraphs');
    equal(proposeSplit(`${'line\n'.repeat(50)}\nlast`), 'lines');
    equal(proposeSplit('one'), 'whole');
    equal(proposeSplit(''), 'whole');
  });

  it('takes signs of Markdown for nothing in code', () => {
    equal(proposeSplit('# a comment\nx = 1\n\n# b\ny = 2', 'python'), 'paragraphs');
  });

  it('is one of those that are possible, which are told with their counts', () => {
    deepEqual(possibleSplits(list), [
      { by: 'lines', count: 2 },
      { by: 'paragraphs', count: 1 },
      { by: 'listItems', count: 2 },
      { by: 'whole', count: 1 },
    ]);
    deepEqual(possibleSplits(' \n'), []);
    deepEqual(possibleSplits('a\0'), []);
  });
});

describe('50,000 lines', () => {
  it('are split in every way', () => {
    const text = Array.from({ length: 50_000 }, (_, at) => `- item ${at}\r\n`).join('');
    equal(splitText(text, 'lines').parts.length, 50_000);
    equal(splitText(text, 'listItems').parts.length, 50_000);
    equal(splitText(text.replaceAll('\r\n', '\r\n\r\n'), 'paragraphs').parts.length, 50_000);
    equal(splitText(text.replaceAll('- ', '## '), 'sections').parts.length, 50_000);
    equal(splitText(JSON.stringify(text.split('\r\n').slice(0, -1)), 'jsonArray').parts.length, 50_000);
    ok(possibleSplits(text).length > 0);
  });
});

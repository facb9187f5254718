import { deepEqual, equal, ok } from 'node:assert/strict';
import { possibleSplits, proposeSplit, splitText } from '../../../../src/core/ranking/splitText';
import type { SplitBy } from '../../../../src/core/ranking/textSplit';

const texts = (text: string, by: SplitBy) => splitText(text, by).parts.map((part) => part.text);
const pieces = (text: string, by: SplitBy) => splitText(text, by).parts.map(({ start, end }) => text.slice(start, end));

describe('the parts of a text', () => {
  it('are its lines without blank ones, with any line endings, and move with their indentation', () => {
    const text = '\uFEFFone\r\n\r\n  two  \n \u2028\rthree\u2028still three';
    deepEqual(texts(text, 'lines'), ['one', 'two', 'three\u2028still three']);
    deepEqual(pieces(text, 'lines'), ['one', '  two  ', 'three\u2028still three']);
  });

  it('are its paragraphs, and a blank line within fenced code ends none', () => {
    const code = '```js\na\n\nb\n```';
    deepEqual(texts(`one\ntwo\n\n\n${code}\n \nlast`, 'paragraphs'), ['one\ntwo', code, 'last']);
    deepEqual(texts('``` never ended\n\nb', 'paragraphs'), ['``` never ended', 'b']);
  });

  it('are its list items with indented content, sent without their markers', () => {
    const text = 'Intro\n\n- [x] one\n  - child\n\n  more\n* two\nlazy\n\nOutro\n\n1. three\n   3b\n2. four\n';
    deepEqual(texts(text, 'listItems'), ['one\n- child\n\nmore', 'two\nlazy', 'three\n3b', 'four']);
    deepEqual(pieces(text, 'listItems'), ['[x] one\n  - child\n\n  more', 'two\nlazy', 'three\n   3b', 'four']);
  });

  it('exclude rules, code, empty markers, and headings from list items', () => {
    const text = '- one\n* * *\n```\n- code\n```\n-\n- two\n## Head\ntext\n';
    deepEqual(texts(text, 'listItems'), ['one', 'two']);
  });

  it("keep an item's identifying number, and leave ordinal numbers in place", () => {
    deepEqual(pieces('3. a\n9. b\n5. c', 'listItems'), ['3. a', '9. b', '5. c']);
    deepEqual(texts('3. a\n9. b\n5. c', 'listItems'), ['a', 'b', 'c']);
    deepEqual(pieces('3. a\n4. b', 'listItems'), ['a', 'b']);
    deepEqual(pieces('1. a\n1. b', 'listItems'), ['a', 'b']);
    deepEqual(pieces('1. a\n2. b\n\nText\n\n1. c\n2. d', 'listItems'), ['a', 'b', 'c', 'd']);
  });

  it('are its list items with Chinese markers, with or without a space after them', () => {
    const lists = {
      '一、甲\n二、乙\n十一、丙': ['甲', '乙', '丙'],
      '1、甲\n2、乙': ['甲', '乙'],
      '（1）甲\n（2）乙': ['甲', '乙'],
      '（一）甲\n（二） 乙': ['甲', '乙'],
      '①甲\n② 乙\n⑳丙': ['甲', '乙', '丙'],
      '⑴甲\n⑵乙': ['甲', '乙'],
      '1.甲\n2．乙': ['甲', '乙'],
      '1）甲\n2）乙': ['甲', '乙'],
      '●甲\n●乙\n·丙': ['甲', '乙', '丙'],
      '　　一、甲\n　　二、乙': ['甲', '乙'],
    };
    for (const [text, items] of Object.entries(lists)) deepEqual(texts(text, 'listItems'), items, text);
    deepEqual(texts('1.5 倍\n2.0 倍\n-3 度\n★★★ 好', 'listItems'), []);
  });

  it('are the outermost items of a Chinese outline that nests without indentation', () => {
    const outline = '关于项目\n\n一、背景\n（一）现状\n1、甲\n2、乙\n\n说明。\n（二）问题\n二、目标\n① 丙\n② 丁';
    deepEqual(texts(outline, 'listItems'), [
      '背景\n（一）现状\n1、甲\n2、乙\n\n说明。\n（二）问题',
      '目标\n① 丙\n② 丁',
    ]);
    deepEqual(texts('一、安装\n1、下载\n2、解压\n（1）左\n（2）右', 'listItems'), ['下载', '解压\n（1）左\n（2）右']);
  });

  it('leave ordinal Chinese numbers in place, and move with identifying numbers', () => {
    deepEqual(pieces('九、甲\n十、乙\n十一、丙', 'listItems'), ['甲', '乙', '丙']);
    deepEqual(pieces('九九、甲\n一百、乙\n一百零一、丙', 'listItems'), ['甲', '乙', '丙']);
    deepEqual(pieces('⑨甲\n⑩乙\n⑪丙', 'listItems'), ['甲', '乙', '丙']);
    deepEqual(pieces('五、甲\n二、乙', 'listItems'), ['五、甲', '二、乙']);
  });

  it('are its sentences, with closing quotes', () => {
    deepEqual(texts('他问：“真的吗？”我说是。太好了！！那就……等等吧…好。“嗯……”，他说。', 'sentences'), [
      '他问：“真的吗？”',
      '我说是。',
      '太好了！！',
      '那就……',
      '等等吧…',
      '好。',
      '“嗯……”，他说。',
    ]);
    deepEqual(texts('Wait… what? See v1.2.3 at example.com. Ask Dr. Li. He knows e.g. Go. 好吗?好!', 'sentences'), [
      'Wait… what?',
      'See v1.2.3 at example.com.',
      'Ask Dr. Li.',
      'He knows e.g. Go.',
      '好吗?',
      '好!',
    ]);
  });

  it('are sentences across line breaks, but not across paragraphs, headings, list items, and code', () => {
    const text = '# 标题\n第一句很长，\n分两行。第二句\n\n第三句\n1、甲。乙\n```\na。b。\n```\nOne\ntwo. Three';
    deepEqual(texts(text, 'sentences'), [
      '# 标题',
      '第一句很长，分两行。',
      '第二句',
      '第三句',
      '1、甲。',
      '乙',
      '```\na。b。\n```',
      'One two.',
      'Three',
    ]);
  });

  it('are the elements of a JSON array: strings by value, others compact and as written', () => {
    const text =
      '[\n  "a \\"q\\"", // why\n  { "n": 1.50, /* x */ "n": 12345678901234567890, "l": [1, 2,], },\n  null, "", 7,\n]';
    deepEqual(texts(text, 'jsonArray'), ['a "q"', '{"n":1.50,"n":12345678901234567890,"l":[1,2]}', 'null', '7']);
  });

  it('are the sections of the shallowest level with more than one, each with its subsections', () => {
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

  it('can be the complete text without surrounding blanks', () => {
    deepEqual(texts('\n\n a\n\nb \n\n', 'whole'), [' a\n\nb ']);
  });
});

describe('a text without parts', () => {
  const problem = (text: string, by: SplitBy) => splitText(text, by).problem;
  it('has an explanation', () => {
    equal(problem(' \n\u2028\uFEFF', 'lines'), 'blank');
    equal(problem('', 'jsonArray'), 'blank');
    equal(problem('a\0b', 'lines'), 'binary');
    equal(problem('plain', 'listItems'), 'noListItems');
    equal(problem('plain', 'sections'), 'noSections');
    equal(problem('{"a":[1]}', 'jsonArray'), 'notJsonArray');
    equal(problem('plain', 'jsonArray'), 'notJsonArray');
    equal(problem('[]', 'jsonArray'), 'emptyJsonArray');
    equal(problem('["", " "]', 'jsonArray'), 'emptyJsonArray');
    equal(problem('["a", ', 'jsonArray'), 'brokenJson');
    equal(problem('["a"] behind', 'jsonArray'), 'brokenJson');
    equal(problem('['.repeat(200_000), 'jsonArray'), 'brokenJson');
  });
});

describe('the suggested split', () => {
  const list = '- one\n- two\n';
  const sections = '# A\na\n\n# B\nb';
  it('is the most likely one', () => {
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

  it('ignores Markdown syntax in code', () => {
    equal(proposeSplit('# a comment\nx = 1\n\n# b\ny = 2', 'python'), 'paragraphs');
  });

  it('is one of the possible splits, which are returned with their counts', () => {
    deepEqual(possibleSplits(list), [
      { by: 'lines', count: 2 },
      { by: 'paragraphs', count: 1 },
      { by: 'sentences', count: 2 },
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
    // One sentence, whose lines are joined.
    const [sentence, ...more] = splitText(text.replaceAll('- ', ''), 'sentences').parts;
    deepEqual([sentence?.text.length, more.length], [text.replaceAll('- ', '').replaceAll('\r\n', ' ').length - 1, 0]);
    ok(possibleSplits(text).length > 0);
  });
});

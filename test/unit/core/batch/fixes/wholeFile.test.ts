import { deepEqual, equal, ok } from 'node:assert/strict';
import { idByPattern, isIdPattern, numberIds, setModel } from '../../../../../src/core/batch/fixes/everyRequest';
import { fixAll, fixSafely } from '../../../../../src/core/batch/fixes/fixAll';
import { ownId } from '../../../../../src/core/batch/fixes/lines/idFixes';
import { valuesToLines } from '../../../../../src/core/batch/fixes/values';
import { changed, finish, linesOf, namesOf, openLines, problemsOf } from './mending';

const request = (id: unknown, model = 'm1', more = '') =>
  `{"custom_id": ${JSON.stringify(id)}, "method": "POST", "url": "/v1/chat/completions", "body": {"model": "${model}", "messages": [{"role": "user", "content": "hi"}]${more}}}`;
const plain = (lines: readonly string[]) => ({
  lineCount: lines.length,
  line: (index: number) => lines[index],
});
const toFix = (lines: readonly string[]) => {
  const index = openLines(lines);
  return { lines: linesOf(index), problems: problemsOf(index), file: namesOf(index) };
};
const toLines = (text: string): string => {
  const lines = text.split('\n');
  return changed(lines, finish(valuesToLines(plain(lines)))).join('\n');
};

describe('Fixes of an entire file', () => {
  it('give every request a unique ID, and keep valid ones', () => {
    const lines = [request('a'), request('a'), request('a-2'), request(''), request(7), request('a'), ''];
    const fixed = changed(lines, finish(fixAll(ownId, toFix(lines))));
    const ids = fixed.slice(0, -1).map((line) => (JSON.parse(line) as { readonly custom_id: unknown }).custom_id);
    deepEqual(ids, ['a', 'a-3', 'a-2', 'request-4', '7', 'a-4']);
  });

  it('make fifty thousand equal IDs unique in one step', () => {
    const lines = Array.from({ length: 50_000 }, () => request('a'));
    const fixed = changed(lines, finish(fixAll(ownId, toFix(lines))));
    equal(new Set(fixed).size, 50_000);
    equal(fixed.at(-1), request('a-50000'));
  });

  it("fix on save only what doesn't affect requests", () => {
    const bare = request('b').replace('"method": "POST", ', '');
    const lines = [
      '',
      `\ufeff${request('a', 'm1', ', "stream": true, "temperature": 9')}`,
      ' ',
      `${bare.slice(0, -1)}, "other": 1}`,
      request('b'),
      request('c').slice(0, -1),
    ];
    deepEqual(changed(lines, finish(fixSafely(toFix(lines)))), [
      request('a', 'm1', ', "temperature": 9'),
      `${request('b').slice(0, -1)}, "other": 1}`,
      request('b'),
      request('c').slice(0, -1),
      '',
    ]);
  });

  it('end at an empty line where the last line goes', () => {
    const lines = [request('a'), '  '];
    deepEqual(changed(lines, finish(fixSafely(toFix(lines)))), [request('a'), '']);
  });

  it('number IDs by a pattern and by the position of each request', () => {
    ok(!isIdPattern('request-'));
    equal(idByPattern('a-{n:3}-{n}', 7), 'a-007-7');
    const lines = [request('x'), '', 'broken', request('y').replace('"custom_id": "y", ', ''), '7', ''];
    const { changes, left } = finish(numberIds(plain(lines), 'r-{n:2}'));
    deepEqual(changed(lines, changes), [request('r-01'), '', 'broken', request('r-03'), '7', '']);
    deepEqual(left, [2, 4]);
  });

  it('set one model in every body, and leave lines without one', () => {
    const without = request('c').replace('"model": "m1", ', '');
    const lines = [request('a', 'm2'), request('b', 'm1'), without, '{"custom_id":"d"}', ''];
    const { changes, left } = finish(setModel(plain(lines), 'm1'));
    deepEqual(changed(lines, changes), [request('a'), request('b'), request('c'), '{"custom_id":"d"}', '']);
    deepEqual(
      changes.map(({ start }) => start),
      [0, 2],
    );
    deepEqual(left, [3]);
  });

  it("set the model in Anthropic's lines, too", () => {
    const lines = ['{"custom_id":"a","params":{"model":"m2"}}'];
    const { changes, left } = finish(setModel(plain(lines), 'm1'));
    deepEqual([changed(lines, changes), left], [['{"custom_id":"a","params":{"model":"m1"}}'], []]);
  });

  it('write the items of an array as lines, with every number and string unchanged', () => {
    const items = [
      '{"a":12345678901234567890,"b":1e400,"c":-0.10E+5}',
      '{"t":" [1, 2] \\" , {"}',
      '[[],{}]',
      '"x y"',
      '7',
    ];
    const requested = `${items.join('\n')}\n`;
    equal(toLines(`[${items.join(',')}]`), requested);
    equal(toLines(`\n [ ${items.join(' , ')}\n]\n`), requested);
    const pretty =
      '[\n  {\n    "a": 12345678901234567890,\n    "b": [\n      1e400\n    ]\n  },\n  {\n    "t": "a b"\n  }\n]\n';
    equal(toLines(pretty), '{"a":12345678901234567890,"b":[1e400]}\n{"t":"a b"}\n');
  });

  it('do so at any depth', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    equal(toLines(`[\n${deep},\n${deep}\n]`), `${deep}\n${deep}\n`);
  });

  it('lose nothing of an invalid array', () => {
    equal(toLines('[{"a":1}\n{"b":2}, nul l,{"c":[1'), '{"a":1}\n{"b":2}\nnul\nl\n{"c":[1\n');
    equal(toLines('[{"a":1}]\n{"b":2}'), '{"a":1}\n{"b":2}\n');
    equal(toLines('[{"a":tr ue}]'), '{"a":tr ue}\n');
    equal(toLines('[{"a":"x\ny"}]'), '[{"a":"x\ny"}]');
  });

  it('write requests that span lines as one line each', () => {
    equal(toLines('{\n  "a": 1\n}\n{\n  "b": 2\n}\n{"c":3}\n'), '{"a":1}\n{"b":2}\n{"c":3}\n');
  });
});

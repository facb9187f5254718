import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import {
  entriesOf,
  lenient,
  lenientFlag,
  lenientList,
  lenientNumber,
  lenientText,
} from '../../../../src/core/api/tolerant';

describe('tolerant properties of responses', () => {
  it('accept strings and numbers interchangeably', () => {
    const texts = ['a', '', 7, 0.5].map((value) => lenientText.parse(value));
    assert.deepEqual(texts, ['a', '', '7', '0.5']);
    const numbers = [7, '7', ' 0.5 ', '-1e3', 0].map((value) => lenientNumber.parse(value));
    assert.deepEqual(numbers, [7, 7, 0.5, -1000, 0]);
    const flags = [true, 'true', 'False', 1, 0].map((value) => lenientFlag.parse(value));
    assert.deepEqual(flags, [true, true, false, true, false]);
  });

  it('are absent without a usable value', () => {
    for (const odd of [null, undefined, {}, [], true]) {
      assert.equal(lenientText.parse(odd), undefined);
      assert.equal(lenientNumber.parse(odd), undefined);
    }
    for (const odd of ['', ' ', 'twelve', 'NaN', 'Infinity']) assert.equal(lenientNumber.parse(odd), undefined);
    for (const odd of ['', 'yes', 2, null, {}]) assert.equal(lenientFlag.parse(odd), undefined);
    assert.equal(lenient(z.object({ a: z.string() })).parse({ a: 1 }), undefined);
    assert.equal(lenientList(z.string()).parse({ 0: 'a' }), undefined);
  });

  it('can be missing from their object', () => {
    const schema = z.object({ text: lenientText, list: lenientList(z.string()), inner: lenient(z.object({})) });
    assert.deepEqual(schema.parse({}), {});
  });

  it('omit invalid entries of a list, and keep the order', () => {
    const entry = z.object({ id: lenientText, size: z.number() });
    const list = [{ id: 1, size: 1 }, null, 'x', { id: 'b' }, { id: 'c', size: 3 }];
    const expected = [
      { id: '1', size: 1 },
      { id: 'c', size: 3 },
    ];
    assert.deepEqual(lenientList(entry).parse(list), expected);
    assert.deepEqual(entriesOf(entry).parse(list), expected);
    assert.deepEqual([entriesOf(entry).safeParse(null).success, lenientList(entry).parse(null)], [false, undefined]);
  });
});

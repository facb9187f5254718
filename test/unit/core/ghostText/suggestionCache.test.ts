import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createSuggestionCache } from '../../../../src/core/ghostText/suggestionCache';

const place = { before: 'const a = ', after: ';\n' };

describe('cached inline suggestions', () => {
  it('are shown further as they are typed, without a request', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (before, text, after) => {
        const cache = createSuggestionCache();
        cache.add('m', { before, after }, text);
        for (let typed = 0; typed < text.length; typed++) {
          const found = cache.find('m', { before: before + text.slice(0, typed), after });
          assert.ok(found);
          assert.ok(text.endsWith(found.text) && found.text !== '');
        }
      }),
    );
  });

  it("aren't shown if other text is typed or follows the cursor", () => {
    const cache = createSuggestionCache();
    cache.add('m', place, 'foo(bar)');
    assert.deepEqual(cache.find('m', place), { text: 'foo(bar)', replaces: 0 });
    assert.deepEqual(cache.find('m', { ...place, before: 'const a = fo' }), { text: 'o(bar)', replaces: 0 });
    assert.equal(cache.find('m', { ...place, before: 'const a = fx' }), undefined);
    assert.equal(cache.find('m', { ...place, before: 'const b = ' }), undefined);
    assert.equal(cache.find('m', { ...place, before: 'let const a = ' }), undefined);
    assert.equal(cache.find('m', { ...place, after: '\n' }), undefined);
    assert.equal(cache.find('other', place), undefined);
    assert.equal(cache.find('m', { ...place, before: 'const a = foo(bar)' }), undefined);
  });

  it('include brackets that VS Code closed automatically', () => {
    const cache = createSuggestionCache();
    cache.add('m', { before: 'a = ', after: '\n' }, 'foo(bar, "b");');
    assert.deepEqual(cache.find('m', { before: 'a = foo(', after: ')\n' }), { text: 'bar, "b");', replaces: 1 });
    assert.deepEqual(cache.find('m', { before: 'a = foo(bar, "', after: '")\n' }), { text: 'b");', replaces: 2 });
    assert.deepEqual(cache.find('m', { before: 'a = foo(', after: ']\n' }), { text: 'bar, "b");', replaces: 0 });
    assert.equal(cache.find('m', { before: 'a = foo(', after: 'x)\n' }), undefined);
  });

  it('are found by nearby text, even if distant text changes', () => {
    const cache = createSuggestionCache();
    const near = 'x'.repeat(1500);
    cache.add('m', { before: `one\n${near}`, after: '' }, 'foo');
    assert.equal(cache.find('m', { before: `two, longer\n${near}f`, after: '' })?.text, 'oo');
  });

  it('include empty suggestions', () => {
    const cache = createSuggestionCache();
    cache.add('m', place, '');
    assert.deepEqual(cache.find('m', place), { text: '', replaces: 0 });
    assert.equal(cache.find('m', { ...place, before: `${place.before}f` }), undefined);
  });

  it('are removed when they were used longest ago', () => {
    const cache = createSuggestionCache(2);
    const at = (before: string) => ({ before, after: '' });
    cache.add('m', at('a'), '1');
    cache.add('m', at('b'), '2');
    cache.find('m', at('a'));
    cache.add('m', at('c'), '3');
    assert.deepEqual(
      ['a', 'b', 'c'].map((before) => cache.find('m', at(before))?.text),
      ['1', undefined, '3'],
    );
    cache.add('m', at('c'), '4');
    assert.deepEqual([cache.find('m', at('c'))?.text, cache.find('m', at('a'))?.text], ['4', '1']);
    cache.clear();
    assert.equal(cache.find('m', at('c')), undefined);
  });
});

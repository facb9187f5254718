import assert from 'node:assert/strict';
import { isAsExpected, isExpectedColumn, propertyOfExpected } from '../../../../../src/core/batch/results/expected';

const answer = (text: string, properties: Readonly<Record<string, string | number>> = {}) => ({
  text: () => text,
  property: (name: string) => properties[name],
});

describe('Expected answers', () => {
  it('are in columns named expected, __expected, or after a property', () => {
    const names = ['expected', 'Expected', '__expected', '__expected2', 'expected_label', 'expected answer'];
    assert.deepEqual(names.filter(isExpectedColumn), names);
    assert.deepEqual(['unexpected', 'expect', '__expectedly', 'expectedly', ''].filter(isExpectedColumn), []);
    assert.equal(propertyOfExpected('expected_label'), 'label');
    assert.equal(propertyOfExpected('expected'), undefined);
  });

  it('are equal apart from case and white space', () => {
    assert.equal(isAsExpected(' Two  words ', answer('two words'), undefined), true);
    assert.equal(isAsExpected('two', answer('two words'), undefined), false);
    assert.equal(isAsExpected('', answer('anything'), undefined), undefined);
  });

  it('are compared with a property, or with all properties of an expected object', () => {
    assert.equal(isAsExpected('bug', answer('{…}', { label: 'Bug' }), 'label'), true);
    assert.equal(isAsExpected('5', answer('{…}', { stars: 5 }), 'stars'), true);
    assert.equal(isAsExpected('{"label":"bug","stars":5}', answer('', { label: 'bug', stars: 5 }), undefined), true);
    assert.equal(isAsExpected('{"label":"bug"}', answer('', { label: 'x' }), undefined), false);
  });

  it('can be assertions on text as in promptfoo', () => {
    assert.equal(isAsExpected('equals: Paris', answer('paris'), undefined), true);
    assert.equal(isAsExpected('contains:Paris', answer('It is Paris.'), undefined), true);
    assert.equal(isAsExpected('contains:paris', answer('It is Paris.'), undefined), false);
    assert.equal(isAsExpected('icontains:paris', answer('It is Paris.'), undefined), true);
    assert.equal(isAsExpected('contains-any: a!, Paris', answer('It is Paris.'), undefined), true);
    assert.equal(isAsExpected('contains-all: It, Rome', answer('It is Paris.'), undefined), false);
    assert.equal(isAsExpected('starts-with: It', answer('It is Paris.'), undefined), true);
    assert.equal(isAsExpected('not-contains:Paris', answer('It is Paris.'), undefined), false);
  });

  it("aren't rated if only another program or a model can", () => {
    for (const requested of [
      'llm-rubric: is polite',
      'javascript: output.length < 9',
      'is-json',
      'not-is-json',
      'similar(0.8): x',
    ])
      assert.equal(isAsExpected(requested, answer('anything'), undefined), undefined, requested);
    assert.equal(isAsExpected('moderation', answer('moderation'), undefined), true);
    assert.equal(isAsExpected('https://a.example', answer('https://a.example'), undefined), true);
  });
});

import assert from 'node:assert/strict';
import { exampleFile, exampleKinds } from '../../../../../src/core/batch/making/examples';
import { inEditor } from '../faces';

describe('New batch files', () => {
  for (const kind of exampleKinds) {
    it(`start with "${kind}" requests without problems`, () => {
      assert.deepEqual(inEditor(exampleFile(kind, 'm')), []);
    });
  }

  it('lack only the model if none is known', () => {
    const problems = inEditor(exampleFile('question', undefined)).map((problem) => problem.split(' ')[2]);
    assert.deepEqual([...new Set(problems)], ['model.missing']);
  });
});

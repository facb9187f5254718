import { deepEqual, equal } from 'node:assert/strict';
import { readSecretFiles, withSecretFiles, writeSecretFiles } from '../../../../src/core/workspace/ownSecretFiles';
import { createSecretCheck } from '../../../../src/core/workspace/secretFiles';
import { usualSecretFiles } from '../../../../src/core/workspace/usualSecretFiles';

const code = Object.keys(usualSecretFiles).find((pattern) => usualSecretFiles[pattern] === false)!;

describe('What a person keeps out beyond the usual files', () => {
  const handedOn = (patterns: Readonly<Record<string, boolean>>) =>
    createSecretCheck(
      withSecretFiles(readSecretFiles(writeSecretFiles({ ...usualSecretFiles, ...patterns }) ?? '[]')!),
    );

  it('is handed on, after what is usual', () => {
    const isSecret = handedOn({ '**/plans/**': true, '**/*.md': false, [code]: true });
    deepEqual(['plans/a.txt', 'plans/a.ts', 'secrets.ts', '.env'].filter(isSecret).length, 4);
    deepEqual(['a.txt', 'README.md'].filter(isSecret), []);
  });

  it('is nothing where the usual files are all there are, and lets none of them in', () => {
    equal(writeSecretFiles(usualSecretFiles), undefined);
    equal(writeSecretFiles({ ...usualSecretFiles, '**/*.pem': false }), undefined);
    equal(handedOn({ '**/.env.local': false })('.env.local'), true);
  });

  it('is every file where there are more patterns than fit', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`**/plan-number-${index}.txt`, true]));
    equal(writeSecretFiles(many), '["**"]');
    equal(handedOn(many)('a.txt'), true);
  });

  it('is told by a list of texts alone', () => {
    for (const text of ['', '{}', '[1]', '"a"', '["a"', JSON.stringify(['a'.repeat(16_000)])])
      equal(readSecretFiles(text), undefined, text.slice(0, 20));
    deepEqual(readSecretFiles('["a"]'), ['a']);
  });
});

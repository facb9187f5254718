import { deepEqual, equal } from 'node:assert/strict';
import { readSecretFiles, withSecretFiles, writeSecretFiles } from '../../../../src/core/workspace/ownSecretFiles';
import { createSecretCheck } from '../../../../src/core/workspace/secretFiles';
import { usualSecretFiles } from '../../../../src/core/workspace/usualSecretFiles';

const code = Object.keys(usualSecretFiles).find((pattern) => usualSecretFiles[pattern] === false)!;

describe("The user's secret file patterns", () => {
  const handedOn = (patterns: Readonly<Record<string, boolean>>) =>
    createSecretCheck(
      withSecretFiles(readSecretFiles(writeSecretFiles({ ...usualSecretFiles, ...patterns }) ?? '[]')!),
    );

  it('are passed on after the default ones', () => {
    const isSecret = handedOn({ '**/plans/**': true, '**/*.md': false, [code]: true });
    deepEqual(['plans/a.txt', 'plans/a.ts', 'secrets.ts', '.env'].filter(isSecret).length, 4);
    deepEqual(['a.txt', 'README.md'].filter(isSecret), []);
  });

  it('are empty if there are only defaults, and re-include none of them', () => {
    equal(writeSecretFiles(usualSecretFiles), undefined);
    equal(writeSecretFiles({ ...usualSecretFiles, '**/*.pem': false }), undefined);
    equal(handedOn({ '**/.env.local': false })('.env.local'), true);
  });

  it('cover every file if there are more patterns than fit', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`**/plan-number-${index}.txt`, true]));
    equal(writeSecretFiles(many), '["**"]');
    equal(handedOn(many)('a.txt'), true);
  });

  it('are parsed only from a list of strings', () => {
    for (const text of ['', '{}', '[1]', '"a"', '["a"', JSON.stringify(['a'.repeat(16_000)])])
      equal(readSecretFiles(text), undefined, text.slice(0, 20));
    deepEqual(readSecretFiles('["a"]'), ['a']);
  });
});

import assert from 'node:assert/strict';
import { createSecretCheck } from '../../../../src/core/workspace/secretFiles';

const patterns = {
  '**/{.env,.env.*,*.pem}': true,
  '**/{.ssh,.aws}/**': true,
  '**/.env.example': false,
};

describe('files that hold keys', () => {
  const isSecret = createSecretCheck(patterns);
  for (const path of [
    '/home/me/app/.env',
    '/.env',
    '/app/.env.local',
    '/app/a b/[x]/key.pem',
    '/home/me/.ssh/config',
    'app/.env',
    '/app/.ENV',
    '/app/Server.Key.PEM',
    'C:/Users/Me/.SSH/config',
  ])
    it(`are known by their path: ${path}`, () => assert.equal(isSecret(path), true));
  for (const path of [
    '/app/.env.example',
    '/app/environment.ts',
    '/app/.envrc',
    '/app/ssh/config',
    '/app/key.pem.md',
    '',
  ])
    it(`are not: ${path || '(none)'}`, () => assert.equal(isSecret(path), false));

  it('are known within 50 ms, whatever a pattern says', () => {
    const hostile = createSecretCheck({ '**/*a*a*a*a*b': true });
    const start = performance.now();
    assert.equal(hostile('a'.repeat(150)), false);
    const took = performance.now() - start;
    assert.ok(took < 50, `${took} ms`);
  });

  it('are all others too where a pattern is too long to be used', () => {
    const long = 'a'.repeat(5000);
    assert.equal(createSecretCheck({ [long]: true })('/app/a.ts'), true);
    assert.equal(createSecretCheck({ [long]: true, '**/*.ts': false })('/app/a.ts'), false);
    assert.equal(createSecretCheck({ '**/.env': true, [long]: false })('/app/.env'), true);
  });

  it('are decided about by the last pattern that fits', () => {
    const again = createSecretCheck({ ...patterns, '**/app/**': true });
    assert.equal(again('/app/.env.example'), true);
    assert.equal(createSecretCheck({})('/app/.env'), false);
  });
});

import { deepEqual, equal } from 'node:assert/strict';
import { cleanKey, lastCharacters } from '../../../../src/core/profiles/apiKey';

const cleaned = (text: string) => {
  const result = cleanKey(text);
  return result.ok ? result.key : `refused: ${result.problem}`;
};

describe('a pasted key', () => {
  it('loses surrounding space, quotes, and a header prefix', () => {
    for (const text of [
      'sk-abc123',
      '  sk-abc123\r\n',
      'Bearer sk-abc123',
      'bearer  Bearer sk-abc123',
      'Authorization: Bearer sk-abc123',
      '"sk-abc123"',
      "'Bearer sk-abc123'",
      `${'Bearer '.repeat(10)}sk-abc123`,
    ])
      equal(cleaned(text), 'sk-abc123', JSON.stringify(text));
  });

  it('is unchanged if it only begins like the prefix', () => {
    equal(cleaned('bearerish-key'), 'bearerish-key');
  });

  it('is rejected with space or a line break inside', () => {
    for (const text of ['sk-abc 123', 'sk-abc\n123', 'sk-abc\u00a0123', `${'Bearer '.repeat(11)}sk-abc123`])
      equal(cleaned(text), 'refused: whiteSpace');
  });

  it('is rejected with control characters', () => {
    equal(cleaned('sk-\u0007abc'), 'refused: control');
  });

  it('is rejected with non-ASCII characters, also invisible ones', () => {
    for (const text of ['sk-аbc', 'sk–abc', 'sk-\u200babc', '密钥']) equal(cleaned(text), 'refused: nonAscii', text);
  });

  it('is rejected if it is empty after cleanup', () => {
    for (const text of ['', '  ', 'Bearer ', '""']) equal(cleaned(text), 'refused: empty', JSON.stringify(text));
  });

  it('is rejected if it is a URL, which would be sent as a key', () => {
    for (const text of [
      'https://api.example.com/v1',
      'http://localhost:11434',
      '"https://api.example.com/v1"',
      'localhost:11434/v1',
      '192.168.0.2:8000',
      'api.example.com',
      'api.example.com/v1',
      'gpu:8000/v1',
      '[::1]:8000/v1',
    ])
      equal(cleaned(text), 'refused: address', text);
  });

  it('can contain dots, colons, and slashes, as keys of some services do', () => {
    for (const key of [
      'sk-abc123',
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
      '0123456789abcdef0123456789abcdef.AbCdEfGhIjKl',
      'AbC/dEf+012=',
      'user:Secret-0123',
      'none',
      'lm-studio',
    ])
      equal(cleaned(key), key);
  });

  it('is rejected if it is far too long', () => {
    deepEqual(cleanKey('k'.repeat(2048)), { ok: true, key: 'k'.repeat(2048) });
    deepEqual(cleanKey('k'.repeat(2049)), { ok: false, problem: 'tooLong' });
  });

  it('is shown by its last four characters, and not at all if it is short', () => {
    equal(lastCharacters('sk-0123456789abc'), '9abc');
    equal(lastCharacters('sk-0123456789ab'), undefined);
  });
});

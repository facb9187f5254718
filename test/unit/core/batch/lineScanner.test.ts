import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readLine } from '../../../../src/core/batch/readLine';
import { LineScanner } from '../../../../src/core/batch/scan/lineScanner';

const request = (id: string, content: string) =>
  `{"custom_id":"${id}","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"${content}"}],"temperature":0.5}}`;

/** Filled as a file's piece is: what is there is of other lines. */
function scannerWith(text: string) {
  const scanner = new LineScanner(1 << 12);
  scanner.buffer.fill('"},x');
  return { scanner, end: scanner.buffer.write(text) };
}

describe('The line scanner', () => {
  it('recognizes lines of any length at any offset, and locates their ID and model', () => {
    const { scanner } = scannerWith('');
    const { buffer } = scanner;
    for (let start = 0; start < 40; start++) {
      for (const ending of ['\n', '\r\n', ' \t\n']) {
        const content = `${'é'.repeat(start % 7)}${'x'.repeat(start * 3)}\\n\\u00e9\\ud83d\\ude00`;
        const end = start + buffer.write(`${request(`id-${start}`, content)}${ending}`, start);
        assert.equal(scanner.read(start), end - 1);
        const { idStart, idEnd, modelStart, modelEnd } = scanner;
        assert.equal(buffer.toString('utf8', idStart, idEnd), `id-${start}`);
        assert.equal(buffer.toString('utf8', modelStart, modelEnd), 'm');
      }
    }
  });

  it('stops at an error in a string at any position', () => {
    const { scanner } = scannerWith('');
    for (let before = 0; before < 40; before++) {
      for (const wrong of ['\u0001', '\t', '\\x', '\\u12g4', '\\ud83d', '\\ude00', '"']) {
        const text = request('a', `${'x'.repeat(before)}${wrong}${'y'.repeat(40 - before)}`);
        scanner.buffer.write(`${text}\n`);
        assert.equal(scanner.read(0), -1, text);
      }
    }
  });

  it('keeps its content when the buffer grows', () => {
    const { scanner, end } = scannerWith(`${request('a', 'b')}\n`);
    scanner.reserve(1 << 20);
    assert.equal(scanner.buffer.length, 1 << 20);
    assert.equal(scanner.read(0), end - 1);
  });

  const keys = [
    `sk-${'a1'.repeat(12)}`,
    `sk-proj-${'a1'.repeat(12)}`,
    `xoxb-${'12'.repeat(12)}`,
    '-----BEGIN RSA PRIVATE KEY-----',
    `ghp_${'a1'.repeat(18)}`,
    `github_pat_${'a1'.repeat(12)}`,
    `AKIA${'A1'.repeat(8)}`,
    `AIza${'a1'.repeat(18)}`,
  ];
  for (const key of keys) {
    it(`detects a key like ${key.slice(0, 12)}… at any position before the end, and none after it`, () => {
      for (let before = 0; before < 50; before++) {
        const { scanner, end } = scannerWith(`${'.'.repeat(before)}${key}`);
        assert.notEqual(readLine(`"${key}"`).problems.length, 0);
        assert.ok(scanner.nextSecret(0, end) < end, `behind ${before}`);
        assert.equal(scanner.nextSecret(0, before), before);
        assert.equal(scanner.nextSecret(end, end + 20), end + 20);
      }
    });
  }

  it('detects no key in similar text', () => {
    const text =
      'risk-free task-list well-known mask_of AKI ghp- pat_h K z_ I-zA snake_case-and-kebab xoxc-1 BEGIN KEY';
    const { scanner, end } = scannerWith(text);
    const seen = scanner.nextSecret(0, end);
    assert.equal(text.slice(seen - 3, seen + 1), 'pat_');
    assert.equal(scanner.nextSecret(seen + 1, end), end);
  });

  it('detects every key that a rule matches', () => {
    const part = fc.oneof(fc.constantFrom(...keys), fc.constantFrom('-', '_', 'sk', 'K', 'I', ' '), fc.string());
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const text = JSON.stringify(parts.join(''));
        const { scanner, end } = scannerWith(text);
        const isReported = readLine(text).problems.some(({ code }) => code === 'line.secret');
        if (isReported) assert.ok(scanner.nextSecret(0, end) < end);
      }),
      { numRuns: 1000 },
    );
  });
});

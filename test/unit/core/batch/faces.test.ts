import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import path from 'node:path';
import { defaultSeverities } from '../../../../src/core/batch/problem';
import { root } from '../../../host/places';
import { bundleProgram } from '../../../support/programs';
import { onDisk, inEditor } from './faces';

const folder = path.join(root, 'test/fixtures/batch');
const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
const expected = (name: string) => readFileSync(path.join(folder, name.replace('.jsonl', '.problems')), 'utf8');
/** What an editor shows without: bytes that are not UTF-8 and returns within lines are gone when it has read the file. */
const diskOnly = new Set([
  'not-utf8.jsonl',
  'lone-cr.jsonl',
  'mixed-endings.jsonl',
  'binary.jsonl',
  'utf16.jsonl',
  'gzip.jsonl',
]);

describe('Batch files', () => {
  for (const name of names) {
    it(`have the expected problems in ${name} on disk`, async () => {
      const { problems } = await onDisk(path.join(folder, name));
      assert.equal(problems.map((line) => `${line}\n`).join(''), expected(name));
    });

    if (!diskOnly.has(name)) {
      it(`have the same problems in ${name} during edits`, () => {
        const problems = inEditor(readFileSync(path.join(folder, name), 'utf8'));
        assert.equal(problems.map((line) => `${line}\n`).join(''), expected(name));
      });
    }
  }

  it('have all problems on the command line', async () => {
    const run = promisify(execFile);
    const args = [await bundleProgram('src/cli/checkBatch.ts'), ...names];
    const { stdout, code } = (await run(process.execPath, args, { cwd: folder, maxBuffer: 1 << 26 }).catch(
      (error: { stdout: string; code: number }) => error,
    )) as { stdout: string; code?: number };
    const requested = names.flatMap((name) =>
      expected(name)
        .split('\n')
        .filter(Boolean)
        .map((line) => `${name}:${line}`),
    );
    assert.deepEqual(stdout.split('\n').filter(Boolean), requested);
    assert.equal(code, 1);
  });

  it('fail on warnings in strict mode on the command line', async () => {
    const run = promisify(execFile);
    const program = await bundleProgram('src/cli/checkBatch.ts');
    const codeOf = (...args: readonly string[]) =>
      run(process.execPath, [program, ...args], { cwd: folder }).then(
        () => 0,
        ({ code }: { code: number }) => code,
      );
    assert.deepEqual(await Promise.all([codeOf('good.jsonl', '--strict'), codeOf('surrogates.jsonl')]), [0, 0]);
    assert.equal(await codeOf('surrogates.jsonl', '--strict'), 1);
  });

  it('cover every kind of problem', () => {
    // Those of services other than SiliconFlow are beside files of their own.
    const cases = readFileSync(path.join(root, 'test/cases/batch/check/cases.json'), 'utf8');
    const found = new Set(
      [...names.map(expected), cases].flatMap((text) =>
        [...text.matchAll(/ (?:error|warning|hint) ([\w.-]+)/g)].map(([, code]) => code),
      ),
    );
    const inOtherTests = [
      'model.unknown',
      'model.not-chat',
      'file.too-large',
      'file.too-many-requests',
      'line.too-deep',
      'line.too-long',
      'line.too-large',
    ];
    assert.deepEqual(
      Object.keys(defaultSeverities).filter((code) => !found.has(code) && !inOtherTests.includes(code)),
      [],
    );
  });
});

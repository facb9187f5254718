import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkFile } from '../../../../src/core/batch/disk/checkFile';
import type { ListedModels } from '../../../../src/core/batch/fileRules';
import { inEditor, onDisk, toText } from './faces';
import { runs } from '../../../support/runs';

const request = (id: string, body = '') =>
  `{"custom_id":"${id}","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"Hello"}]${body}}}`;

describe('Batch files at their limits', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'batch-'));
    file = path.join(folder, 'file.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const bothFaces = async (text: string, models?: ListedModels) => {
    writeFileSync(file, text);
    const { problems } = await onDisk(file, models);
    assert.deepEqual(problems, inEditor(text, models));
    return problems;
  };

  it('rejects a pipe, which would block', async () => {
    execFileSync('sh', ['-c', 'mkfifo "$0"', file]);
    await assert.rejects(checkFile(file, { onProblem: () => {} }), { code: 'EISDIR' });
  });

  it('reports where the service stops accepting requests', async () => {
    const lines = Array.from({ length: 5002 }, (_, index) => `${request(`r${index}`)}\n`);
    assert.deepEqual(await bothFaces(lines.slice(0, 5000).join('')), []);
    const [problem, ...others] = await bothFaces(lines.join(''));
    assert.match(problem!, /^5001:1: error file\.too-many-requests /);
    assert.deepEqual(others, []);
  });

  it('accepts any depth, and reports what was skipped', async () => {
    const deep = (open: number, close: number) =>
      request('a', `,"stream_options":{"x":${'['.repeat(open)}${']'.repeat(close)}}`);
    assert.deepEqual(await bothFaces(`${deep(400, 400)}\n`), []);
    assert.match((await bothFaces(`${deep(100_000, 100_000)}\n`))[0]!, /^1:1: warning line\.too-deep /);
    assert.match((await bothFaces(`${deep(100_000, 99_999)}\n`))[0]!, /^1:1: error line\.not-json /);
  });

  it('reports the first unusual line ending, also at the beginning of the file', async () => {
    const [a, b] = [request('a'), request('b')];
    for (const [text, ...reported] of [
      [`${a}\n${b}\n`],
      [`${a}\r\n${b}\r\n`, '1 crlf'],
      [`${a}\r${b}\n`, '1 lone-cr'],
      [`\r${a}\n`, '1 lone-cr'],
      [`\r${a}\r\n`, '1 lone-cr', '2 crlf'],
      [`\r\r\n${a}\n`, '1 lone-cr', '2 crlf'],
      [`${a}\n\r${b}\n`, '2 lone-cr'],
      [`${a}\r\n\r${b}\n`, '1 crlf', '2 lone-cr'],
    ] as const) {
      writeFileSync(file, text);
      const { problems } = await onDisk(file);
      const endings = problems.flatMap((problem) => {
        const [, line, code] = /^(\d+):\d+: \w+ file\.(crlf|lone-cr) /.exec(problem) ?? [];
        return code === undefined ? [] : [`${line} ${code}`];
      });
      assert.deepEqual(endings, reported, JSON.stringify(text));
    }
  });

  it("suggests similar names for a model that the service doesn't list", async () => {
    const [problem] = await bothFaces(
      `${request('a')}\n`,
      new Map([
        ['n', {}],
        ['mm', {}],
      ]),
    );
    assert.match(problem!, /^1:\d+: error model\.unknown Unknown model "m"\./);
    assert.deepEqual(await bothFaces(`${request('a')}\n`, new Map([['m', {}]])), []);
    const [other] = await bothFaces(`${request('a')}\n`, new Map([['m', { jobs: [] }]]));
    assert.match(other!, /^1:\d+: error model\.not-chat "m" isn't a chat model/);
  });

  const longMb = runs(20, 100);
  it(`counts lines directly after lines of ${longMb} MB, and around chunk borders`, async () => {
    const filler = 'x'.repeat((1 << 20) - 10);
    const handle = openSync(file, 'w');
    writeSync(handle, `${request('a')}\n`);
    for (const size of [1, 9, 10, 11, 150, 1 << 20]) {
      writeSync(handle, `${request(`${size}`, `,"stop":"${filler}${'y'.repeat(size)}"`)}\n`);
    }
    writeSync(handle, `${request('long', `,"stop":"${'z'.repeat(longMb << 20)}"`)}\n${request('a')}\n`);
    closeSync(handle);
    const { problems, result } = await onDisk(file);
    assert.deepEqual(
      problems.map((line) => line.replace(/ Line 1 already.*/, '')),
      ['9:14: error custom-id.duplicate'],
    );
    assert.equal(result.requests, 9);
  }).timeout(60_000);

  it('skips a line that is too long to be read, and continues after it', async () => {
    const handle = openSync(file, 'w');
    writeSync(handle, `${request('a')}\n`);
    for (let written = 0; written < 130; written++) writeSync(handle, 'x'.repeat(1 << 20));
    writeSync(handle, `\n${request('a')}\n`);
    closeSync(handle);
    const problems: string[] = [];
    const starts: number[] = [];
    await checkFile(file, {
      onProblem: (problem) => problems.push(toText(problem)),
      onLine: ({ start }) => starts.push(start),
    });
    assert.deepEqual(
      problems.map((line) => line.split(' ').slice(0, 3).join(' ')),
      ['2:1: error line.too-long', '3:14: error custom-id.duplicate'],
    );
    assert.match(problems[0]!, /128 MB/);
    const first = request('a').length + 1;
    assert.deepEqual(starts, [0, first, first + (130 << 20) + 1]);
  });

  it('warns of a file larger than the service accepts', async () => {
    const handle = openSync(file, 'w');
    ftruncateSync(handle, 1024 ** 3 + 1);
    closeSync(handle);
    const { problems } = await onDisk(file);
    assert.deepEqual(
      problems.map((line) => line.split(' ')[2]),
      ['file.too-large', 'file.not-text'],
    );
  });

  it('reports that the file changed during the check', async () => {
    writeFileSync(file, `${request('a')}\n`.repeat(20_000));
    let written = false;
    const { changed } = await checkFile(file, {
      onProblem: () => {
        if (!written) writeFileSync(file, `${request('b')}\n`);
        written = true;
      },
    });
    assert.equal(changed, true);
  });

  it('ends when canceled', async () => {
    writeFileSync(file, `${request('a')}\n`.repeat(50_000));
    const controller = new AbortController();
    const check = checkFile(file, {
      onProblem: () => {},
      onProgress: () => controller.abort(),
      signal: controller.signal,
    });
    await assert.rejects(check, { name: 'AbortError' });
  });

  it('throws errors of opening, and rejects folders', async () => {
    await assert.rejects(checkFile(path.join(folder, 'none'), { onProblem: () => {} }), { code: 'ENOENT' });
    await assert.rejects(checkFile(folder, { onProblem: () => {} }), { code: 'EISDIR' });
  });
});

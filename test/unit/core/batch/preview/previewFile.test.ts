import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import type { SortKey } from '../../../../../src/core/batch/preview/lineTable';
import { PreviewFile } from '../../../../../src/core/batch/preview/previewFile';
import { defaultSeverities } from '../../../../../src/core/batch/problem';
import { onDisk } from '../faces';
import { runs } from '../../../../support/runs';
import { anyText } from '../../../../support/anyText';

interface Choice {
  readonly sort?: SortKey;
  readonly descending?: boolean;
  readonly onlyProblems?: boolean;
  readonly query?: string;
}

const request = (id: string, content = 'Hello', model = 'm') =>
  JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model, messages: [{ role: 'user', content }] },
  });

describe('The preview of a batch file', () => {
  let folder: string;
  let file: string;
  const opened: PreviewFile[] = [];
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'preview-'));
    file = path.join(folder, 'file.jsonl');
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    rmSync(folder, { recursive: true });
  });

  const quiet = { signal: new AbortController().signal, onProgress: () => {} };
  async function open(content: string | Buffer, signal = quiet.signal): Promise<PreviewFile> {
    writeFileSync(file, content);
    const severityOf = (code: keyof typeof defaultSeverities) => defaultSeverities[code];
    const one = await PreviewFile.open(file, { severityOf, models: undefined }, { ...quiet, signal });
    opened.push(one);
    return one;
  }
  async function shown(one: PreviewFile, { query = '', ...choice }: Choice = {}): Promise<readonly number[]> {
    const all = { sort: 'line', descending: false, onlyProblems: false, ...choice } as const;
    const count = await one.arrange(all, query, quiet);
    const { rows } = await one.rows(0, count);
    return rows.map(({ line }) => line);
  }
  const allRows = async (one: PreviewFile) => (await one.rows(0, one.loaded.lines)).rows;

  it('shows each line as a JSON parser reads it', async () => {
    const text = anyText({ maxLength: 40 });
    const message = fc.record({ role: fc.constantFrom('system', 'user', 'assistant'), content: text });
    const line = fc.record({
      custom_id: text,
      body: fc.record({ model: text, messages: fc.array(message, { maxLength: 4 }), temperature: fc.double() }),
    });
    const ending = fc.constantFrom('\n', '\r\n', '\r');
    const lines = fc.array(fc.tuple(line, ending), { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(lines, fc.boolean(), async (values, hasBom) => {
        const texts = values.map(([value, end]) => `${JSON.stringify(value).replace(/\p{Cs}/gu, '?')}${end}`);
        const one = await open(`${hasBom ? '\ufeff' : ''}${texts.join('')}`);
        const rows = await allRows(one);
        assert.equal(rows.length, texts.length);
        for (const [index, row] of rows.entries()) {
          const value = JSON.parse(texts[index]!) as (typeof values)[number][0];
          const { messages, model } = value.body;
          assert.deepEqual(
            [row.line, row.customId, row.model, row.messages, row.state],
            [index, value.custom_id, model, messages.length, 'request'],
          );
          const read = await one.line(index);
          assert.deepEqual(
            read.messages.map(({ role, text: said }) => ({ role, content: said })),
            messages,
          );
          assert.deepEqual(read.parameters, [{ name: 'temperature', value: JSON.stringify(value.body.temperature) }]);
        }
      }),
      { numRuns: runs(30, 100) },
    );
  });

  it('numbers lines like their problems, wherever chunks end', async () => {
    const filler = 'x'.repeat((1 << 20) - 300);
    const lines = [1, 90, 150, 151, 152, 170, 1 << 20].map((size) => request('same', `${filler}${'y'.repeat(size)}`));
    const one = await open([...lines, '', 'no JSON', request('last')].join('\n'));
    const { problems } = await onDisk(file);
    assert.equal(one.loaded.lines, 10);
    const rows = await allRows(one);
    assert.deepEqual(
      rows.flatMap(({ line, problems: { error } }) => (error > 0 ? [`${line + 1}`] : [])),
      [...new Set(problems.filter((text) => text.includes(': error ')).map((text) => text.split(':')[0]!))],
    );
    assert.deepEqual(
      rows.map(({ state }) => state),
      ['request', 'request', 'request', 'request', 'request', 'request', 'unread', 'blank', 'notJson', 'request'].map(
        (state, index) => (rows[index]!.bytes > 1 << 20 ? 'unread' : state),
      ),
    );
    assert.equal((await one.line(9)).customId, 'last');
    assert.match((await one.line(6)).messages[0]!.text, /^x+$/);
  });

  it('sorts IDs numerically, and equal values by line', async () => {
    const ids = ['b2', 'b10', 'a', 'b2', 'b9', 'b02', '10', '9'];
    const one = await open(ids.map((id) => `${request(id)}\n`).join('') + '{"body":{}}\n');
    const byId = (await shown(one, { sort: 'customId' })).map((line) => ids[line] ?? '');
    assert.deepEqual(byId, ['', '9', '10', 'a', 'b2', 'b2', 'b02', 'b9', 'b10']);
    assert.deepEqual(await shown(one, { sort: 'customId', descending: true }), [1, 4, 0, 3, 5, 2, 6, 7, 8]);
  });

  it('sorts any file by any column like a plain sort', async () => {
    const line = fc.oneof(
      fc.tuple(fc.constantFrom('r1', 'r2', 'r10', 'x'), fc.string({ maxLength: 9 }), fc.constantFrom('m', 'n', 'a')),
      fc.constant(undefined),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), fc.boolean(), async (lines, descending) => {
        const texts = lines.map((one) => (one ? request(...one) : '{"body":7}'));
        const one = await open(`${texts.join('\n')}\n`);
        await one.arrange({ sort: 'line', descending: false, onlyProblems: false }, '', quiet);
        const rows = await allRows(one);
        const collator = new Intl.Collator('en', { numeric: true });
        const weight = ({ error, warning, hint }: (typeof rows)[number]['problems']) =>
          error * 1e6 + warning * 1e3 + hint;
        const compare: { readonly [K in SortKey]: (a: (typeof rows)[number], b: (typeof rows)[number]) => number } = {
          line: (a, b) => a.line - b.line,
          customId: (a, b) => collator.compare(a.customId, b.customId),
          model: (a, b) => collator.compare(a.model, b.model),
          size: (a, b) => a.bytes - b.bytes,
          problems: (a, b) => weight(a.problems) - weight(b.problems),
        };
        for (const sort of Object.keys(compare) as SortKey[]) {
          const requested = rows.toSorted((a, b) => (descending ? -1 : 1) * compare[sort](a, b) || a.line - b.line);
          assert.deepEqual(
            await shown(one, { sort, descending }),
            requested.map((row) => row.line),
          );
        }
        assert.deepEqual(
          await shown(one, { sort: 'size', descending, onlyProblems: true }),
          (await shown(one, { sort: 'size', descending })).filter((at) => weight(rows[at]!.problems) > 0),
        );
      }),
      { numRuns: runs(30, 100) },
    );
  });

  it('finds exactly the lines whose ID or text contains the search text, however it is escaped', async () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'A', 'é', '"', '\\', '/', '\n', 'n', 'u', 'ß', '中'),
      maxLength: 8,
    });
    const escaped = fc.boolean();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(text, text, escaped), { minLength: 1, maxLength: 8 }),
        text,
        async (values, query) => {
          fc.pre(query !== '');
          const lines = values.map(([id, content, isEscaped]) => {
            const json = request(id, content);
            return isEscaped
              ? json.replace(/[éß中]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
              : json;
          });
          const one = await open(`${lines.join('\n')}\n`);
          const isIn = (said: string) => said.toLowerCase().includes(query.toLowerCase());
          const requested = values.flatMap(([id, content], line) => (isIn(id) || isIn(content) ? [line] : []));
          assert.deepEqual(await shown(one, { query }), requested);
        },
      ),
      { numRuns: runs(50, 150) },
    );
  });

  it('searches invalid JSON as raw text, and excludes property names and roles', async () => {
    const one = await open(`${request('a')}\n{"custom_id": "messages\n`);
    assert.deepEqual(await shown(one, { query: 'messages' }), [1]);
    assert.deepEqual(await shown(one, { query: 'user' }), []);
    assert.deepEqual(await shown(one), [0, 1]);
  });

  it('shows matches during a search, and ends it when another starts', async () => {
    const one = await open(`${request('a', 'needle'.padEnd(200_000))}\n`.repeat(20));
    const choice = { sort: 'line', descending: false, onlyProblems: false } as const;
    const counts: number[] = [];
    const first = one.arrange(choice, 'needle', {
      signal: quiet.signal,
      onProgress: (_bytes, found, show) => {
        show();
        counts.push(found);
        if (counts.length === 2) void one.arrange(choice, '', quiet);
      },
    });
    await assert.rejects(first, { name: 'AbortError' });
    assert.ok(counts[0]! > 0 && counts[0]! < 20, String(counts));
    assert.equal((await one.rows(0, 100)).rows.length, 20);
  });

  it('keeps matches of a stopped search, and searches everything when repeated', async () => {
    const one = await open(`${request('a', 'needle'.padEnd(200_000))}\n`.repeat(20));
    const choice = { sort: 'line', descending: false, onlyProblems: false } as const;
    const stopper = new AbortController();
    const onProgress = (_bytes: number, _found: number, show: () => void) => {
      show();
      stopper.abort();
    };
    await assert.rejects(one.arrange(choice, 'needle', { signal: stopper.signal, onProgress }), { name: 'AbortError' });
    const { rows } = await one.rows(0, 100);
    assert.ok(rows.length > 0 && rows.length < 20, String(rows.length));
    assert.equal(await one.arrange(choice, 'needle', quiet), 20);
  });

  it("reports where a line is shown, or that it isn't", async () => {
    const one = await open(`${request('b')}\n${request('a')}\n`);
    await shown(one, { sort: 'customId' });
    assert.deepEqual([one.indexOf(0), one.indexOf(1), one.indexOf(2)], [1, 0, undefined]);
    await shown(one, { query: 'b' });
    assert.deepEqual([one.indexOf(0), one.indexOf(1)], [0, undefined]);
  });

  it('keeps the lines that were read before it was stopped', async () => {
    const stopper = new AbortController();
    writeFileSync(file, `${request('a', 'x'.repeat(200_000))}\n`.repeat(20));
    const rules = { severityOf: () => undefined, models: undefined };
    const one = await PreviewFile.open(file, rules, { signal: stopper.signal, onProgress: () => stopper.abort() });
    opened.push(one);
    assert.equal(one.loaded.isWhole, false);
    assert.ok(one.loaded.lines > 0 && one.loaded.lines < 20, String(one.loaded.lines));
    assert.deepEqual([...new Set((await allRows(one)).map(({ state }) => state))], ['request']);
  });

  it('lists problems that require the complete file and the list of models', async () => {
    const model = 'BAAI/bge-m3';
    writeFileSync(
      file,
      `${JSON.stringify({ ...JSON.parse(request('a')), body: { model, messages: [{ role: 'user', content: 'x' }] } })}\n`,
    );
    const models = new Map([[model, { jobs: [] }]]);
    const one = await PreviewFile.open(file, { severityOf: () => 'error', models }, quiet);
    opened.push(one);
    const { problems, moreProblems } = await one.line(0);
    assert.deepEqual(
      [problems.map(({ code }) => code).filter((code) => code.startsWith('model.')), moreProblems],
      [['model.not-chat'], 0],
    );
  });

  it('explains why there are no lines', async () => {
    assert.equal((await open('')).loaded.without, 'file.empty');
    assert.equal((await open(`[${request('a')}]`)).loaded.without, 'file.array');
    assert.equal((await open(Buffer.from([1, 0, 2]))).loaded.without, 'file.not-text');
    await assert.rejects(PreviewFile.open(folder, { severityOf: () => undefined, models: undefined }, quiet), {
      code: 'EISDIR',
    });
    rmSync(file);
    await assert.rejects(PreviewFile.open(file, { severityOf: () => undefined, models: undefined }, quiet), {
      code: 'ENOENT',
    });
  });

  it('reports that the file was replaced, and continues with the one it opened', async () => {
    const one = await open(`${request('a')}\n`);
    assert.equal((await one.rows(0, 1)).isChanged, false);
    writeFileSync(`${file}.new`, `${request('b')}\n${request('c')}\n`);
    renameSync(`${file}.new`, file);
    const { rows, isChanged } = await one.rows(0, 1);
    assert.deepEqual([rows[0]!.customId, isChanged], ['a', true]);
    rmSync(file);
    assert.equal((await one.rows(0, 1)).isChanged, true);
  });

  it('lists problems of a line by itself and in relation to others', async () => {
    const one = await open(`${request('a')}\n${request('a', 'Hello', 'n').replace('POST', 'GET')}\n`);
    const { problems, moreProblems } = await one.line(1);
    assert.deepEqual(
      problems.map(({ code, severity }) => `${severity} ${code}`),
      ['error custom-id.duplicate', 'error method.not-post', 'error model.mixed'],
    );
    assert.equal(moreProblems, 0);
    assert.deepEqual((await allRows(one))[1]!.problems, { error: 3, warning: 0, hint: 0 });
  });

  it('shows the beginning of long lines', async () => {
    const messages = Array.from({ length: 100 }, (_, index) => ({
      role: 'user',
      content: `${index} `.padEnd(30_000, '😀'),
    }));
    const one = await open(`${JSON.stringify({ custom_id: 'a', body: { messages } })}\n${'['.repeat(100_000)}\n`);
    const read = await one.line(0);
    assert.equal(read.messages.length, 40);
    assert.equal(read.omitted, 60);
    assert.match(read.messages[5]!.text, /^65 /);
    assert.ok(JSON.stringify(read).length < 60_000);
    assert.ok(read.messages.every(({ text, cut }) => !/\p{Cs}/u.test(text) && text.length + cut === 30_000));
    assert.equal((await one.line(1)).raw?.cut, 100_000 - 24_000);
  });

  it('shows the responses of a batch, including failed ones', async () => {
    const answers = [
      {
        custom_id: 'a',
        response: {
          body: {
            model: 'm',
            choices: [{ message: { role: 'assistant', content: 'Yes\nno' } }],
            usage: { total_tokens: 7 },
          },
        },
        error: null,
      },
      {
        custom_id: 'b',
        response: { status_code: 400, body: { code: 20015, message: 'prompt too long' } },
        error: null,
      },
      { custom_id: 'c', response: null, error: { code: 'batch_expired', message: 'It expired.' } },
      { custom_id: 'd', response: { status_code: 400, body: { message: 'too long' } }, error: null },
    ];
    const one = await open(answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
    assert.equal(one.loaded.holds, 'answers');
    const rows = await allRows(one);
    assert.deepEqual(
      rows.map(({ text, tokens, state, problems }) => [text, tokens, state, problems.error]),
      [
        ['Yes no', 7, 'answer', 0],
        ['400 · 20015 · prompt too long', undefined, 'failed', 0],
        ['batch_expired · It expired.', undefined, 'failed', 0],
        ['400 · too long', undefined, 'failed', 0],
      ],
    );
    assert.deepEqual(await shown(one, { query: 'EXPIRED' }), [2]);
    assert.deepEqual((await one.line(0)).problems, []);
  });
});

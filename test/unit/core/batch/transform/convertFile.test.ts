import { deepEqual, equal, rejects } from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { looksLikeBatch } from '../../../../../src/core/batch/detect';
import { fixSafely } from '../../../../../src/core/batch/fixes/fixAll';
import { isMakingError } from '../../../../../src/core/batch/making/makingError';
import { readLine } from '../../../../../src/core/batch/readLine';
import { batchServiceNamed } from '../../../../../src/core/batch/services/batchServiceOf';
import { unknownService } from '../../../../../src/core/batch/services/batchServices';
import { convertFile, type ConversionTarget } from '../../../../../src/core/batch/transform/convertFile';
import { writtenWayFor } from '../../../../../src/core/batch/writtenWay';
import { setUpFolder } from '../../../../support/temporaryFolder';
import { changed, finish, linesOf, namesOf, openLines, problemsOf } from '../fixes/mending';

const target = (name: string): ConversionTarget => {
  const rules = batchServiceNamed(name) ?? unknownService;
  return { service: { rules, way: writtenWayFor(rules) }, form: name === 'gemini' ? 'gemini' : rules.line };
};
const cells = (name: string) => readFileSync(`test/cases/batch/forms/${name}.jsonl`, 'utf8');

describe('A batch file converted for another service', () => {
  const folder = setUpFolder();
  const convert = async (text: string, name: string) => {
    writeFileSync(folder.in('in.jsonl'), text);
    const options = { target: folder.in('out.jsonl'), replace: true };
    const result = await convertFile(folder.in('in.jsonl'), target(name), options);
    const lines = readFileSync(options.target, 'utf8').trimEnd().split('\n');
    return { ...result, requests: lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>) };
  };
  const line = (id: string | undefined, body: object) =>
    JSON.stringify({ custom_id: id, method: 'POST', url: '/v1/chat/completions', body });
  const hi = { role: 'user', content: 'Hi' };

  it("has all requests, and reports what each format can't express and requires", async () => {
    const lines = [
      line('a', { model: 'm', messages: [hi], seed: 1 }),
      '',
      '{"custom_id":"b","body":{"messages":[{"role":"user","content":"Hi"}],"max_tokens":5}}',
      '{"prompt":"Hi","model":"n","seed":2}',
      line('request-4', { model: 'm', messages: [hi], max_tokens: 5 }),
    ];
    const { requests, ...result } = await convert(`\ufeff${lines.join('\r\n')}`, 'anthropic');
    deepEqual(
      requests.map(({ custom_id: id, ...more }) => [id, Object.keys(more)]),
      ['a', 'b', 'request-4-2', 'request-4'].map((id) => [id, ['params']]),
    );
    deepEqual([[...result.leftOut], [...result.added], result.lackModel], [[['seed', 2]], [['max_tokens', 2]], 1]);
    deepEqual(result.left, { count: 0, first: 0, names: new Set() });
    const forGemini = await convert(lines.join('\n'), 'gemini');
    deepEqual([...forGemini.models], ['m', 'n']);
    equal(forGemini.lackModel, 0);
  });

  it('has each request of a call that creates a batch', async () => {
    const requests = ['a', 'b'].map((id) => ({ custom_id: id, body: { messages: [hi], max_tokens: 5 } }));
    const called = JSON.stringify({ model: 'm', endpoint: '/v1/chat/completions', requests });
    const { requests: written, lackModel } = await convert(`${called}\n`, 'anthropic');
    const params = { model: 'm', max_tokens: 5, messages: [hi] };
    deepEqual(written, [
      { custom_id: 'a', params },
      { custom_id: 'b', params },
    ]);
    equal(lackModel, 0);
    const own = requests.map((request) => ({ ...request, body: { model: 'own', ...request.body } }));
    const saved = await convert(JSON.stringify({ requests: own }), 'openAi');
    deepEqual(
      saved.requests.map(({ body }) => (body as { model: string }).model),
      ['own', 'own'],
    );
  });

  it("omits requests that can't be expressed, which are counted", async () => {
    const late = line('a', { model: 'm', messages: [hi, { role: 'system', content: 'Be brief.' }, hi] });
    const lines = [line('b', { model: 'm', messages: [hi], max_tokens: 5 }), late, '{"event":1}', '{'];
    const { requests, left } = await convert(lines.join('\n'), 'anthropic');
    equal(requests.length, 1);
    deepEqual(left, { count: 3, first: 2, names: new Set(['system']) });
  });

  it('is not written if no request can be converted', async () => {
    const isReported = (pattern: RegExp) => (error: unknown) => isMakingError(error) && pattern.test(error.message);
    await rejects(convert('{"event":1}\n', 'openAi'), isReported(/No requests in a supported format/));
    const web = line('a', { model: 'm', messages: [hi], tools: [{ type: 'web_search' }] });
    await rejects(convert(web, 'anthropic'), isReported(/support: web_search\./));
    equal(existsSync(folder.in('out.jsonl')), false);
  });

  for (const name of ['csv-cells', 'csv-rows']) {
    it(`is unwrapped from table cells (${name})`, async () => {
      const { requests } = await convert(cells(name), 'siliconFlow');
      deepEqual(
        requests.map(({ custom_id: id, body }) => [id, body]),
        [
          ['a', { model: 'm1', messages: [{ role: 'user', content: 'Sort "note", a' }], max_tokens: 50 }],
          ['b', { model: 'm1', messages: [{ role: 'user', content: 'Sort note b\nand c' }], max_tokens: 50 }],
        ],
      );
    });

    it(`is recognized in table cells, and fixed as a whole (${name})`, () => {
      const lines = cells(name).split(/\r?\n/);
      equal(looksLikeBatch(lines), true);
      deepEqual(
        readLine(lines[0]!).problems.map(({ code, message }) => [code, message]),
        [['line.not-json', 'This line is a quoted CSV cell.']],
      );
      const index = openLines(lines);
      const work = fixSafely({ lines: linesOf(index), problems: problemsOf(index), file: namesOf(index) });
      const fixed = changed(lines, finish(work));
      deepEqual(
        fixed.slice(0, -1).map((text) => [readLine(text).customId?.value, readLine(text).problems]),
        [
          ['a', []],
          ['b', []],
        ],
      );
    });
  }
});

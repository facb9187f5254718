import assert from 'node:assert/strict';
import { type TestDemo, firstModel, until, withDemo } from './demoService';

const line = (id: string, more: object = {}) =>
  JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: firstModel, messages: [{ role: 'user', content: `Write a story about ${id}` }], ...more },
  });
const upload = async (demo: TestDemo, text: string) => {
  const { body } = await demo.form('/files', { purpose: 'batch', file: new File([text], 'requests.jsonl') });
  return String(body['data']?.['id']);
};
const create = (demo: TestDemo, id: string, more: object = {}) =>
  demo.post('/batches', { input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h', ...more });
const isOver = (status: unknown) => ['completed', 'failed', 'expired', 'cancelled'].includes(String(status));
const finished = async (demo: TestDemo, created: { body: { readonly [key: string]: unknown } }) =>
  (
    await until(
      () => demo.get(`/batches/${String(created.body['id'])}`),
      (answer) => isOver(answer.body['status']),
    )
  ).body;
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map(
      (item) =>
        JSON.parse(item) as {
          custom_id: string;
          response: { body: { model: string } } | null;
          error: { code: string } | null;
        },
    );

describe('demo service: files and batches', function () {
  this.timeout(60_000);

  it('stores a file, counts its lines, and lists the newest ten by default', () =>
    withDemo(async (demo) => {
      const { body } = await demo.form('/files', {
        purpose: 'batch',
        file: new File([`${line('a')}\n\n${line('b')}`], '要求.jsonl'),
      });
      assert.deepEqual(
        [body['code'], body['status'], body['data']?.['object'], body['data']?.['filename']],
        [20000, true, 'file', '要求.jsonl'],
      );
      assert.match(String(body['data']?.['id']), /^file-/);
      assert.equal(typeof body['data']?.['createdAt'], 'number');
      for (let count = 0; count < 11; count += 1) await upload(demo, line('x'));
      const list = async (query: string) =>
        (await demo.get(`/files?purpose=batch${query}`)).body['data']?.['data'] as unknown as {
          line_count: number;
          created_at: number;
        }[];
      assert.equal((await list('')).length, 10);
      assert.equal((await list('&limit=12')).at(-1)?.line_count, 2);
      for (const query of [
        '/files',
        '/files?purpose=other',
        '/files?purpose=batch&limit=0',
        '/files?purpose=batch&limit=x',
      ]) {
        assert.equal((await demo.get(query)).body['code'], 20015, query);
      }
      const content = await demo.get(`/files/${String(body['data']?.['id'])}/content`);
      assert.equal(content.text, `${line('a')}\n\n${line('b')}`);
      assert.equal((await demo.get('/files/file-unknown/content')).status, 404);
      assert.equal((await demo.form('/files', { purpose: 'batch' })).status, 400);
      assert.equal((await demo.form('/files', { purpose: 'other', file: new Blob(['x']) })).status, 400);
    }));

  it('runs each line, and writes responses and failures to two files', () =>
    withDemo(async (demo) => {
      const id = await upload(
        demo,
        [
          line('a'),
          line('b', { temperature: 9 }),
          line('c', { model: 'fault/server-60000' }),
          line('d', { stream: true }),
        ].join('\n'),
      );
      const created = await create(demo, id, { metadata: { name: 'test' } });
      assert.deepEqual(
        [created.body['status'], created.body['output_file_id'], created.body['metadata']],
        ['in_queue', null, { name: 'test' }],
      );
      assert.equal(Number(created.body['expires_at']) - Number(created.body['created_at']), 86_400);
      const done = await finished(demo, created);
      assert.deepEqual([done['status'], done['request_counts']], ['completed', { total: 4, completed: 2, failed: 2 }]);
      const account = (await demo.get('/user/info')).body['data'];
      assert.equal(account?.['balance'], '14.00');
      assert.ok(Number(account?.['chargeBalance']) < 86.5);
      const output = linesOf((await demo.get(`/files/${String(done['output_file_id'])}/content`)).text);
      assert.deepEqual(
        output.map((item) => item.custom_id),
        ['a', 'd'],
      );
      assert.equal(output[0]?.response?.body.model, firstModel);
      const errors = linesOf((await demo.get(`/files/${String(done['error_file_id'])}/content`)).text);
      assert.deepEqual(
        errors.map((item) => [item.custom_id, item.error?.code]),
        [
          ['b', '20015'],
          ['c', '60000'],
        ],
      );
      const listed = (await demo.get('/batches')).body;
      assert.deepEqual(
        [listed['first_id'], listed['has_more'], listed['data']?.['0']?.['file_name']],
        [created.body['id'], false, 'requests.jsonl'],
      );
    }));

  it('names commands in the answers of a batch, where no button can be selected', () =>
    withDemo(async (demo) => {
      const messages = [{ role: 'user', content: 'How do I use my own API key?' }];
      const asked = await demo.post('/chat/completions', { model: firstModel, messages });
      assert.match(asked.text, /\[[^\]]+\]\(command:inferenceDesk\.\w/);
      const done = await finished(demo, await create(demo, await upload(demo, line('a', { messages }))));
      const { text } = await demo.get(`/files/${String(done['output_file_id'])}/content`);
      assert.match(text, /\*\*Sign In/);
      assert.doesNotMatch(text, /command:/);
    }));

  it('fails a file that breaks the rules, and names the lines', () =>
    withDemo(async (demo) => {
      const answerLast = JSON.stringify({
        custom_id: 'z',
        body: { model: firstModel, messages: [{ role: 'assistant', content: 'x' }] },
      });
      const id = await upload(
        demo,
        ['{"broken"', line('a'), line('a'), line('b', { model: 'deepseek-ai/DeepSeek-V3' }), answerLast].join('\n'),
      );
      const done = await finished(demo, await create(demo, id));
      assert.equal(done['status'], 'failed');
      assert.deepEqual(
        (done['errors'] as unknown as string[]).map((error) => error.slice(0, 7)),
        ['line 1:', 'line 3:', 'line 4:', 'line 5:'],
      );
      assert.equal((await finished(demo, await create(demo, await upload(demo, '\n'))))['status'], 'failed');
    }));

  it('uses the replacement model for every line, of which two are allowed', () =>
    withDemo(async (demo) => {
      const id = await upload(demo, `${line('a', { model: 'any/model' })}\n${line('b')}`);
      const done = await finished(demo, await create(demo, id, { replace: { model: 'deepseek-ai/DeepSeek-R1' } }));
      const output = linesOf((await demo.get(`/files/${String(done['output_file_id'])}/content`)).text);
      assert.deepEqual(
        output.map((item) => item.response?.body.model),
        ['deepseek-ai/DeepSeek-R1', 'deepseek-ai/DeepSeek-R1'],
      );
      assert.equal((await create(demo, id, { replace: { model: firstModel } })).status, 400);
    }));

  it('cancels unfinished requests, and keeps completed ones', () =>
    withDemo(
      async (demo) => {
        const created = await create(
          demo,
          await upload(demo, [1, 2, 3, 4].map((index) => line(String(index))).join('\n')),
        );
        const path = `/batches/${String(created.body['id'])}`;
        await until(
          () => demo.get(path),
          (answer) => Number(answer.body['request_counts']?.['completed']) > 0,
        );
        const cancelled = await demo.post(`${path}/cancel`, {});
        assert.equal(cancelled.body['status'], 'cancelling');
        const done = await finished(demo, created);
        assert.equal(done['status'], 'cancelled');
        assert.notEqual(done['output_file_id'], null);
        assert.equal((await demo.post(`${path}/cancel`, {})).status, 400);
        assert.equal((await demo.get('/batches/batch_unknown')).status, 404);
      },
      // Longer than the answer to the cancellation takes on a busy machine.
      { pace: { batchQueueMs: 0, batchLineMs: 40, batchFinalizeMs: 300 } },
    ));

  it('ends at the completion window, and writes the rest to the error file', () =>
    withDemo(async (demo) => {
      await demo.control('batches', { windowSeconds: 0 });
      const done = await finished(demo, await create(demo, await upload(demo, `${line('a')}\n${line('b')}`)));
      assert.deepEqual([done['status'], done['output_file_id']], ['expired', null]);
      const errors = linesOf((await demo.get(`/files/${String(done['error_file_id'])}/content`)).text);
      assert.deepEqual(
        errors.map((item) => item.error?.code),
        ['batch_expired', 'batch_expired'],
      );
    }));

  it('ignores the extra_body of a client', () =>
    withDemo(async (demo) => {
      const extra_body = { replace: { model: 'deepseek-ai/DeepSeek-R1' } };
      const done = await finished(demo, await create(demo, await upload(demo, line('a')), { extra_body }));
      const output = linesOf((await demo.get(`/files/${String(done['output_file_id'])}/content`)).text);
      assert.equal(output[0]?.response?.body.model, firstModel);
    }));

  it('lists batches after a given one, and rejects an unknown one', () =>
    withDemo(async (demo) => {
      const id = await upload(demo, line('a'));
      const ids = [];
      for (let count = 0; count < 3; count += 1) ids.unshift(String((await create(demo, id)).body['id']));
      const list = async (query: string) => (await demo.get(`/batches${query}`)).body;
      assert.equal((await list(`?after=${ids[0]}&limit=1`))['first_id'], ids[1]);
      assert.deepEqual((await list(`?after=${ids[2]}`))['data'], []);
      for (const after of ['batch_unknown', '']) assert.equal((await list(`?after=${after}`))['code'], 20015, after);
    }));

  it('returns the output as a signed URL on request', () =>
    withDemo(async (demo) => {
      await demo.control('batches', { outputAs: 'url' });
      const done = await finished(demo, await create(demo, await upload(demo, line('a'))));
      const response = await fetch(String(done['output_file_id']));
      assert.equal(linesOf(await response.text())[0]?.custom_id, 'a');
    }));

  it('reports a configured state of a batch until it is reset', () =>
    withDemo(async (demo) => {
      const { body } = await create(demo, await upload(demo, line('a')));
      const path = `/batches/${String(body['id'])}`;
      const asked = async () => (await demo.get(path)).body['status'];
      await demo.control('tell', { id: body['id'], as: { status: 'paused' } });
      assert.equal(await asked(), 'paused');
      await demo.control('tell', { id: body['id'] });
      assert.notEqual(await asked(), 'paused');
    }));

  it("rejects requests that the specification doesn't allow", () =>
    withDemo(async (demo) => {
      const id = await upload(demo, line('a'));
      const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`key${index}`, 'x']));
      for (const more of [
        { input_file_id: 'file-unknown' },
        { endpoint: '/v1/messages' },
        { completion_window: '23h' },
        { completion_window: '337h' },
        { completion_window: 'soon' },
        { metadata: many },
        { metadata: { ['k'.repeat(65)]: 'x' } },
        { metadata: { key: 'x'.repeat(513) } },
        { metadata: { key: 1 } },
        { extra_body: 'x' },
      ]) {
        assert.equal((await create(demo, id, more)).body['code'], 20015, JSON.stringify(more).slice(0, 60));
      }
    }));
});

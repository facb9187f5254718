import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import {
  againAdvice,
  countAgain,
  withChanges,
  writeAgain,
  type AgainRequest,
} from '../../../../../src/core/batch/results/runAgain';
import { setUpFolder } from '../../../../support/temporaryFolder';
import { openTables, quiet } from './openTable';
import { answerLine, errorLine, requestLine } from './resultLines';

const chat =
  '{"custom_id": "a", "url": "/v1/chat/completions", "body": {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}}';

const limited = (id: string, tokens: number) =>
  requestLine(id).replace('"model":"m"', `"model":"m","max_tokens":${tokens}`);

describe('Rerun requests', () => {
  const open = openTables();
  const folder = setUpFolder();
  const write = (name: string, lines: readonly string[]) => {
    writeFileSync(folder.in(name), lines.map((line) => `${line}\n`).join(''));
    return folder.in(name);
  };
  const ids = ['a', 'b', 'c', 'd'];
  /** `b` failed, `c` is truncated, `d` is missing. */
  const run = () => ({
    input: {
      path: write(
        'sent.jsonl',
        ids.map((id) => requestLine(id)),
      ),
      current: write(
        'batch.jsonl',
        ids.map((id) => requestLine(id)),
      ),
    },
    outputs: [write('out.jsonl', [answerLine('a', 'fine'), answerLine('c', 'cut').replace('"stop"', '"length"')])],
    errors: [write('err.jsonl', [errorLine('b', 'no')])],
  });
  const again = async (table: Awaited<ReturnType<typeof open>>, request: Pick<AgainRequest, 'which' | 'changes'>) => {
    const target = folder.in('again.jsonl');
    const written = await writeAgain(table, { ...request, target, replace: true }, quiet);
    const lines = readFileSync(target, 'utf8').trimEnd().split('\n');
    assert.equal(written.requests, lines.length);
    return lines.map(
      (line) => JSON.parse(line) as { readonly custom_id: string; readonly body: Record<string, unknown> },
    );
  };

  it('are all, those without a response, truncated ones, or the displayed ones', async () => {
    const table = await open(run());
    assert.deepEqual(await countAgain(table), { all: 4, unanswered: 2, truncated: 1, shown: 4 });
    const idsOf = async (which: AgainRequest['which']) =>
      (await again(table, { which, changes: {} })).map(({ custom_id: id }) => id);
    assert.deepEqual(await idsOf('all'), ids);
    assert.deepEqual(await idsOf('unanswered'), ['b', 'd']);
    assert.deepEqual(await idsOf('truncated'), ['c']);
    await table.arrange({ state: 'all', query: 'custom_id:c', sort: 'line', descending: false }, quiet);
    assert.deepEqual(await idsOf('shown'), ['c']);
    await assert.rejects(again(table, { which: 'unexpected', changes: {} }), /No requests to run again/);
  });

  it('are those that were edited in the batch file, in their current version', async () => {
    const table = await open(run());
    const lines = ids.map((id) => requestLine(id));
    lines[2] = lines[2]!.replace('"model":"', '"model":"edited-');
    write('batch.jsonl', lines);
    const written = await again(table, { which: 'changed', changes: { parameters: { temperature: '0.2' } } });
    assert.deepEqual(
      written.map(({ custom_id: id, body }) => [id, String(body['model']).startsWith('edited-'), body['temperature']]),
      [['c', true, 0.2]],
    );
  });

  it('include lines that were added to the batch file, after the edited ones', async () => {
    const table = await open(run());
    const lines = [
      requestLine('new'),
      ...ids.map((id) => limited(id, id === 'c' ? 9 : 0)).slice(2),
      requestLine('new'),
    ];
    write('batch.jsonl', [
      requestLine('a'),
      requestLine('b'),
      ...lines.map((line) => line.replace(',"max_tokens":0', '')),
    ]);
    assert.deepEqual(await countAgain(table), { all: 4, changed: 2, unanswered: 2, truncated: 1, shown: 4 });
    const written = await again(table, { which: 'changed', changes: { model: 'n', answerTokens: 20 } });
    assert.deepEqual(
      written.map(({ custom_id: id, body }) => [id, body['model'], body['max_tokens']]),
      [
        ['c', 'n', 20],
        ['new', 'n', undefined],
      ],
    );
    await assert.rejects(again(table, { which: 'unexpected', changes: {} }), /No requests to run again/);
  });

  it('are those that were edited in a file that was reordered, whatever the service calls their IDs', async () => {
    const lineOf: Readonly<Record<string, (id: string, text: string) => string>> = {
      custom_id: (id, text) => requestLine(id, text),
      key: (key, text) => JSON.stringify({ key, request: { contents: [{ parts: [{ text }] }] } }),
      recordId: (recordId, text) =>
        JSON.stringify({ recordId, modelInput: { messages: [{ role: 'user', content: text }] } }),
    };
    for (const [name, line] of Object.entries(lineOf)) {
      const sent = ids.map((id) => line(id, 'Hi'));
      const now = ids.toReversed().map((id) => line(id, id === 'b' ? 'Ho' : 'Hi'));
      const input = { path: write('sent.jsonl', sent), current: write('batch.jsonl', now) };
      const table = await open({ input, outputs: [], errors: [] });
      const since = await table.sinceSent(table.details(1));
      assert.deepEqual([(await countAgain(table)).changed, since.since, since.line], [1, 'changed', 2], name);
    }
  });

  it('keep the changes of a retry, unless their line was edited since', async () => {
    const sent = ids.map((id) => limited(id, 5));
    const edited = [sent[0]!, limited('b', 7), ...sent.slice(2)];
    const table = await open({
      input: { path: write('sent.jsonl', sent), current: write('batch.jsonl', edited) },
      outputs: [write('out.jsonl', [answerLine('c', 'cut').replace('"stop"', '"length"')])],
      errors: [],
      retries: [
        {
          input: write('retry.jsonl', [limited('c', 1024)]),
          outputs: [write('retried.jsonl', [answerLine('c', 'complete')])],
          errors: [],
        },
      ],
    });
    const written = await again(table, { which: 'all', changes: {} });
    assert.deepEqual(
      written.map(({ body }) => body['max_tokens']),
      [5, 7, 1024, 5],
    );
  });

  it('are counted if a limit truncated their responses, and get a higher one that lowers none', async () => {
    const sent = [limited('a', 4), limited('b', 900), requestLine('c'), requestLine('d')];
    const table = await open({
      input: { path: write('sent.jsonl', sent), current: write('batch.jsonl', sent) },
      outputs: [
        write('out.jsonl', [
          answerLine('a', 'fine'),
          answerLine('b', 'long'),
          answerLine('c', 'cut').replace('"stop"', '"length"'),
        ]),
      ],
      errors: [],
    });
    const { truncated } = await againAdvice(table, 'all', quiet);
    assert.deepEqual([truncated?.count, truncated?.limit], [1, undefined]);
    const written = await again(table, { which: 'all', changes: { answerTokens: 512 } });
    assert.deepEqual(
      written.map(({ body }) => body['max_tokens']),
      [512, 900, 512, undefined],
    );
    const chosen = { answerTokens: 512, parameters: { max_tokens: '64' } };
    assert.equal((await again(table, { which: 'truncated', changes: chosen }))[0]!.body['max_tokens'], 64);
  });

  it('get another model, parameters, or system prompt, and are otherwise unchanged', () => {
    assert.equal(withChanges(chat, {}), chat);
    assert.equal(withChanges(chat, { model: 'n' }), chat.replace('"m"', '"n"'));
    const changed = withChanges(chat, { parameters: { temperature: '0.5', top_p: '1' } });
    assert.deepEqual(JSON.parse(changed).body.temperature, 0.5);
    assert.equal(withChanges(changed, { parameters: { temperature: null, top_p: null } }), chat);
    const system = withChanges(chat, { system: 'Be "brief".' });
    assert.deepEqual(JSON.parse(system).body.messages, [
      { role: 'system', content: 'Be "brief".' },
      { role: 'user', content: 'Hi' },
    ]);
    assert.equal(JSON.parse(withChanges(system, { system: 'New' })).body.messages[0].content, 'New');
    assert.deepEqual(JSON.parse(withChanges(system, { system: '' })).body.messages, [{ role: 'user', content: 'Hi' }]);
  });

  it('get a system prompt in their own format', () => {
    const responses = '{"custom_id":"a","url":"/v1/responses","body":{"model":"m","input":"Hi"}}';
    assert.equal(JSON.parse(withChanges(responses, { system: 'New' })).body.instructions, 'New');
    const messages =
      '{"custom_id":"a","params":{"model":"m","system":"Old","messages":[{"role":"user","content":"Hi"}]}}';
    const changed = JSON.parse(withChanges(messages, { system: 'New', model: 'n' })).params;
    assert.deepEqual([changed.system, changed.model, changed.messages.length], ['New', 'n', 1]);
    assert.equal('system' in JSON.parse(withChanges(messages, { system: '' })).params, false);
  });

  it("are unchanged if they aren't valid requests", () => {
    const changes = { model: 'n', system: 'x', parameters: { a: '1' } };
    for (const line of ['not json', '[1]', '{"custom_id":"a"}', '{"body":5}'])
      assert.equal(withChanges(line, changes), line);
  });
});

import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContentBlock } from '../../../../src/core/api/messages/messageEvents';
import type { MessageParam } from '../../../../src/core/api/messages/messages.schema';
import { createCallMemory } from '../../../../src/core/editorChat/callMemory';

const of = { account: 'a', baseUrl: 'https://a.example/v1', model: 'm' };

describe('the data of calls in VS Code Chat', () => {
  let folder: string;
  beforeEach(() => void (folder = join(mkdtempSync(join(tmpdir(), 'calls-')), 'calls')));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const errors: unknown[] = [];
  /** As a new window has it. */
  const memory = () => createCallMemory(folder, (error) => errors.push(error));
  const call = { type: 'tool_use', id: 'call_1', name: 'read', input: { path: 'a', line: 1 } } as const;
  const other = { type: 'tool_use', id: 'call_2', name: 'read', input: { path: 'b' } } as const;
  const passedBack = (content: MessageParam['content']): MessageParam => ({ role: 'assistant', content });

  it('is sent back with them after a restart', async () => {
    const state = {
      call: { extra_content: { google: { thought_signature: 'sig' } } },
      reasoning: 'reasoning',
    } as const;
    const thinking = { type: 'thinking', thinking: 'Hm', signature: 's' } as const;
    const between = { type: 'thinking', thinking: 'And', signature: 't' } as const;
    const hidden = { type: 'unknown', raw: { type: 'redacted_thinking', data: 'x' } } as const;
    const said: readonly ContentBlock[] = [hidden, thinking, { type: 'text', text: 'I read.' }];
    await memory().note(of, [...said, { ...call, state }, between, other]);
    const sent = await memory().complete(of, [
      { role: 'user', content: 'Read' },
      passedBack([{ type: 'text', text: 'I read.' }, { ...call, input: { line: 1, path: 'a' } }, other]),
    ]);
    deepEqual(sent, [
      { role: 'user', content: 'Read' },
      passedBack([
        hidden,
        thinking,
        { type: 'text', text: 'I read.' },
        { ...call, input: { line: 1, path: 'a' }, state },
        between,
        other,
      ]),
    ]);
  });

  it('is found by an ID to which VS Code added its own', async () => {
    await memory().note(of, [{ type: 'thinking', thinking: 'Hm' }, call]);
    const [sent] = await memory().complete(of, [passedBack([{ ...call, id: 'call_1__vscode-1700000000' }])]);
    deepEqual(sent?.content, [
      { type: 'thinking', thinking: 'Hm' },
      { ...call, id: 'call_1__vscode-1700000000' },
    ]);
  });

  it('replaces the thinking that VS Code passes back', async () => {
    const thinking = { type: 'thinking', thinking: 'Hm', signature: 's' } as const;
    await memory().note(of, [thinking, call]);
    const [sent] = await memory().complete(of, [passedBack([thinking, call])]);
    deepEqual(sent?.content, [thinking, call]);
  });

  it('is separate by account, model, and call', async () => {
    const all = memory();
    await all.note(of, [{ type: 'thinking', thinking: 'Hm' }, call]);
    const alone = [passedBack([call])];
    deepEqual(await all.complete({ ...of, account: 'b' }, alone), alone);
    deepEqual(await all.complete({ ...of, baseUrl: 'https://b.example/v1' }, alone), alone);
    deepEqual(await all.complete({ ...of, model: 'n' }, alone), alone);
    const others = [passedBack([{ ...call, input: { path: 'c' } }]), passedBack('Hi')];
    deepEqual(await all.complete(of, others), others);
  });

  it("isn't stored if it is empty, or only thinking from the text", async () => {
    await memory().note(of, [{ type: 'text', text: 'Hi' }]);
    await memory().note(of, [{ type: 'thinking', thinking: 'Hm', isFromText: true }, call]);
    await memory().note(of, [{ type: 'thinking', thinking: 'x'.repeat(1_000_001) }, call]);
    ok(!readdirSync(join(folder, '..')).includes('calls'));
  });

  it('is private, and ignored if its file is damaged', async () => {
    await memory().note(of, [{ type: 'thinking', thinking: 'Hm' }, call]);
    const [name = ''] = readdirSync(folder);
    equal(statSync(join(folder, name)).mode & 0o077, 0);
    for (const damage of ['{"calls":[{"id":1}]}', '{"calls"', '[]']) {
      writeFileSync(join(folder, name), damage);
      const alone = [passedBack([call])];
      deepEqual(await memory().complete(of, alone), alone, damage);
    }
  });

  it('is limited in number, and the oldest is removed first', async () => {
    mkdirSync(folder);
    for (let at = 0; at < 2100; at++) {
      const path = join(folder, `${at}.json`);
      writeFileSync(path, '{}');
      utimesSync(path, 1000 + at, 1000 + at);
    }
    await memory().note(of, [{ type: 'thinking', thinking: 'Hm' }, call]);
    const left = readdirSync(folder);
    equal(left.length, 2000);
    ok(!left.includes('100.json') && left.includes('101.json'));
    const [sent] = await memory().complete(of, [passedBack([call])]);
    equal(sent?.content.length, 2);
  });

  it("is reported if it can't be written", async () => {
    writeFileSync(folder, '');
    await memory().note(of, [{ type: 'thinking', thinking: 'Hm' }, call]);
    equal(errors.length, 1);
  });
});

import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { readInstructions } from '../../src/features/chat/instructions';
import { setUpOpenChat } from '../support/openChat';
import { until } from '../support/until';

describe('custom instructions of the chat', function () {
  this.timeout(120_000);
  const chat = setUpOpenChat('instructions', { firstTokenMs: 5, tokenMs: 0 });
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const agents = join(root, 'AGENTS.md');
  const outside = join(tmpdir(), `outside-${process.pid}.md`);

  before(() => ok(!existsSync(agents)));
  beforeEach(() => {
    mkdirSync(join(root, '.github'), { recursive: true });
    writeFileSync(join(root, '.github/copilot-instructions.md'), 'Write tests first.\n');
    writeFileSync(agents, 'Use tabs.\n');
  });
  afterEach(async () => {
    rmSync(join(root, '.github'), { recursive: true, force: true });
    rmSync(agents, { force: true });
    rmSync(outside, { force: true });
    await chat.services.settings.set('chat.instructions', '');
    await chat.services.settings.set('chat.instructionFiles', true);
  });

  const ask = async () => {
    const model = (await chat.end.page.call('chat/ready', {})).model ?? 'Qwen/Qwen3-32B';
    const { turn } = await chat.end.page.call('chat/ask', { text: 'Hello', model });
    await chat.end.page.call('chat/follow', { turnId: turn.id, have: [] });
    const requests = await until(
      async () => (await chat.demo.requests()).filter(({ path }) => path.endsWith('/messages')),
      'the request',
    );
    return (requests.at(-1)!.body as { readonly system?: string }).system;
  };

  it('include those of the setting and of the workspace, sent once as system text', async () => {
    await chat.services.settings.set('chat.instructions', 'Answer in English.');
    deepEqual(await chat.end.page.call('chat/instructions', {}), {
      sources: ['inferenceDesk.chat.instructions', '.github/copilot-instructions.md', 'AGENTS.md'],
      isOn: true,
    });
    const system = (await ask()) ?? '';
    match(system, /^Answer in English\.\n\nInstructions from [^]*Write tests first\.[^]*Use tabs\.$/);
    equal(system.split('Use tabs.').length, 2);
  });

  it("aren't sent in a conversation that turned them off, also when it is opened again", async () => {
    await chat.end.page.call('chat/useInstructions', { isOn: false });
    equal(await ask(), undefined);
    equal((await chat.end.page.call('chat/instructions', {})).isOn, false);
    await chat.end.page.call('chat/useInstructions', { isOn: true });
    match((await ask()) ?? '', /Use tabs/);
  });

  it('are not read from files if the setting is off', async () => {
    await chat.services.settings.set('chat.instructionFiles', false);
    deepEqual(await readInstructions(chat.services.settings), { text: '', sources: [] });
  });

  it("aren't read through a link out of the workspace, and are truncated at their limit", async () => {
    rmSync(agents);
    writeFileSync(outside, 'Secret.');
    symlinkSync(outside, agents);
    deepEqual((await readInstructions(chat.services.settings)).sources, ['.github/copilot-instructions.md']);
    rmSync(agents);
    writeFileSync(agents, 'x'.repeat(30_000));
    const { text } = await readInstructions(chat.services.settings);
    ok(text.length < 21_000 && text.endsWith('[truncated]'), String(text.length));
  });

  it('count in the estimate of the next request', async () => {
    await chat.services.settings.set('chat.instructions', 'Answer in English.');
    await chat.end.page.call('chat/draft', { text: 'Hi' });
    const { request } = await chat.runtime.locations.current.exportable();
    match(JSON.stringify(request?.system), /Answer in English/);
  });
});

import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { readRecords } from '../../src/core/conversation/record';
import type { Answer, AnswerBlock, AnswerChunk, Turn } from '../../src/protocol/chat';
import type { ToolCallView, ToolDecision, ToolsState } from '../../src/protocol/chatTools';
import { until } from '../support/until';
import { setUpOpenChat } from '../support/openChat';

const model = 'Qwen/Qwen3-30B-A3B-Instruct-2507';
const thinkingModel = 'zai-org/GLM-4.6';

/** What the extension of `test/fixtures/toolExtension` was called with. */
interface Called {
  readonly calls: { readonly name: string; readonly input: unknown }[];
  readonly cancelled: string[];
}

describe('VS Code tools in the chat, from registration to HTTP requests', function () {
  this.timeout(120_000);
  const chat = setUpOpenChat('tools', { firstTokenMs: 1, tokenMs: 0 });
  let called: Called;

  before(async () => {
    called = await vscode.extensions.getExtension<Called>('inference-desk-test.desk-test-tools')!.activate();
  });
  beforeEach(async () => {
    called.calls.length = 0;
    called.cancelled.length = 0;
  });
  afterEach(async () => {
    if (chat.services.settings.get('chat.maxToolRounds') !== 25)
      await chat.services.settings.set('chat.maxToolRounds', 25);
  });

  const offer = (...names: readonly string[]): Promise<ToolsState> =>
    chat.end.page.call('chat/offerTools', { model, ids: names.map((name) => `editor:${name}`), offered: true });
  const follow = async (turn: Turn, onChunk = (_chunk: AnswerChunk) => {}): Promise<Answer> =>
    (await chat.end.page.call('chat/follow', { turnId: turn.id, have: [] }, { onChunk })).answer;
  const ask = async (text: string, asked = model): Promise<{ readonly turn: Turn; readonly answer: Answer }> => {
    const { turn } = await chat.end.page.call('chat/ask', { text, model: asked });
    return { turn, answer: await follow(turn) };
  };
  const decide = async (turn: Turn, block: number, decision: ToolDecision): Promise<Turn> =>
    (await chat.end.page.call('chat/answerToolCall', { turnId: turn.id, block, decision })).turn;
  const callsOf = ({ blocks }: Answer) =>
    blocks.flatMap((block, index) => (block.kind === 'toolUse' ? [{ ...block, index }] : []));
  const lastText = ({ blocks }: Answer): string => blocks.findLast(({ kind }) => kind === 'text')?.text ?? '';
  const viewOf = (block: AnswerBlock | undefined): ToolCallView | undefined =>
    block?.kind === 'toolUse' ? block.call : undefined;

  it('are listed by extension, with the description for the model', async () => {
    const state = await chat.end.page.call('chat/tools', { model });
    const group = state.groups.find(({ label }) => label === 'Test tools');
    equal(group?.kind, 'extension');
    const echo = group.tools.find(({ name }) => name === 'desk_echo');
    deepEqual([echo?.label, echo?.description, echo?.offered], ['Echo', 'Gives back a text.', false]);
    match(echo?.schema ?? '', /"required": \[\s*"text"/);
    equal((await offer('desk_echo')).offered, 1);
    await rejects(offer('desk_nothing'), /This tool isn't available/);
  });

  it('run only if allowed, with the displayed input, and the answer continues from the result', async () => {
    await offer('desk_echo');
    const { turn, answer } = await ask('Use desk_echo on "well met"');
    const [call] = callsOf(answer);
    deepEqual(call?.call, { state: 'asking', label: 'Echo', canAllow: true });
    deepEqual(JSON.parse(call?.text ?? ''), { text: 'well met' });
    equal(called.calls.length, 0);

    const done = await follow(await decide(turn, call?.index ?? -1, { type: 'allow', always: false }));
    deepEqual(called.calls, [{ name: 'desk_echo', input: { text: 'well met' } }]);
    deepEqual(viewOf(done.blocks[call?.index ?? -1]), {
      state: 'done',
      label: 'Echo',
      result: 'You said: well met',
      by: 'tool',
    });
    match(lastText(done), /desk_echo` answered:\s+> You said: well met/);
    deepEqual([done.state, done.stopReason], ['done', 'end_turn']);
    equal(callsOf((await ask('Use desk_echo on "again"')).answer)[0]?.call?.state, 'asking');
  });

  it('run without asking after they are allowed for the conversation, until approval is required again', async () => {
    await offer('desk_echo');
    const first = await ask('Use desk_echo on "one"');
    const [call] = callsOf(first.answer);
    await follow(await decide(first.turn, call?.index ?? -1, { type: 'allow', always: true }));
    const second = await ask('Use desk_echo on "two" 3 times');
    equal(called.calls.length, 4);
    deepEqual(
      callsOf(second.answer).map(({ call: view }) => [view?.state, view?.allowedAlways]),
      [
        ['done', true],
        ['done', true],
        ['done', true],
      ],
    );
    equal(second.answer.stopReason, 'end_turn');

    await chat.end.page.call('chat/forbidTool', { model, id: 'editor:desk_echo' });
    equal(callsOf((await ask('Use desk_echo on "three"')).answer)[0]?.call?.state, 'asking');
    equal(called.calls.length, 4);
  });

  it('stop at the limit of rounds, and continue on request', async () => {
    await offer('desk_echo');
    const { turn, answer } = await ask('Use desk_echo on "round" 5 times');
    await chat.services.settings.set('chat.maxToolRounds', 2);
    const [call] = callsOf(answer);
    const stopped = await follow(await decide(turn, call?.index ?? -1, { type: 'allow', always: true }));
    deepEqual([called.calls.length, stopped.toolLimit, stopped.canContinue], [3, 2, true]);
    const { turn: again } = await chat.end.page.call('chat/continue', { turnId: turn.id });
    const done = await follow(again);
    deepEqual([called.calls.length, done.stopReason, done.toolLimit], [5, 'end_turn', undefined]);
  });

  it("are denied with the user's message, which the model receives", async () => {
    await offer('desk_echo');
    const { turn, answer } = await ask('Use desk_echo on "secret"');
    const [call] = callsOf(answer);
    const done = await follow(await decide(turn, call?.index ?? -1, { type: 'deny', words: 'Not today.' }));
    equal(called.calls.length, 0);
    equal(viewOf(done.blocks[call?.index ?? -1])?.state, 'denied');
    match(lastText(done), /failed: The user denied this call.*Not today\./);
    await rejects(decide(turn, call?.index ?? -1, { type: 'allow', always: false }), /Couldn't allow or deny/);
  });

  it('report their own error messages to the model', async () => {
    await offer('desk_fail');
    const { turn, answer } = await ask('Use desk_fail on "a reason"');
    const done = await follow(await decide(turn, callsOf(answer)[0]?.index ?? -1, { type: 'allow', always: false }));
    const [call] = callsOf(done);
    equal(call?.call?.state, 'failed');
    match(call?.call?.result ?? '', /It failed on purpose: a reason/);
    match(lastText(done), /desk_fail` failed/);
  });

  it('are canceled by Stop, and the answer can be continued', async () => {
    await offer('desk_hang');
    const { turn, answer } = await ask('Use desk_hang now');
    const block = callsOf(answer)[0]?.index ?? -1;
    const running = await decide(turn, block, { type: 'allow', always: false });
    equal(running.answer.state, 'streaming');
    await until(() => called.calls.length > 0 || undefined, 'the tool is called');
    const ending = follow(running);
    await chat.end.page.call('chat/stop', { turnId: turn.id });
    const stopped = await ending;
    deepEqual([viewOf(stopped.blocks[block])?.state, stopped.canContinue], ['stopped', true]);
    await until(() => called.cancelled.length > 0 || undefined, 'the tool is cancelled');
    const { turn: again } = await chat.end.page.call('chat/continue', { turnId: turn.id });
    match(lastText(await follow(again)), /The user stopped this tool/);
  });

  it('return text, name other content, and mark truncated results', async () => {
    await offer('desk_pile');
    const { turn, answer } = await ask('Use desk_pile now');
    const done = await follow(await decide(turn, callsOf(answer)[0]?.index ?? -1, { type: 'allow', always: false }));
    const result = callsOf(done)[0]?.call?.result ?? '';
    match(result, /^first\n\n\{\s*"second": ?2\s*\}\n\n\[image\/png, 3 bytes: cannot be shown as text\]\n\nx/);
    match(result, /x\n\n\[Truncated after 100000 of 2000\d\d characters\.\]$/);
  });

  it('wait for each other in one response, and return the reasoning with its signature', async () => {
    await offer('desk_echo', 'desk_fail');
    const { turn, answer } = await ask('Use desk_echo and desk_fail on "both"', thinkingModel);
    const calls = callsOf(answer);
    equal(calls.length, 2);
    equal(answer.blocks[0]?.kind, 'thinking');
    const half = await follow(await decide(turn, calls[0]!.index, { type: 'allow', always: false }));
    deepEqual(
      callsOf(half).map(({ call }) => call?.state),
      ['done', 'asking'],
    );
    const done = await follow(await decide(turn, calls[1]!.index, { type: 'result', text: 'by hand', isError: false }));
    // The demo service refuses thinking whose signature is not its own.
    deepEqual([done.state, done.stopReason], ['done', 'end_turn']);
    deepEqual(
      callsOf(done).map(({ call }) => [call?.state, call?.by]),
      [
        ['done', 'tool'],
        ['done', 'person'],
      ],
    );
  });

  it('of the user wait for an entered result, and are available in other conversations', async () => {
    const form = { name: 'stock_level', description: 'Tells how many are left.', schema: '{"type": "object",}' };
    const refused = await chat.end.page.call('chat/saveOwnTool', { model, form });
    deepEqual(
      refused.issues.map(({ field, line, column }) => [field, line, column]),
      [['schema', 1, 19]],
    );
    const schema = '{"type":"object","properties":{"item":{"type":"string"}},"required":["item"]}';
    const saved = await chat.end.page.call('chat/saveOwnTool', { model, form: { ...form, schema } });
    deepEqual([saved.issues.length, saved.tools.offered], [0, 1]);
    const { turn, answer } = await ask('Use stock_level on "bolts"');
    const [call] = callsOf(answer);
    deepEqual(call?.call, { state: 'awaitingResult', label: 'stock_level' });
    const block = call?.index ?? -1;
    const done = await follow(await decide(turn, block, { type: 'result', text: '12 left', isError: false }));
    match(lastText(done), /12 left/);
    await chat.runtime.locations.current.startNew();
    const other = await chat.end.page.call('chat/tools', { model });
    const own = other.groups.find(({ kind }) => kind === 'own');
    deepEqual(
      own?.tools.map(({ name, offered }) => [name, offered]),
      [['stock_level', false]],
    );
    const after = await chat.end.page.call('chat/deleteOwnTool', { model, name: 'stock_level' });
    ok(after.groups.every(({ kind }) => kind !== 'own'));
  });

  it("include those of MCP servers, under the server's name and with its error", async () => {
    await vscode.commands.executeCommand('workbench.mcp.startServer', 'inference-desk-test.desk-test-tools/Station');
    const name = await until(
      () => vscode.lm.tools.find((tool) => tool.name.endsWith('measure'))?.name,
      'the server’s tool',
    );
    const state = await offer(name);
    const group = state.groups.find(({ kind }) => kind === 'mcp');
    deepEqual([group?.label, group?.tools.map(({ offered }) => offered)], ['station', [true]]);
    const { turn, answer } = await ask(`Use ${name} on "water"`);
    const done = await follow(await decide(turn, callsOf(answer)[0]?.index ?? -1, { type: 'allow', always: true }));
    deepEqual([callsOf(done)[0]?.call?.state, callsOf(done)[0]?.call?.result], ['done', 'water: 21 degrees']);
    const failed = callsOf((await ask(`Use ${name} on "fire"`)).answer)[0]?.call;
    // The editor does not hand on that a server calls its answer an error; its words say so.
    equal(failed?.result, 'Too hot.');
  });

  it('a pending call gets a result that says so with the next question', async () => {
    await offer('desk_echo');
    const { turn } = await ask('Use desk_echo on "never"');
    const { answer } = await ask('Something else: what is 2 + 2?');
    equal(answer.state, 'done');
    const snapshot = await chat.end.page.call('chat/ready', {});
    const before = snapshot.turns.find(({ id }) => id === turn.id);
    equal(callsOf(before!.answer)[0]?.call?.state, 'notRun');
  });

  it('ask again about a pending call after the window was closed', async () => {
    await offer('desk_echo');
    const { turn, answer } = await ask('Use desk_echo on "later"');
    await chat.runtime.dispose();
    chat.open();
    const snapshot = await chat.end.page.call('chat/ready', {});
    equal(callsOf(snapshot.turns.at(-1)!.answer)[0]?.call?.state, 'asking');
    const done = await follow(await decide(turn, callsOf(answer)[0]?.index ?? -1, { type: 'allow', always: false }));
    match(lastText(done), /You said: later/);
    const folder = join(chat.services.context.globalStorageUri.fsPath, 'conversations');
    const records = readRecords(await readFile(join(folder, `${snapshot.conversationId}.jsonl`), 'utf8'));
    const kinds = records.map(({ kind }) => kind);
    ok(kinds.indexOf('toolStart') < kinds.indexOf('toolResult') && kinds.includes('continue'));
  });
});

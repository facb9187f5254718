import { deepEqual, equal, match, ok } from 'node:assert/strict';
import * as vscode from 'vscode';
import { isApiError } from '../../src/core/api/errors';
import { noUsage } from '../../src/core/usage/usage';
import { isUserError } from '../../src/platform/errors/userError';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, signInAnew } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { createGhostTextHost, documentAt, textOf } from '../support/ghostTextHost';
import type { GhostSettings } from '../support/ghostTextHost';
import { until } from '../support/until';

const fillsIn = 'Qwen/Qwen2.5-Coder-32B-Instruct';
const continuesOnly = 'deepseek-ai/DeepSeek-V3';

describe('inline suggestions', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  /** Each request makes numbers for its id when it arrives. */
  let arrivals = 0;
  const made: { dispose(): Promise<void> }[] = [];

  before(async () => {
    services = await deskServices();
    const random = () => {
      arrivals++;
      return Math.random();
    };
    demo = await startFilledDemo({ pace: 'instant', random });
    await signInAnew(services, 'ghost', demo);
    await services.models.ensureFresh();
  });
  beforeEach(async () => {
    await demo.call('POST', '/_control/reset', {});
    await demo.call('POST', '/_control/pace', { pace: 'instant' });
  });
  afterEach(async () => {
    for (const desk of made.splice(0)) await desk.dispose();
  });
  after(async () => {
    await beginAnew(services);
    await demo.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const open = (changes: GhostSettings = {}, options: { readonly limitMs?: number } = {}) => {
    const desk = createGhostTextHost(
      services,
      { 'ghostText.mode': 'automatic', 'ghostText.model': fillsIn, ...changes },
      options,
    );
    made.push(desk);
    return desk;
  };
  const seen = async () => {
    return (await demo.requests()).filter(({ path }) => path === '/v1/completions');
  };
  const arm = (fault: string, times = 1) =>
    demo.call('POST', '/_control/arm', { fault, endpoint: 'POST /completions', times });
  const gap = 'function sum(numbers: number[]) {\n  |\n}\n';
  const kindOf = (error: unknown) =>
    isApiError(error) ? error.kind : isUserError(error) ? error.title : String(error);

  it('fills in between the text before and after the cursor, with few parameters, and counts tokens', async () => {
    const desk = open();
    const { document, position } = await documentAt(gap);
    const [item] = await desk.at(document, position);
    ok(item);
    match(textOf(item), /return \w+;$/);
    ok(item.range?.isEqual(new vscode.Range(position, position)));
    equal(item.command?.command, 'inferenceDesk.ghostText.accepted');
    const { body } = (await seen())[0]!;
    deepEqual(
      { ...body, prompt: undefined },
      {
        model: fillsIn,
        prompt: undefined,
        suffix: '\n}\n',
        max_tokens: 128,
        temperature: 0.1,
        stop: ['\n\n\n'],
        stream: true,
      },
    );
    const used = await desk.usage.today('ghost', 'ghostText');
    ok(used.inputTokens > 5 && used.outputTokens > 2);
    equal(desk.offered.length, 1);
  });

  it('sends no request while the suggestion is typed, or automatically in on-request mode', async () => {
    const desk = open({ 'ghostText.mode': 'manual' });
    const { document, position } = await documentAt(gap);
    deepEqual(await desk.at(document, position, { isInvoked: false }), []);
    const [item] = await desk.at(document, position);
    const text = textOf(item);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, position, text.slice(0, 4));
    await vscode.workspace.applyEdit(edit);
    const [rest] = await desk.at(document, position.translate(0, 4), { isInvoked: false });
    equal(rest?.insertText, text.slice(4));
    const other = new vscode.WorkspaceEdit();
    other.insert(document.uri, position.translate(0, 4), '@');
    await vscode.workspace.applyEdit(other);
    deepEqual(await desk.at(document, position.translate(0, 5), { isInvoked: false }), []);
    equal((await seen()).length, 1);
  });

  it('sends only after a pause in typing', async () => {
    const desk = open();
    const { document, position } = await documentAt(gap);
    const typing = new vscode.CancellationTokenSource();
    const before = desk.at(document, position, { isInvoked: false, token: typing.token });
    setTimeout(() => typing.cancel(), 100);
    deepEqual(await before, []);
    const again = Date.now();
    const items = await desk.at(document, position, { isInvoked: false });
    equal(items.length, 1);
    ok(Date.now() - again >= 300);
    equal((await seen()).length, 1);
  });

  it('cancels the request when typing continues, and counts its possible cost', async () => {
    const desk = open({}, { limitMs: 120_000 });
    await demo.call('POST', '/_control/pace', { pace: { firstTokenMs: 120_000 } });
    const { document, position } = await documentAt(gap);
    const typing = new vscode.CancellationTokenSource();
    const before = arrivals;
    const asked = desk.at(document, position, { token: typing.token });
    await until(() => (arrivals > before ? true : undefined), 'the request');
    typing.cancel();
    deepEqual(await asked, []);
    // Noted when it ends: the service would go on for two minutes.
    await until(async () => (await seen())[0], 'the end of the request at the service');
    const used = await desk.usage.today('ghost', 'ghostText');
    ok(used.inputTokens > 5 && used.isEstimate);
    equal(desk.provider.errors.last, undefined);
  });

  it('counts tokens if the connection breaks, but not if the service rejects the request', async () => {
    const desk = open();
    const { document, position } = await documentAt(gap);
    await arm('balance-403');
    deepEqual(await desk.at(document, position), []);
    deepEqual(await desk.usage.today('ghost', 'ghostText'), noUsage);
    await arm('server-60000');
    deepEqual(await desk.at(document, position), []);
    const used = await desk.usage.today('ghost', 'ghostText');
    ok(used.inputTokens > 5 && used.isEstimate);
  });

  it('have one request at a time, and cancel the older one', async () => {
    const desk = open({}, { limitMs: 120_000 });
    await demo.call('POST', '/_control/pace', { pace: { firstTokenMs: 120_000 } });
    const one = await documentAt(gap);
    const two = await documentAt(`// other\n${gap}`);
    const before = arrivals;
    const older = desk.at(one.document, one.position);
    await until(() => (arrivals > before ? true : undefined), 'the first request');
    await demo.call('POST', '/_control/pace', { pace: 'instant' });
    const newer = await desk.at(two.document, two.position);
    deepEqual(await older, []);
    equal(newer.length, 1);
    const [first, second] = await until(async () => {
      const all = await seen();
      return all.length === 2 ? all : undefined;
    }, 'both requests');
    deepEqual(
      new Set([first, second].map((request) => String(request?.body['prompt']).startsWith('// other'))),
      new Set([false, true]),
    );
  });

  it('omits the suffix after a rejection, remembers the date, and tries again on request', async () => {
    const desk = open({ 'ghostText.model': continuesOnly });
    const { document, position } = await documentAt(gap);
    equal((await desk.at(document, position)).length, 1);
    deepEqual(
      (await seen()).map(({ status, body }) => [status, 'suffix' in body]),
      [
        [400, true],
        [200, false],
      ],
    );
    const again = await documentAt(`let a;\n${gap}`);
    await desk.at(again.document, again.position);
    const subject = (await desk.subject())!;
    const refusedAt = await desk.newSuggester().refusedAt(subject);
    ok(refusedAt !== undefined && Math.abs(Date.now() - refusedAt) < 60_000);
    equal(await desk.suggester.refusedAt({ ...subject, model: fillsIn }), undefined);
    deepEqual(
      (await seen()).map(({ body }) => 'suffix' in body),
      [true, false, false],
    );
    await desk.suggester.forgetRefusal(subject);
    const third = await documentAt(`let b;\n${gap}`);
    await desk.at(third.document, third.position);
    deepEqual(
      (await seen()).map(({ body }) => 'suffix' in body),
      [true, false, false, true, false],
    );
    // What the service refuses costs nothing.
    const used = await desk.usage.today('ghost', 'ghostText');
    ok(used.inputTokens < 60);
  });

  it('learns from an unnamed rejection only if the retry without the suffix works', async () => {
    const desk = open();
    const subject = (await desk.subject())!;
    const { document, position } = await documentAt(gap);
    await arm('parameter', 2);
    deepEqual(await desk.at(document, position), []);
    equal(kindOf(desk.provider.errors.last), 'badRequest');
    equal(await desk.suggester.refusedAt(subject), undefined);
    await arm('parameter');
    equal((await desk.at(document, position)).length, 1);
    ok((await desk.suggester.refusedAt(subject)) !== undefined);
    equal(desk.provider.errors.last, undefined);
  });

  it('stops for the day after its own budget or that of the account is used', async () => {
    const desk = open({ 'ghostText.dailyTokenBudget': 10 });
    const { document, position } = await documentAt(gap);
    equal((await desk.at(document, position)).length, 1);
    const other = await documentAt(`let a;\n${gap}`);
    deepEqual(await desk.at(other.document, other.position, { isInvoked: false }), []);
    equal(kindOf(desk.provider.errors.last), 'Daily token limit for inline suggestions reached');
    deepEqual(desk.reported, []);
    deepEqual(await desk.at(other.document, other.position), []);
    equal(desk.reported.length, 1);
    equal((await seen()).length, 1);
    desk.changes['ghostText.dailyTokenBudget'] = 0;
    desk.changes['chat.dailyTokenBudget'] = { soft: 0, hard: 10 };
    deepEqual(await desk.at(other.document, other.position), []);
    equal(kindOf(desk.provider.errors.last), 'Daily token limit reached');
    equal((await seen()).length, 1);
  });

  it('pauses after a failure without repeated messages, and resumes on request', async () => {
    const desk = open();
    const { document, position } = await documentAt(gap);
    await arm('balance-403');
    deepEqual(await desk.at(document, position, { isInvoked: false }), []);
    equal(kindOf(desk.provider.errors.last), 'balance');
    equal(desk.provider.errors.until, Infinity);
    deepEqual(await desk.at(document, position, { isInvoked: false }), []);
    equal((await seen()).length, 1);
    deepEqual(desk.reported, []);
    equal((await desk.at(document, position)).length, 1);
    deepEqual([desk.provider.errors.last, desk.provider.errors.until], [undefined, 0]);
  });

  it("doesn't wait for a rate limit", async () => {
    // Limits hold for a model: the others go on.
    const desk = open({ 'ghostText.model': 'Pro/deepseek-ai/DeepSeek-V3.2' });
    const { document, position } = await documentAt(gap);
    await arm('rate-limit-some-seconds');
    deepEqual(await desk.at(document, position, { isInvoked: false }), []);
    equal(kindOf(desk.provider.errors.last), 'rateLimit');
    ok(Number.isFinite(desk.provider.errors.until) && desk.provider.errors.until > Date.now());
  });

  it('pause for a slow model', async () => {
    const desk = open({}, { limitMs: 400 });
    await demo.call('POST', '/_control/pace', { pace: { firstTokenMs: 120_000 } });
    const { document, position } = await documentAt(gap);
    deepEqual(await desk.at(document, position, { isInvoked: false }), []);
    equal(kindOf(desk.provider.errors.last), 'timeout');
    await until(async () => (await seen())[0], 'the end of the request at the service');
  });

  it('continues from the selected completion item, if it can be continued', async () => {
    const desk = open();
    const { document, position } = await documentAt('const total = 1;\nfunction f() {\n  return tot|\n}\n');
    const range = new vscode.Range(position.translate(0, -3), position);
    const [item] = await desk.at(document, position, { chosen: { range, text: 'total' } });
    ok(textOf(item).startsWith('total'));
    ok(item?.range?.isEqual(range));
    match(String((await seen())[0]?.body['prompt']), /return total$/);
    deepEqual(await desk.at(document, position, { chosen: { range, text: 'atotal' } }), []);
    equal((await seen()).length, 1);
  });

  it("keeps the document's line endings", async () => {
    const desk = open();
    const { document, position } = await documentAt('function sum(numbers: number[]) {|\r\n}\r\n');
    equal(document.eol, vscode.EndOfLine.CRLF);
    const [item] = await desk.at(document, position);
    match(textOf(item), /^\r\n {2}const .*;\r\n {2}return \w+;$/);
    const { body } = (await seen())[0]!;
    equal(body['suffix'], '\n}\n');
  });

  it('sends no request in generated lines, inside words, or in empty documents', async () => {
    const desk = open();
    const long = await documentAt(`const a = "${'x'.repeat(5000)}|";`);
    deepEqual(await desk.at(long.document, long.position), []);
    const word = await documentAt('const va|lue = 1;');
    deepEqual(await desk.at(word.document, word.position, { isInvoked: false }), []);
    const empty = await documentAt('|');
    deepEqual(await desk.at(empty.document, empty.position, { isInvoked: false }), []);
    deepEqual(await seen(), []);
  });

  it('sends only the text near the cursor of a long document', async () => {
    const desk = open();
    const lines = 'const value = 1;\n'.repeat(5000);
    const { document, position } = await documentAt(`${lines}|${lines}`);
    await desk.at(document, position);
    const { body } = (await seen())[0]!;
    const [prompt, suffix] = [String(body['prompt']), String(body['suffix'])];
    ok(prompt.length <= 6000 && prompt.length > 5000 && prompt.startsWith('const'));
    ok(suffix.length <= 2500 && suffix.length > 2000 && suffix.endsWith(';\n'));
  });

  it("doesn't ask automatically again after an empty suggestion, but does on request", async () => {
    const desk = open();
    const { document, position } = await documentAt(gap);
    await arm('empty-completion');
    deepEqual(await desk.at(document, position, { isInvoked: false }), []);
    deepEqual(await desk.at(document, position, { isInvoked: false }), []);
    equal((await seen()).length, 1);
    equal((await desk.at(document, position)).length, 1);
    equal((await seen()).length, 2);
  });

  it('uses the default completion model if none is selected', async () => {
    const desk = open({ 'ghostText.model': '' });
    const { document, position } = await documentAt(gap);
    await desk.at(document, position);
    equal((await seen()).at(-1)?.body['model'], 'Qwen/Qwen3-30B-A3B-Instruct-2507');
  });
});

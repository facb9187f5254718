import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import os from 'node:os';
import * as vscode from 'vscode';
import { startFeatures } from '../../src/features/startFeatures';
import { describe as wordsFor } from '../../src/platform/errors/reportError';
import type { Services } from '../../src/services/services';
import { startAccountService } from '../support/accountService';
import type { AccountService } from '../support/accountService';
import { beginAnew, deskServices, signInAnew } from '../support/deskServices';
import { until } from '../support/until';

const apiKey = 'sk-0123456789-of-the-report-test';

describe('a problem report', () => {
  let services: Services;
  let service: AccountService;

  const settings = () => vscode.workspace.getConfiguration('inferenceDesk');
  const set = (name: string, value: unknown) => settings().update(name, value, vscode.ConfigurationTarget.Global);
  const openReport = () => vscode.workspace.textDocuments.find(({ isUntitled }) => isUntitled);
  const show = async (): Promise<vscode.TextDocument> => {
    await vscode.commands.executeCommand('inferenceDesk.reportProblem');
    const document = vscode.window.activeTextEditor?.document;
    ok(document);
    return document;
  };

  before(async () => {
    services = await deskServices();
    service = await startAccountService(apiKey);
    await signInAnew(services, 'report', { baseUrl: service.baseUrl, apiKey });
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
  after(async () => {
    for (const name of ['media.folder', 'secretFiles', 'chat.messageLimit', 'ghostText.model'])
      await set(name, undefined);
    await beginAnew(services);
    await service.close();
  });

  it('shows its content before it is copied, with the cursor at the description', async () => {
    await vscode.env.clipboard.writeText('untouched');
    const document = await show();
    equal(document.languageId, 'markdown');
    match(
      document.getText(),
      /^# Inference Desk: Issue Report\n\n<!-- This report hasn't been sent and contains no keys, paths, or text/,
    );
    const line = vscode.window.activeTextEditor?.selection.active.line ?? 0;
    equal(document.lineAt(line - 1).text, '<!-- What did you do, expect, and see? -->');
    equal(await vscode.env.clipboard.readText(), 'untouched');
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    deepEqual(
      lenses.map(({ command }) => command?.title),
      ['Copy Report', 'Save…', 'Preview', 'Show Log'],
    );
  });

  it('includes versions, account, settings, errors, and calls, but no personal data', async () => {
    await set('media.folder', `${os.homedir()}/private pictures`);
    await set('secretFiles', { '**/secret-plan.md': true });
    await set('chat.messageLimit', 3);
    await set('ghostText.model', apiKey);
    const client = await services.connections.client();
    await client.models.list({});
    await client.batches.retrieve({ id: 'batch-of-mine' }).catch(() => undefined);
    const home = os.homedir();
    void services.report(new TypeError(`Cannot read properties of undefined (reading '${home}')`));
    services.log.error(`In ${home}`, new RangeError('Invalid array length'));
    await services.account.refresh();
    const text = (await show()).getText();
    for (const line of [
      /- Inference Desk: \d+\.\d+\.\d+\n/,
      /- Editor: .* \d+\.\d+\.\d+ \(web, /,
      /- Active account, this machine, has a key\n/,
      /- `inferenceDesk\.chat\.messageLimit`: `3`\n/,
      /- `inferenceDesk\.media\.folder`: an absolute path\n/,
      /- `inferenceDesk\.secretFiles`: \d+ entr(y|ies)\n/,
      /- `inferenceDesk\.ghostText\.model`: set \(value hidden\)\n/,
      /- Conversations: \d+\n/,
      / RangeError, Invalid array length\n.* TypeError, Cannot read properties of undefined/,
      / GET \/demo\/v1\/models, 200, \d+ ms, .*\n/,
      / GET \/demo\/v1\/batches\/…, 4\d\d, /,
      /- Remote: yes\n/,
    ])
      match(text, line);
    const { exchanges } = services;
    ok(exchanges.recent.length > 1);
    for (const own of [
      apiKey,
      home,
      os.userInfo().username,
      'private',
      'secret-plan',
      'batch-of-mine',
      service.origin,
    ]) {
      const alone = new RegExp(`(?<![\\w/])${own.replaceAll(/[.*+?^$()[\]{}|\\/]/g, '\\$&')}(?!\\w)`);
      doesNotMatch(text.replace(/<!--.*?-->/gs, ''), alone);
    }
  });

  it("is copied with the user's description, but without keys", async () => {
    const document = await show();
    const edit = new vscode.WorkspaceEdit();
    const line = vscode.window.activeTextEditor?.selection.active ?? new vscode.Position(0, 0);
    edit.insert(document.uri, line, `It broke with ${apiKey}.\n`);
    await vscode.workspace.applyEdit(edit);
    await vscode.commands.executeCommand('inferenceDesk.copyReport');
    const copied = await vscode.env.clipboard.readText();
    match(copied, /\nIt broke with \[key\]\.\n/);
    equal(copied, document.getText().replace(apiKey, '[key]'));
  });

  it("is shown before it is copied if it isn't open", async () => {
    equal(openReport(), undefined);
    await vscode.env.clipboard.writeText('untouched');
    await vscode.commands.executeCommand('inferenceDesk.copyReport');
    ok(openReport());
    equal(await vscode.env.clipboard.readText(), 'untouched');
  });

  it('says that no account is signed in', async () => {
    await beginAnew(services);
    const text = (await show()).getText();
    match(text, /- Signed out\.\n/);
    doesNotMatch(text, /- (Active a|A)ccount, /);
  });
});

describe("a feature that can't start", () => {
  it("doesn't affect other features, and is reported with next steps", async () => {
    const services = await deskServices();
    const reported: unknown[] = [];
    const running: string[] = [];
    const report = async (error: unknown) => void reported.push(error);
    const started = startFeatures(
      { ...services, report },
      {
        broken: () => {
          throw new TypeError('x is not a function');
        },
        whole: () => {
          running.push('whole');
          return { dispose: () => void running.pop() };
        },
      },
    );
    const error = await until(() => reported[0], 'the words');
    const { title, detail, actions } = wordsFor(error);
    equal(title, "Part of Inference Desk didn't start");
    match(detail, /broken isn't available in this window/);
    deepEqual(
      actions.map(({ id }) => id),
      ['showLog', 'reportProblem'],
    );
    ok(services.recentErrors.recent.some(({ error: known }) => known instanceof TypeError));
    deepEqual(running, ['whole']);
    started.dispose();
    deepEqual(running, []);
  });
});

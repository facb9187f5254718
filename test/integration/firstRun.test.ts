import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { ApiError } from '../../src/core/api/errors';
import { createFirstRun, createSamples } from '../../src/features/firstRun/firstRunRuntime';
import { RerankWorkspace } from '../../src/features/rerank/rerankWorkspace';
import { emptyReason } from '../../src/services/lists/emptyReason';
import { UserError, isUserError } from '../../src/platform/errors/userError';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices } from '../support/deskServices';

describe('the first steps', function () {
  this.timeout(120_000);
  let services: Services;
  let folder: string;
  const provided = { executeCommand: vscode.commands.executeCommand, createQuickPick: vscode.window.createQuickPick };
  let ran: (readonly unknown[])[];
  let offered: string[][];

  before(async () => {
    services = await deskServices();
    await beginAnew(services);
  });
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'first-run-'));
    ran = [];
    offered = [];
  });
  afterEach(() => {
    Object.assign(vscode.commands, { executeCommand: provided.executeCommand });
    Object.assign(vscode.window, { createQuickPick: provided.createQuickPick });
    rmSync(folder, { recursive: true });
  });
  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const samplesIn = (to = path.join(folder, 'samples')) =>
    createSamples({ from: path.join(services.context.extensionPath, 'media', 'samples'), to });
  const firstRun = () =>
    createFirstRun({
      ...services,
      context: {
        extension: services.context.extension,
        extensionPath: services.context.extensionPath,
        globalStorageUri: vscode.Uri.file(folder),
      } as vscode.ExtensionContext,
    });
  /** Keeps what is run from running, except `real`. */
  const watchCommands = (real?: string) => {
    const executeCommand = async (...args: readonly [string, ...unknown[]]) => {
      ran.push(args);
      if (args[0] === real) await provided.executeCommand(...args);
    };
    Object.assign(vscode.commands, { executeCommand });
  };
  /** Chooses the row with this label in each list, or closes the list. */
  const choose = (label: string | undefined) => {
    const createQuickPick = () => {
      const hidden = new vscode.EventEmitter<void>();
      const accepted = new vscode.EventEmitter<void>();
      const pick = {
        items: [] as readonly vscode.QuickPickItem[],
        selectedItems: [] as readonly vscode.QuickPickItem[],
        onDidHide: hidden.event,
        onDidAccept: accepted.event,
        onDidTriggerButton: hidden.event,
        show() {
          offered.push(pick.items.map((item) => item.label));
          pick.selectedItems = pick.items.filter((item) => item.label === label);
          if (label === undefined) hidden.fire();
          else accepted.fire();
        },
        dispose: () => undefined,
      };
      return pick;
    };
    Object.assign(vscode.window, { createQuickPick });
  };

  it('create all samples, and keep files that the user changed', async () => {
    const to = await samplesIn().folder();
    const names = readdirSync(to).toSorted();
    ok(names.length > 5);
    writeFileSync(path.join(to, 'reviews.csv'), 'mine');
    rmSync(path.join(to, 'requests.jsonl'));
    equal(await samplesIn().folder(), to);
    deepEqual(readdirSync(to).toSorted(), names);
    equal(readFileSync(path.join(to, 'reviews.csv'), 'utf8'), 'mine');
  });

  it('create a single sample, also if another window does so at the same time', async () => {
    const files = await Promise.all(['a', 'b', 'c', 'd'].map(() => samplesIn().file('help-articles.txt')));
    equal(new Set(files).size, 1);
    deepEqual(readdirSync(path.dirname(files[0]!)), ['help-articles.txt']);
  });

  it("explain where samples can't be created", async () => {
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    await rejects(samplesIn(path.join(file, 'samples')).folder(), (error) => {
      ok(isUserError(error));
      ok(error.detail.includes(path.join(file, 'samples')));
      return true;
    });
  });

  it('ask where samples are opened while a folder is open', async () => {
    ok(vscode.workspace.workspaceFolders?.length);
    watchCommands();
    choose(undefined);
    await firstRun().openSamples();
    deepEqual(ran, []);
    choose('In a New Window');
    await firstRun().openSamples();
    const [command, uri, options] = ran[0] ?? [];
    equal(command, 'vscode.openFolder');
    equal((uri as vscode.Uri | undefined)?.fsPath, path.join(folder, 'samples', 'inference-desk-samples'));
    deepEqual(options, { forceNewWindow: true });
  });

  it('show the walkthrough of this extension', async () => {
    watchCommands('workbench.action.openWalkthrough');
    await firstRun().getStarted();
    deepEqual(ran, [
      ['workbench.action.openWalkthrough', 'inference-desk.inference-desk#firstSteps', false],
      ['setContext', 'inferenceDesk.walkthroughShown', true],
    ]);
  });

  for (const [what, opening] of [
    ['there are no walkthroughs', () => Promise.reject(new Error('command not found'))],
    ['no page opens', () => Promise.resolve()],
  ] as const) {
    it(`open the views and explain the state: ${what}`, async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      const reported = mock.method(vscode.window, 'showWarningMessage', async () => undefined);
      const executeCommand = async (...args: readonly unknown[]) => {
        ran.push(args);
        if (args[0] === 'workbench.action.openWalkthrough') await opening();
      };
      Object.assign(vscode.commands, { executeCommand });
      try {
        await firstRun().getStarted();
        deepEqual(ran.slice(1), [['workbench.view.extension.inferenceDesk']]);
        match(JSON.stringify(reported.mock.calls[0]?.arguments), /Couldn't open the walkthrough/);
      } finally {
        reported.mock.restore();
      }
    });
  }

  it('offer the demo service first, and require a service for further steps', async () => {
    choose(undefined);
    for (const name of ['rerank', 'picture']) {
      watchCommands();
      await firstRun().takeStep(name);
      deepEqual(ran, [], name);
    }
    deepEqual(
      offered.map(([first]) => first),
      ['Start Demo Service', 'Start Demo Service'],
    );
    choose('Start Demo Service');
    await firstRun().takeStep('picture');
    // Nobody is signed in by the command that is kept from running.
    deepEqual(ran, [['inferenceDesk.demo.start']]);
  });

  it('check a sample without a service, and open the chat, which offers both itself', async () => {
    choose(undefined);
    const run = firstRun();
    await run.takeStep('check');
    equal(path.basename(vscode.window.activeTextEditor?.document.fileName ?? ''), 'requests-with-faults.jsonl');
    watchCommands();
    await run.takeStep('ask');
    deepEqual(ran, [['inferenceDesk.chat.open']]);
  });

  it('ignore unknown steps', async () => {
    watchCommands();
    for (const name of [undefined, 7, '', 'constructor', 'toString', {}]) await firstRun().takeStep(name);
    deepEqual(ran, []);
  });

  it('count a successful ranking, but not a failed one', async () => {
    watchCommands();
    const ranking = { results: [{ index: 0, relevance_score: 1 }], tokens: { input_tokens: 2, output_tokens: 0 } };
    let answer: () => Promise<unknown> = () => Promise.reject(new ApiError({ kind: 'auth', message: '', sent: false }));
    const { onDidChangeOffers } = services.connections;
    const connections = { client: async () => ({ rerank: { create: () => answer() } }), onDidChangeOffers };
    const window = new RerankWorkspace({ ...services, connections } as unknown as Services, path.join(folder, 'none'));
    const request = { model: 'a', query: 'b', documents: ['c'] };
    const { create, close } = window.openService();
    await rejects(create(request, new AbortController().signal));
    deepEqual(ran, []);
    answer = async () => ranking;
    await create(request, new AbortController().signal);
    deepEqual(ran, [['setContext', 'inferenceDesk.rankingCame', true]]);
    close();
    window.dispose();
  });

  it('explain an empty list by its cause', () => {
    const failed = (kind: ApiError['kind']) => new ApiError({ kind, message: '', sent: true });
    const stopped = new UserError('The demo service has stopped', '', [{ id: 'tryDemo', label: 'Try' }]);
    deepEqual(
      [
        ...(['auth', 'network', 'proxy', 'certificate', 'timeout', 'notOffered', 'server', 'permission'] as const).map(
          failed,
        ),
        stopped,
        new UserError('Another', ''),
        'thrown',
      ].map(emptyReason),
      [
        'badKey',
        'offline',
        'offline',
        'offline',
        'offline',
        'notOffered',
        'failed',
        'failed',
        'demoStopped',
        'failed',
        'failed',
      ],
    );
  });
});

import { deepEqual, equal, match } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ApiError } from '../../src/core/api/errors';
import { noUsage } from '../../src/core/usage/usage';
import { GhostText } from '../../src/features/ghostText/ghostTextRuntime';
import type { GhostMode, GhostQuestions } from '../../src/features/ghostText/ghostTextRuntime';
import { askBeside, otherProviders } from '../../src/features/ghostText/questions';
import { createSnooze, createSwitches } from '../../src/features/ghostText/switches';
import { ghostWords } from '../../src/features/ghostText/statusWords';
import type { GhostState } from '../../src/features/ghostText/statusWords';
import type { Services } from '../../src/services/services';
import { deskServices } from '../support/deskServices';
import { createGhostTextHost, createMemento, documentAt } from '../support/ghostTextHost';
import type { GhostSettings } from '../support/ghostTextHost';

const now = new Date(2026, 10, 21, 12, 0).getTime();

describe('exceptions that turn inline suggestions off', () => {
  let services: Services;
  let folder: string;
  const made: { dispose(): Promise<void> }[] = [];

  before(async () => {
    services = await deskServices();
    folder = mkdtempSync(path.join(tmpdir(), 'ghost-files-'));
  });
  afterEach(async () => {
    for (const desk of made.splice(0)) await desk.dispose();
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const open = (changes: GhostSettings = {}) => {
    const desk = createGhostTextHost(services, { 'ghostText.mode': 'automatic', 'ghostText.model': 'm', ...changes });
    made.push(desk);
    return desk;
  };
  const file = async (name: string) => {
    const place = path.join(folder, name);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, 'a = 1\n');
    return vscode.workspace.openTextDocument(vscode.Uri.file(place));
  };

  it('include languages by ID or by *, until they are turned on', async () => {
    const desk = open();
    const typescript = (await documentAt('|a')).document;
    const markdown = (await documentAt('|a', 'markdown')).document;
    equal(desk.switches.obstacle(typescript), undefined);
    deepEqual(desk.switches.obstacle(markdown), { kind: 'language', languageId: 'markdown' });
    await desk.switches.toggleLanguage('markdown');
    await desk.switches.toggleLanguage('typescript');
    equal(desk.switches.obstacle(markdown), undefined);
    deepEqual(desk.switches.obstacle(typescript), { kind: 'language', languageId: 'typescript' });
    desk.changes['ghostText.languages'] = { '*': false, markdown: true };
    deepEqual(desk.switches.obstacle(typescript), { kind: 'language', languageId: 'typescript' });
    equal(desk.switches.obstacle(markdown), undefined);
  });

  it('include a disabled file for the lifetime of the workspace', async () => {
    const memento = createMemento();
    const snooze = createSnooze(memento);
    const { settings } = open();
    const one = await file('one.ts');
    const two = await file('two.ts');
    const own = {
      ...services,
      settings,
      context: { ...services.context, workspaceState: memento } as Services['context'],
    };
    await createSwitches(own, snooze).toggleFile(one.uri);
    const later = createSwitches(own, snooze);
    deepEqual([later.obstacle(one)?.kind, later.obstacle(two)?.kind], ['file', undefined]);
    await later.toggleFile(one.uri);
    equal(later.obstacle(one), undefined);
    snooze.dispose();
  });

  it('include files with keys or passwords, whatever the other settings', async () => {
    const desk = open({ 'ghostText.languages': { '*': true } });
    const secret = [
      '.env',
      '.env.local',
      'prod.env',
      'server.pem',
      'id_rsa',
      '.npmrc',
      '.ssh/config',
      'credentials.json',
    ];
    for (const name of secret) {
      const document = await file(name);
      deepEqual(desk.switches.obstacle(document), { kind: 'excluded' }, name);
      deepEqual(await desk.at(document, new vscode.Position(0, 5)), []);
    }
    symlinkSync(path.join(folder, '.env'), path.join(folder, 'notes.txt'));
    const linked = await vscode.workspace.openTextDocument(vscode.Uri.file(path.join(folder, 'notes.txt')));
    deepEqual(desk.switches.obstacle(linked), { kind: 'excluded' });
    for (const name of ['environment.ts', 'monkey.ts', 'a.key.ts']) {
      equal(desk.switches.obstacle(await file(name)), undefined, name);
    }
    desk.changes['secretFiles'] = { '**/*.ts': true, '**/monkey.ts': false };
    equal(desk.switches.obstacle(await file('environment.ts'))?.kind, 'excluded');
    equal(desk.switches.obstacle(await file('monkey.ts')), undefined);
  });

  it('include large files, Restricted Mode, and VS Code settings', async () => {
    const desk = open({ 'ghostText.maxFileSize': 3 });
    equal(desk.switches.obstacle((await documentAt('|1234')).document)?.kind, 'tooLarge');
    equal(desk.switches.obstacle((await documentAt('|123')).document), undefined);
    const { settings } = open();
    const restricted = createSwitches({ ...services, settings }, desk.snooze, () => false);
    equal(restricted.obstacle((await documentAt('|1')).document)?.kind, 'restricted');
    const editor = vscode.workspace.getConfiguration('editor');
    try {
      await editor.update('inlineSuggest.enabled', false, vscode.ConfigurationTarget.Global);
      equal(desk.switches.obstacle((await documentAt('|1')).document)?.kind, 'editor');
    } finally {
      await editor.update('inlineSuggest.enabled', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('include snoozing until the selected time, also after a reload', async () => {
    const memento = createMemento();
    let time = now;
    const snooze = createSnooze(memento, () => time);
    await snooze.start(15);
    equal(snooze.until, now + 15 * 60_000);
    const reloaded = createSnooze(memento, () => time);
    equal(reloaded.until, now + 15 * 60_000);
    time += 15 * 60_000;
    deepEqual([snooze.until, reloaded.until], [undefined, undefined]);
    await snooze.start(Infinity);
    equal(snooze.until, Infinity);
    equal(createSnooze(memento, () => time).until, undefined);
    await snooze.end();
    equal(snooze.until, undefined);
    snooze.dispose();
    reloaded.dispose();
    const desk = open();
    await desk.snooze.start(5);
    const { document, position } = await documentAt('a = |;');
    equal(desk.switches.obstacle(document)?.kind, 'snoozed');
    deepEqual(await desk.at(document, position), []);
  });
});

describe('other extensions with inline suggestions', () => {
  const extension = (packageJSON: object, isActive = true) =>
    ({ packageJSON, isActive }) as unknown as vscode.Extension<unknown>;

  it('are detected if they are installed, or used if they are built in', () => {
    const installed: Readonly<Record<string, vscode.Extension<unknown>>> = {
      'Continue.continue': extension({ displayName: 'Continue' }, false),
      'GitHub.copilot-chat': extension({ displayName: 'Copilot', isBuiltin: true }, false),
      'Codeium.codeium': extension({ displayName: '%name%' }),
    };
    deepEqual(
      otherProviders((id) => installed[id]),
      [
        { id: 'Continue.continue', name: 'Continue' },
        { id: 'Codeium.codeium', name: 'Codeium.codeium' },
      ],
    );
  });

  it('cause one question, and another one for each new extension', async () => {
    const memento = createMemento();
    const asked: string[] = [];
    const say = (answer: string | undefined) =>
      (async (message: string) => {
        asked.push(message);
        return answer;
      }) as typeof vscode.window.showWarningMessage;
    const one = { id: 'a.a', name: 'One' };
    const two = { id: 'b.b', name: 'Two' };
    equal(await askBeside([one], memento, say(undefined)), 'manual');
    equal(await askBeside([one], memento, say('Turn Off')), 'off');
    equal(await askBeside([one], memento, say('Use Both')), 'automatic');
    equal(await askBeside([one], memento, say('Turn Off')), 'automatic');
    equal(asked.length, 3);
    equal(await askBeside([one, two], memento, say('On Request')), 'manual');
    match(asked[3] ?? '', /One, Two/);
  });

  it('pause inline suggestions until the user answers', async () => {
    const services = await deskServices();
    const changes: GhostSettings = { 'ghostText.mode': 'off' };
    const desk = createGhostTextHost(services, changes);
    const changed = new vscode.EventEmitter<'ghostText.mode'>();
    const settings = { ...desk.settings, onDidChange: changed.event };
    let answer: (value: GhostMode) => void = () => undefined;
    const questions: GhostQuestions = {
      askForMode: async () => 'automatic',
      askForSnooze: async () => undefined,
      askBeside: () => new Promise((resolve) => (answer = resolve)),
      otherProviders: () => [{ id: 'a.a', name: 'One' }],
    };
    const parts = { ...services, settings, context: desk.context } as unknown as Services;
    const ghost = new GhostText(parts, 'off', questions);
    try {
      await ghost.toggle();
      equal(changes['ghostText.mode'], 'automatic');
      answer('manual');
      await new Promise((resolve) => setImmediate(resolve));
      equal(changes['ghostText.mode'], 'manual');
      await ghost.toggle();
      equal(changes['ghostText.mode'], 'off');
      // As it was last, without asking.
      await ghost.toggle();
      equal(changes['ghostText.mode'], 'manual');
    } finally {
      ghost.dispose();
      await desk.dispose();
    }
  });
});

describe('the status of inline suggestions', () => {
  const fine: GhostState = {
    mode: 'automatic',
    isAsking: false,
    obstacle: undefined,
    isSignedIn: true,
    model: 'a/model',
    refusedAt: undefined,
    failure: undefined,
    used: noUsage,
    offered: 0,
    accepted: 0,
  };
  const words = (state: Partial<GhostState>) => ghostWords({ ...fine, ...state }, now, 'en');
  const line = (state: Partial<GhostState>) => {
    const { text, detail, facts, severity } = words(state);
    return [text, detail, facts, severity].join(' | ');
  };

  it('includes the mode, the model, and the tokens', () => {
    equal(line({}), 'Inline suggestions: automatic | model | a/model | information');
    equal(line({ mode: 'manual' }), 'Inline suggestions: on request | model | a/model | information');
    equal(words({ isAsking: true }).text, 'Inline suggestions: on request');
    const used = { inputTokens: 1200, outputTokens: 34, isEstimate: true } as const;
    equal(words({ used, offered: 9, accepted: 2 }).facts, 'about 1,234 tokens today · 2 of 9 accepted · a/model');
  });

  it('includes the approximate price of a suggestion, next to the model', () => {
    const { detail, facts } = words({ price: '~$0.0003 per suggestion' });
    equal(detail, 'model · ~$0.0003 per suggestion');
    equal(facts, '~$0.0003 per suggestion · a/model');
  });

  it('says since when suggestions only continue the text', () => {
    equal(
      line({ refusedAt: now }),
      'Inline suggestions: automatic, text before cursor only | model | rejected the text after the cursor on Nov 21, 2026 · a/model | information',
    );
  });

  it('includes why there are no suggestions', () => {
    const reported = (obstacle: GhostState['obstacle']) => words({ obstacle }).text;
    equal(reported({ kind: 'restricted' }), 'Inline suggestions: Restricted Mode');
    equal(reported({ kind: 'excluded' }), 'Inline suggestions: excluded');
    equal(reported({ kind: 'file' }), 'Inline suggestions: off for this file');
    equal(reported({ kind: 'tooLarge' }), 'Inline suggestions: file too large');
    equal(reported({ kind: 'editor' }), 'Inline suggestions: off in VS Code settings');
    equal(reported({ kind: 'language', languageId: 'markdown' }), 'Inline suggestions: off for markdown');
    match(reported({ kind: 'snoozed', until: now }), /^Inline suggestions: snoozed until 12:00\sPM$/);
    equal(reported({ kind: 'snoozed', until: Infinity }), 'Inline suggestions: snoozed');
    equal(
      line({ isSignedIn: false }),
      'Inline suggestions: no service | Sign in to a service first. | Sign in to a service first. | information',
    );
    const profile = { id: 'p', name: 'Work', baseUrl: 'https://work.example/v1', origin: 'https://work.example' };
    equal(
      line({ model: undefined, notOffered: { notOffered: 'a/model', profile } }),
      "Inline suggestions: model not available | model | Work doesn't offer a/model | warning",
    );
    equal(line({ model: undefined }), 'Inline suggestions: no model | Choose a model. | Choose a model. | information');
  });

  it('includes the error, and when suggestions resume', () => {
    const error = new ApiError({ kind: 'balance', status: 403, message: 'x' });
    const lasting = words({ failure: { error, until: Infinity } });
    equal(lasting.severity, 'error');
    equal(lasting.detail, 'paused because of an error');
    match(lasting.facts, /Add credit/);
    const passing = words({
      failure: { error: new ApiError({ kind: 'overloaded', model: 'm', message: 'x' }), until: now + 60_000 },
    });
    equal(passing.severity, 'warning');
    match(passing.text, /^Inline suggestions: The service is overloaded$/);
    match(passing.detail, /^paused until 12:01\sPM$/);
    equal(words({ failure: { error, until: now } }).detail, '');
  });
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { spreadCallsIn } from '../support/spreadCalls';
import { misplacedLogic, publicFiles, serviceCircles, violationsOf, writesOf } from '../support/architecture';

const files = ['src', 'webview'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.join(root, name).replaceAll(path.sep, '/')),
);

describe('architecture', () => {
  it('limits the imports of every file to its layer', () => {
    assert.ok(files.length > 50);
    assert.deepEqual(
      files.flatMap((file) => violationsOf(file, readFileSync(file, 'utf8'))),
      [],
    );
  });

  it('makes every service list its public files, which exist', () => {
    const folders = new Set(files.flatMap((file) => /^src\/services\/(\w+)\//.exec(file)?.[1] ?? []));
    assert.deepEqual(Object.keys(publicFiles).toSorted(), [...folders].toSorted());
    const listed = Object.entries(publicFiles).flatMap(([service, names]) =>
      Object.keys(names).map((name) => `src/services/${service}/${name}`),
    );
    assert.deepEqual(
      listed.filter((file) => !files.includes(file)),
      [],
    );
  });

  it('spreads no list of unbounded length in a call, because each element takes stack space', () => {
    assert.deepEqual(
      files.flatMap((file) => spreadCallsIn(file, readFileSync(file, 'utf8'))),
      [],
    );
    const source = 'a.push(...b);\nMath.max(0, ...c);\na?.unshift(...b); call(...d); a.push(b, [...c]);';
    assert.deepEqual(spreadCallsIn('src/x.ts', source), ['src/x.ts:1', 'src/x.ts:2', 'src/x.ts:3']);
  });

  it('every import from Node.js by name is in Node.js 20, which stops a program at its start otherwise', () => {
    const later =
      /import \{[^}]*\b(?:zstd\w+|\w+Zstd\w*|glob(?:Sync)?|getCallSites?|registerHooks|stripTypeScriptTypes|DatabaseSync)\b[^}]*\} from 'node:/;
    assert.deepEqual(
      files.filter((file) => later.test(readFileSync(file, 'utf8'))),
      [],
    );
  });

  it('has no circular dependencies between services', () => {
    assert.deepEqual(serviceCircles(new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))), []);
  });

  it('detects a circle of services, also through objects passed to features', () => {
    const circles = (sources: Readonly<Record<string, string>>) =>
      serviceCircles(new Map(Object.entries(sources).map(([file, source]) => [`src/services/${file}`, source])));
    const account = `import type { M } from '../models/modelCatalogue'; import './keyStore';`;
    assert.deepEqual(circles({ 'account/x.ts': account, 'models/y.ts': `await import('../account/account');` }), [
      'account -> models -> account',
    ]);
    const jobs = `import type { Services } from '../services';`;
    assert.deepEqual(circles({ 'jobs/x.ts': jobs, 'services.ts': `import type { J } from './jobs/jobs';` }), [
      'jobs -> services.ts -> jobs',
    ]);
    assert.deepEqual(circles({ 'account/x.ts': account, 'models/y.ts': '' }), []);
  });

  it('keeps exactly the vscode-free code of a feature in its `logic` folder', () => {
    assert.deepEqual(misplacedLogic(new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))), []);
    const misplaced = (sources: Readonly<Record<string, string>>) => misplacedLogic(new Map(Object.entries(sources)));
    const vscode = `import * as vscode from 'vscode';`;
    assert.deepEqual(misplaced({ 'src/features/chat/a.ts': `import type { Uri } from 'vscode';` }), [
      'src/features/chat/a.ts never loads vscode and belongs in logic/',
    ]);
    assert.deepEqual(misplaced({ 'src/features/chat/logic/a.ts': vscode }), [
      'src/features/chat/logic/a.ts loads vscode',
    ]);
    assert.deepEqual(misplaced({ 'src/features/chat/logic/a.ts': '', 'src/features/chat/b.ts': vscode }), []);
  });

  it('creates, renames, and writes files and folders only in `core/storage`', () => {
    assert.deepEqual(
      files.filter((file) => file.startsWith('src/')).flatMap((file) => writesOf(file, readFileSync(file, 'utf8'))),
      [],
    );
  });

  const makers: readonly (readonly [file: string, source: string])[] = [
    ['src/core/x.ts', `import { mkdir } from 'node:fs/promises';`],
    ['src/core/x.ts', `import { readFile, writeFile as write } from 'fs/promises';`],
    ['src/core/x.ts', `import { createWriteStream } from 'node:fs';`],
    ['src/core/x.ts', `import fs from 'node:fs';`],
    ['src/core/x.ts', `import * as fs from 'node:fs/promises';`],
    ['src/core/x.ts', `import { promises } from 'node:fs';`],
    ['src/core/x.ts', `const { cp } = await import('node:fs/promises');`],
    ['src/core/x.ts', `import { open } from 'node:fs/promises'; await open(path, 'a');`],
    ['src/core/x.ts', `import { openSync as o } from 'node:fs'; o(path, flags);`],
    ['src/demo/x.ts', `import { mkdirSync } from 'node:fs';`],
    ['src/features/chat/x.ts', `await vscode.workspace.fs.writeFile(uri, bytes);`],
    ['src/features/chat/x.ts', `await workspace.fs.createDirectory(uri);`],
    ['src/features/chat/x.ts', `await makeFolder(folder, { isPrivate: false });`],
    ['src/core/batch/local/resultFiles.ts', `import { mkdir } from 'node:fs/promises';`],
    ['src/core/x.ts', `import { rename } from 'node:fs/promises';`],
  ];
  for (const [file, source] of makers) {
    it(`rejects file creation in ${file} by: ${source}`, () => {
      assert.equal(writesOf(file, source).length, 1);
    });
  }

  const readers: readonly (readonly [file: string, source: string])[] = [
    ['src/core/x.ts', `import { readFile, rm } from 'node:fs/promises';`],
    ['src/core/x.ts', `import { open } from 'node:fs/promises'; await open(path); await open(path, 'r');`],
    ['src/core/x.ts', `import type { FileHandle } from 'node:fs/promises';`],
    ['src/core/x.ts', `import { writeFile } from './storage/privateFiles'; await vscode.workspace.fs.readFile(uri);`],
    ['src/core/batch/local/resultFiles.ts', `import { truncate } from 'node:fs/promises';`],
    ['src/core/storage/x.ts', `import { rename, writeFile } from 'node:fs/promises';`],
    ['src/services/lists/remoteContents.ts', `await save({ isPrivate: false });`],
  ];
  for (const [file, source] of readers) {
    it(`allows ${file} to read, move, and write by: ${source}`, () => {
      assert.deepEqual(writesOf(file, source), []);
    });
  }

  /** What the check must see: a file, what it says, and what it is told. */
  const faults: readonly (readonly [file: string, source: string, told: RegExp])[] = [
    ['src/core/api/x.ts', `import type * as vscode from 'vscode';`, /must not import vscode/],
    [
      'src/core/api/x.ts',
      `export type { Profile } from '../../services/account/account';`,
      /must not import src\/services/,
    ],
    [
      'src/core/api/x.ts',
      `type P = import('../../services/account/account').Profiles;`,
      /must not import src\/services/,
    ],
    ['src/core/api/x.ts', `import { Agent } from 'undici';`, /only .*undiciTransport\.ts may/],
    ['src/core/api/x.ts', `const pool = await import('undici/lib/x.js');`, /only .*undiciTransport\.ts may/],
    ['src/core/api/x.ts', `import { z } from 'zod';`, /must not import zod/],
    [
      'src/core/agentTools/x.ts',
      `import { Server } from '@modelcontextprotocol/server';`,
      /must not import @modelcontext/,
    ],
    [
      'src/features/mcp/x.ts',
      `import { Server } from '@modelcontextprotocol/server';`,
      /must not import @modelcontext/,
    ],
    ['src/core/conversation/x.ts', `import { f } from '../api/transport/transport';`, /must not import src\/core\/api/],
    ['src/core/api/x.ts', `import { f } from '../conversation/transcript';`, /must not import src\/core\/conversation/],
    ['src/core/storage/x.ts', `import type { Job } from '../jobs/job';`, /must not import src\/core\/jobs/],
    ['src/protocol/x.ts', `import { readFileSync } from 'node:fs';`, /must not import node:fs/],
    ['src/demo/x.ts', `import type { ApiError } from '../core/api/errors';`, /must not import src\/core/],
    [
      'src/platform/x.ts',
      `import type { Profiles } from '../services/account/account';`,
      /must not import src\/services/,
    ],
    ['src/platform/x.ts', `import { createJobStore } from '../core/jobs/jobStore';`, /must not import src\/core\/jobs/],
    ['src/platform/x.ts', `import { isApiError, type A } from '../core/api/client';`, /must not import src\/core\/api/],
    ['src/platform/x.ts', `await import('../core/jobs/jobStore');`, /must not import src\/core\/jobs/],
    ['src/services/account/x.ts', `import { chat } from '../../features/chat/chat';`, /must not import src\/features/],
    ['src/features/chat/x.ts', `import { row } from '../models/row';`, /must not import the feature models/],
    ['src/features/demo/x.ts', `import { start } from '../../demo/server';`, /only by import\(\)/],
    ['src/features/chat/x.ts', `await import('../../demo/server');`, /must not import src\/demo/],
    ['src/desk.ts', `import { start } from './demo/server';`, /must not import src\/demo/],
    ['webview/screens/chat/x.tsx', `import { f } from '../../../src/core/api/errors';`, /must not import src\/core/],
    [
      'webview/screens/chat/x.tsx',
      `import { provideVSCodeDesignSystem } from '@vscode/webview-ui-toolkit';`,
      /toolkit\.ts may/,
    ],
    [
      'src/features/chat/x.ts',
      `import { createUsageLedger } from '../../core/usage/usageLedger';`,
      /only src\/services\/usage\/usage\.ts may/,
    ],
    ['webview/components/x.tsx', `import { connect } from '../host';`, /must not import webview\/host/],
    ['webview/components/x.tsx', `import { Chat } from '../screens/chat/chat';`, /must not import webview\/screens/],
    ['webview/screens/chat/x.tsx', `const api = acquireVsCodeApi();`, /must not use acquireVsCodeApi/],
    ['src/features/chat/x.ts', `import { MarkdownString } from 'vscode';`, /goes through src\/platform\/notify/],
    ['src/features/chat/x.ts', `import { TreeItem as Row } from 'vscode';`, /goes through src\/platform\/notify/],
    ['src/platform/x.ts', `import * as vscode from 'vscode'; vscode.window[kind]('');`, /goes through src\/platform/],
    [
      'src/features/exchanges/x.ts',
      `import { exchangeText } from '../../services/diagnostics/exchangeText';`,
      /others import only diagnostics\.ts/,
    ],
    [
      'src/services/account/x.ts',
      `type T = import('../diagnostics/exchangeText').T;`,
      /others import only diagnostics\.ts/,
    ],
    [
      'src/features/chat/x.ts',
      `import { newThing } from '../../services/newThing/x';`,
      /must not import src\/services/,
    ],
    ['src/desk.ts', `await import('./services/media/mediaAssets');`, /others import only media\.ts/],
    ['src/features/chat/x.ts', `import { env, l10n } from 'vscode';`, /localize its texts by @vscode/],
    ['src/platform/x.ts', `import * as vscode from 'vscode'; vscode.l10n.t('Copy');`, /localize its texts by @vscode/],
    ['src/core/api/x.ts', `import * as l10n from '@vscode/l10n';`, /must not import @vscode/],
    ['src/utils.ts', ``, /is in no layer/],
    ['webview/x.ts', ``, /is in no layer/],
    ['src/core/api/x.cts', `const fs = require('../../platform/settings');`, /must not import src\/platform/],
    ['src/core/api/x.cts', `import fs = require('vscode');`, /must not import vscode/],
  ];
  for (const [file, source, reported] of faults) {
    it(`rejects in ${file}: ${source || '(nothing)'}`, () => {
      assert.match(violationsOf(file, source).join('\n'), reported);
    });
  }

  const fine: readonly (readonly [file: string, source: string])[] = [
    ['src/features/demo/x.ts', `await import('../../demo/server');`],
    ['src/features/chat/x.ts', `import type { MarkdownString } from 'vscode'; import { env, window } from 'vscode';`],
    ['src/core/conversation/x.ts', `import { messagesRequest } from '../api/messages/messages.schema';`],
    ['src/core/api/x.ts', `import { object } from 'zod/mini'; import fs from 'node:fs/promises';`],
    ['src/platform/x.ts', `import type { A } from '../core/jobs/job'; import { type B } from '../core/jobs/jobStore';`],
    ['src/platform/x.ts', `import { writeAtomic } from '../core/storage/atomicFile';`],
    ['webview/components/x.tsx', `import { Button } from '../toolkit'; const a = <Button />;`],
    ['src/cli/x.ts', `import { serveStdio } from '@modelcontextprotocol/server/stdio';`],
    ['src/core/batch/x.ts', `import * as l10n from '@vscode/l10n'; l10n.t('Copy');`],
    ['src/platform/x.ts', `import * as vscode from 'vscode'; useTranslations(vscode.l10n.bundle);`],
    ['src/desk.ts', `import { features } from './features';`],
    ['src/extension.ts', `await import('./desk');`],
    ['src/services/diagnostics/x.ts', `import { exchangeText } from './exchangeText';`],
    ['src/services/account/x.ts', `import type { ExchangeLog } from '../diagnostics/diagnostics';`],
  ];
  for (const [file, source] of fine) {
    it(`allows in ${file}: ${source}`, () => {
      assert.deepEqual(violationsOf(file, source), []);
    });
  }
});

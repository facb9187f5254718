import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { ApiError } from '../../src/core/api/errors';
import type { ApiErrorKind } from '../../src/core/api/errorKinds';
import type { ApiErrorInit } from '../../src/core/api/errors';
import { isProxyConfigured } from '../../src/services/account/openClient';
import { createRecentErrors } from '../../src/platform/errors/recentErrors';
import { createReport, isCancellation } from '../../src/platform/errors/report';
import { describe as words, runAction } from '../../src/platform/errors/reportError';
import { UserError } from '../../src/platform/errors/userError';
import { failureOf } from '../../src/platform/workerReading';
import { readErrorCases, runErrorCase } from '../support/errorCases';
import { setUpFolder } from '../support/temporaryFolder';

const productFolder = vscode.extensions.getExtension('inference-desk.inference-desk')?.extensionPath ?? '.';

/** By name, so that the compiler asks for a new kind here. */
const kinds: { readonly [Kind in ApiErrorKind]: Partial<ApiErrorInit> } = {
  auth: { status: 401 },
  region: { status: 403 },
  moderation: { status: 400, model: 'vendor/model' },
  permission: { status: 403 },
  balance: { status: 402 },
  invalidParameter: { issue: { parameter: 'top_p', rule: 'max', bound: 1, actual: 2 } },
  badRequest: { status: 400 },
  unknownModel: { status: 400, model: 'vendor/gone' },
  tooLong: { status: 400 },
  requestTooLarge: { status: 413 },
  notFound: { status: 404 },
  notOffered: { status: 410, endpoint: 'GET /user/info' },
  rateLimit: { status: 429, limit: 'TPM', retryAfterMs: 1500 },
  overloaded: { status: 503 },
  server: { status: 500 },
  network: {},
  proxy: {},
  certificate: {},
  timeout: { phase: 'connect' },
  aborted: {},
  truncated: {},
  badResponse: { status: 200 },
  unsafeUrl: {},
  tooLarge: {},
  file: {},
};

const make = (kind: ApiErrorKind, init: Partial<ApiErrorInit> = {}) =>
  new ApiError({ kind, message: 'In the words of the service.', ...kinds[kind], ...init });

describe('the message for an error', () => {
  for (const kind of Object.keys(kinds) as ApiErrorKind[]) {
    it(`says what happened and what to do: ${kind}`, () => {
      const { title, detail, kind: reported } = words(make(kind));
      equal(reported, kind);
      ok(title.length > 5 && title.length < 90, title);
      match(detail, /^(\p{Lu}|top_p).*[.”]$/su);
      ok(!/!|something went wrong|undefined|\[object/i.test(title + detail), detail);
    });
  }

  it('is separate for each limit, timer, and hint', () => {
    const titles = (errors: readonly ApiError[]) => errors.map((error) => words(error).title + words(error).detail);
    for (const different of [
      (['RPM', 'RPH', 'RPD', 'TPM', 'TPD', 'IPM', 'IPD', 'XYZ', undefined] as const).map((limit) =>
        make('rateLimit', { limit }),
      ),
      (['connect', 'firstByte', 'idle', 'total'] as const).map((phase) => make('timeout', { phase })),
      (['missingVersion', 'wrongBaseUrl', undefined] as const).map((hint) => make('notFound', { hint })),
      (['malformedKey', 'unknownKey', 'noKey'] as const).map((hint) => make('auth', { hint })),
      [make('badResponse'), make('badResponse', { hint: 'redirected' })],
      [make('server'), make('server', { hint: 'gatewayTimeout', status: 504 })],
      [make('auth'), make('auth', { status: undefined })],
    ])
      equal(new Set(titles(different)).size, different.length);
  });

  it('names the parameter and its bound', () => {
    match(
      words(make('invalidParameter')).detail,
      /top_p can't be greater than 1\. The value is 2\. The request wasn't sent\./,
    );
  });

  it('quotes the service only if the message is its own, up to a limit', () => {
    ok(!words(make('badRequest')).detail.includes('In the words'));
    match(
      words(make('badRequest', { fromService: true })).detail,
      /Message from the service: "In the words of the service."/,
    );
    match(words(make('badRequest', { fromService: true, message: 'No', traceId: 't' })).detail, /"No"\. Trace ID: t$/);
    ok(words(make('badRequest', { fromService: true, message: 'x'.repeat(9000) })).detail.length < 600);
  });

  it('says if you may have been charged, and includes what support needs', () => {
    const { detail, actions } = words(make('server', { maybeBilled: true, traceId: 'ti_1', exchangeId: 'e1' }));
    match(detail, /You may have been charged\. Trace ID: ti_1$/);
    equal(actions.at(-1)?.id, 'showExchange:e1');
  });

  it('suggests similar models for an unknown one', () => {
    const { actions } = words(make('unknownModel'), { nearestModels: ['vendor/near', 'vendor/far', 'vendor/farther'] });
    deepEqual(
      actions.map(({ id }) => id),
      ['useModel:vendor/near', 'useModel:vendor/far', 'chooseModel'],
    );
  });

  it('is the original message of a user error, and includes no stack for other errors', () => {
    equal(words(new UserError('Title', 'Detail.')).title, 'Title');
    const unexpected = words(new TypeError('x is not a function'));
    equal(unexpected.kind, 'unexpected');
    ok(!/\bat .*:\d+/.test(unexpected.detail));
  });
});

describe('the message for an error of a real service', () => {
  for (const one of readErrorCases(productFolder))
    it(`says what happened and what helps: ${one.name}`, async () => {
      const { title, detail = '', not, actions } = one.expected;
      const reported = words((await runErrorCase(one)).error);
      if (title !== undefined) equal(reported.title, title);
      match(reported.detail, new RegExp(detail));
      if (not !== undefined)
        ok(!new RegExp(not).test(`${reported.title} ${reported.detail}`), `${reported.title}. ${reported.detail}`);
      const ids = reported.actions.map(({ id }) => id).filter((id) => !id.startsWith('showExchange:'));
      if (actions !== undefined) deepEqual(ids, actions);
    });
});

describe('the message for a file system error', () => {
  const folder = setUpFolder();
  const codes =
    'ENOSPC EDQUOT EFBIG EROFS EACCES EPERM EMFILE ENFILE EIO ENOENT EISDIR ENOTDIR EEXIST ENOTEMPTY ENAMETOOLONG EBUSY ETXTBSY ELOOP ENODEV ESTALE'.split(
      ' ',
    );
  const failed = (code: string, facts: object = {}) =>
    Object.assign(new Error(`${code}: refused`), { code, syscall: 'open', path: '/home/x/store/notes.json', ...facts });
  const caught = async (work: () => PromiseLike<unknown>): Promise<unknown> => {
    try {
      await work();
    } catch (error) {
      return error;
    }
    throw new Error('It was not refused.');
  };
  const check = (error: unknown, title: RegExp, name?: string) => {
    const reported = words(error);
    equal(reported.kind, 'disk', `${String(error)}: ${reported.title}`);
    match(reported.title, title);
    match(reported.detail, /(?:^|\. )\p{Lu}[^.]+\.$/u);
    if (name !== undefined) ok(reported.detail.includes(`"${name}"`), reported.detail);
    ok(!/\/|undefined|mistake/.test(reported.title + reported.detail), reported.detail);
  };

  it('names the file and the fix for each error code', () => {
    for (const code of codes) check(failed(code), /^\p{Lu}.{10,60}[^.]$/u, 'notes.json');
    match(words(failed('ENOSPC')).title, /No space left on the disk/);
    match(words(failed('ENOSPC')).detail, /^Couldn't save "notes\.json"\. Free up some space, then try again\.$/);
    equal(words(failed('ENOSPC', { path: undefined })).detail, 'Free up some space, then try again.');
  });

  it('names the target of a rename, and shortens long names', () => {
    check(failed('EACCES', { syscall: 'rename', path: '/x/other', dest: '/x/a.json' }), /denied/, 'a.json');
    const long = words(failed('ENAMETOOLONG', { path: `/x/${'n'.repeat(5000)}` })).detail;
    ok(long.length < 300);
  });

  it('is the same for the cause of another error, and for an error from another process', () => {
    const wrapped = new Error('The gallery was not read', { cause: new AggregateError([failed('EROFS')]) });
    check(wrapped, /read-only/, 'notes.json');
    check(JSON.parse(JSON.stringify(failed('EMFILE'))), /Too many files/, 'notes.json');
    check(
      failureOf({ kind: 'EACCES', title: "EACCES: denied, open '/x/a.csv'", detail: '', actions: [] }),
      /denied/,
      'a.csv',
    );
    const { kind, title } = words(new ApiError({ kind: 'file', message: 'x', cause: failed('ENOSPC') }));
    deepEqual([kind, title], ['file', 'No space left on the disk']);
  });

  it('appears for real rejections by Node.js and VS Code', async () => {
    await mkdir(folder.in('folder'));
    await writeFile(folder.in('file'), '');
    const uri = (name: string) => vscode.Uri.file(folder.in(name));
    const { fs } = vscode.workspace;
    check(await caught(() => readFile(folder.in('gone'))), /missing/, 'gone');
    check(await caught(() => readFile(folder.in('folder'))), /folder has the same name/);
    check(await caught(() => mkdir(folder.in('file/below'))), /file has the same name/, 'below');
    check(await caught(() => mkdir(folder.in('folder'))), /already exists/, 'folder');
    check(await caught(() => writeFile(folder.in('n'.repeat(300)), '')), /too long/);
    check(await caught(() => fs.readFile(uri('gone'))), /missing/, 'gone');
    check(await caught(() => fs.writeFile(uri('folder'), Buffer.from('x'))), /folder has the same name/);
    check(await caught(() => fs.rename(uri('file'), uri('folder'))), /already exists/);
    check(vscode.FileSystemError.NoPermissions(uri('file')), /denied/, 'file');
    check(vscode.FileSystemError.Unavailable(uri('file')), /isn't available/);
    if (process.platform !== 'linux') return;
    check(await caught(() => writeFile('/dev/full', 'x')), /No space/);
    check(await caught(() => fs.writeFile(vscode.Uri.file('/dev/full'), Buffer.from('x'))), /No space/);
  });

  it("doesn't apply to connections, programs that don't start, or bugs", () => {
    for (const error of [
      failed('ECONNREFUSED', { syscall: 'connect' }),
      failed('EACCES', { syscall: 'connect' }),
      failed('ENOENT', { syscall: 'spawn node' }),
      failed('ERR_INVALID_ARG_TYPE'),
      new TypeError('x is not a function'),
    ])
      equal(words(error).kind, 'unexpected', error.message);
    equal(words(new ApiError({ kind: 'network', message: '', cause: failed('EACCES') })).kind, 'network');
  });
});

describe("an error whose messages can't be loaded", () => {
  it('is reported and logged unchanged', async () => {
    const logged: unknown[] = [];
    const log = { error: (error: unknown) => logged.push(error) } as unknown as vscode.LogOutputChannel;
    let isClosed = false;
    const error = new Error('What went wrong');
    void createReport({ log, recentErrors: createRecentErrors() }, () => Promise.reject(new Error('no file')))(
      error,
    ).then(() => (isClosed = true));
    while (!isClosed) await vscode.commands.executeCommand('notifications.clearAll');
    deepEqual(logged, [error]);
  });
});

describe('an action offered with an error', () => {
  it('is run only if the extension knows it', async () => {
    for (const id of ['workbench.action.quit', 'retry', 'useModel:x', '', 'constructor', '__proto__:x'])
      equal(await runAction(id), false, id);
  });

  it('is not offered for canceled work', () => {
    ok(isCancellation(make('aborted')));
    ok(isCancellation(new vscode.CancellationError()));
    ok(isCancellation(AbortSignal.abort().reason));
    ok(!isCancellation(make('truncated')));
  });
});

describe('a proxy', () => {
  it("is read from the environment and from VS Code's settings", async () => {
    equal(isProxyConfigured({}), false);
    equal(isProxyConfigured({ HTTPS_PROXY: 'http://proxy.example:3128' }), true);
    equal(isProxyConfigured({ http_proxy: ' ' }), false);
    const http = () => vscode.workspace.getConfiguration('http');
    await http().update('proxy', 'http://127.0.0.1:9', vscode.ConfigurationTarget.Global);
    try {
      equal(isProxyConfigured({}), true);
    } finally {
      await http().update('proxy', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});

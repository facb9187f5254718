import { deepEqual, equal, match, ok } from 'node:assert/strict';
import * as vscode from 'vscode';
import { ApiError } from '../../src/core/api/errors';
import type { ApiErrorInit, ApiErrorKind } from '../../src/core/api/errors';
import { isProxyConfigured } from '../../src/platform/proxy';
import { createRecentErrors } from '../../src/platform/recentErrors';
import { createReport, isCancellation } from '../../src/platform/report';
import { describe as words, runAction } from '../../src/platform/reportError';
import { UserError } from '../../src/platform/userError';

/** By name, so that the compiler asks for a new kind here. */
const kinds: { readonly [Kind in ApiErrorKind]: Partial<ApiErrorInit> } = {
  auth: { status: 401 },
  permission: { status: 403 },
  balance: { status: 402 },
  invalidParameter: { issue: { parameter: 'top_p', rule: 'max', bound: 1, actual: 2 } },
  badRequest: { status: 400 },
  unknownModel: { status: 400, model: 'vendor/gone' },
  tooLong: { status: 400 },
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
  file: {},
};

const make = (kind: ApiErrorKind, init: Partial<ApiErrorInit> = {}) =>
  new ApiError({ kind, message: 'In the words of the service.', ...kinds[kind], ...init });

describe('the words for an error', () => {
  for (const kind of Object.keys(kinds) as ApiErrorKind[]) {
    it(`say of ${kind} what happened and what to do`, () => {
      const { title, detail, kind: told } = words(make(kind));
      equal(told, kind);
      ok(title.length > 5 && title.length < 90, title);
      match(detail, /^(\p{Lu}|top_p).*[.”]$/su);
      ok(!/!|something went wrong|undefined|\[object/i.test(title + detail), detail);
    });
  }

  it('are those of its own for each limit, timer and hint', () => {
    const titles = (errors: readonly ApiError[]) => errors.map((error) => words(error).title + words(error).detail);
    for (const different of [
      (['RPM', 'RPH', 'RPD', 'TPM', 'TPD', 'IPM', 'IPD', 'XYZ', undefined] as const).map((limit) =>
        make('rateLimit', { limit }),
      ),
      (['connect', 'firstByte', 'idle', 'total'] as const).map((phase) => make('timeout', { phase })),
      (['missingVersion', 'wrongBaseUrl', undefined] as const).map((hint) => make('notFound', { hint })),
      (['malformedKey', 'unknownKey'] as const).map((hint) => make('auth', { hint })),
      [make('badResponse'), make('badResponse', { hint: 'redirected' })],
      [make('server'), make('server', { status: 504 })],
      [make('auth'), make('auth', { status: undefined })],
    ])
      equal(new Set(titles(different)).size, different.length);
  });

  it('name the parameter and its bound', () => {
    match(words(make('invalidParameter')).detail, /top_p must be at most 1\. It is 2\. Nothing was sent\./);
  });

  it('quote the service only where the message is its own, and not without end', () => {
    ok(!words(make('badRequest')).detail.includes('In the words'));
    match(words(make('badRequest', { fromService: true })).detail, /The service says: “In the words of the service.”/);
    ok(words(make('badRequest', { fromService: true, message: 'x'.repeat(9000) })).detail.length < 600);
  });

  it('say when it may have cost something, and give what support asks for', () => {
    const { detail, actions } = words(make('server', { maybeBilled: true, traceId: 'ti_1', exchangeId: 'e1' }));
    match(detail, /It may have been billed\. Trace id: ti_1$/);
    equal(actions.at(-1)?.id, 'showExchange:e1');
  });

  it('offer the nearest models for one that is unknown', () => {
    const { actions } = words(make('unknownModel'), { nearestModels: ['vendor/near', 'vendor/far', 'vendor/farther'] });
    deepEqual(
      actions.map(({ id }) => id),
      ['useModel:vendor/near', 'useModel:vendor/far', 'chooseModel'],
    );
  });

  it('are the own ones of a user error, and hold no stack for anything else', () => {
    equal(words(new UserError('Title', 'Detail.')).title, 'Title');
    const unexpected = words(new TypeError('x is not a function'));
    equal(unexpected.kind, 'unexpected');
    ok(!/\bat .*:\d+/.test(unexpected.detail));
  });
});

describe('an error whose words cannot be loaded', () => {
  it('is told and logged as it came', async () => {
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

describe('a step offered with an error', () => {
  it('is taken only when it is one the extension knows', async () => {
    for (const id of ['workbench.action.quit', 'retry', 'useModel:x', '', 'constructor', '__proto__:x'])
      equal(await runAction(id), false, id);
  });

  it('is not offered for what the person ended', () => {
    ok(isCancellation(make('aborted')));
    ok(isCancellation(new vscode.CancellationError()));
    ok(isCancellation(AbortSignal.abort().reason));
    ok(!isCancellation(make('truncated')));
  });
});

describe('a proxy', () => {
  it('is known from the environment and from the settings of the editor', async () => {
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

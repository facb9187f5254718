import { deepEqual, equal, ok } from 'node:assert/strict';
import { ApiError } from '../../../../src/core/api/errors';
import type { ApiErrorInit } from '../../../../src/core/api/errors';
import { systemCode } from '../../../../src/core/network/systemCode';
import { publicHosts } from '../../../../src/core/profiles/publicHosts';
import { diagnose as diagnoseTried } from '../../../../src/core/profiles/signInProblem';

const elsewhere = 'https://api.example.com/v1';
const diagnose = (error: ApiError, baseUrl: string, key = 'sk-0123456789') => diagnoseTried(error, { baseUrl, key });
const failed = (init: Partial<ApiErrorInit>) => new ApiError({ kind: 'server', message: 'x', ...init });
const withCode = (code: string) => Object.assign(new Error(code), { code });

describe('a failed sign-in', () => {
  it('offers the other public host first for a key that is unknown at one', () => {
    const error = failed({ kind: 'auth', status: 401, hint: 'unknownKey' });
    equal(diagnose(error, publicHosts.china).cause, 'keyUnknown');
    equal(diagnose(error, publicHosts.china).fixes[0], 'otherHost');
    equal(diagnose(error, elsewhere).fixes[0], 'editKey');
    ok(!diagnose(error, elsewhere).fixes.includes('otherHost'));
  });

  it('offers the console pages for keys and identity verification, if the service has them', () => {
    const unknown = failed({ kind: 'auth', status: 401 });
    const forbidden = failed({ kind: 'permission', status: 403 });
    ok(diagnose(unknown, publicHosts.china).fixes.includes('getKey'));
    deepEqual(diagnose(forbidden, publicHosts.china).fixes.slice(0, 3), ['editKey', 'verifyIdentity', 'getKey']);
    ok(!diagnose(forbidden, publicHosts.international).fixes.includes('verifyIdentity'));
    ok(!diagnose(unknown, elsewhere).fixes.includes('getKey'));
  });

  it('distinguishes a malformed key from an unknown one', () => {
    equal(diagnose(failed({ kind: 'auth', status: 401, hint: 'malformedKey' }), elsewhere).cause, 'keyMalformed');
  });

  it("says that a key is required if none was sent, whatever the service's message", () => {
    for (const kind of ['auth', 'permission'] as const) {
      const problem = diagnose(failed({ kind, status: 401, hint: 'unknownKey' }), elsewhere, '');
      deepEqual(problem, { cause: 'keyNeeded', fixes: ['enterKey', 'editAddress'] }, kind);
    }
    equal(diagnose(failed({ kind: 'timeout' }), elsewhere, '').cause, 'timeout');
    deepEqual(diagnose(failed({ kind: 'badRequest' }), elsewhere, '').fixes, ['retry', 'enterKey', 'editAddress']);
  });

  it('distinguishes a URL without its version from a wrong one', () => {
    const missing = diagnose(failed({ kind: 'notFound', status: 404, hint: 'missingVersion' }), elsewhere);
    deepEqual(missing, { cause: 'missingVersion', fixes: ['addVersion', 'editAddress'] });
    equal(diagnose(failed({ kind: 'notFound', status: 404, hint: 'wrongBaseUrl' }), elsewhere).cause, 'wrongAddress');
    equal(diagnose(failed({ kind: 'badResponse', status: 302, hint: 'redirected' }), elsewhere).cause, 'redirected');
    equal(diagnose(failed({ kind: 'badResponse', status: 200 }), elsewhere).cause, 'notTheInterface');
  });

  it('explains problems on the way to the service', () => {
    const causeOf = (code: string) => diagnose(failed({ kind: 'network', cause: withCode(code) }), elsewhere).cause;
    equal(causeOf('ENOTFOUND'), 'nameNotFound');
    equal(causeOf('ECONNREFUSED'), 'refused');
    equal(causeOf('ECONNRESET'), 'unreachable');
    for (const kind of ['proxy', 'certificate', 'timeout'] as const)
      equal(diagnose(failed({ kind }), elsewhere).cause, kind);
  });

  it('allows saving an unchecked key only if the check says nothing about the key', () => {
    for (const kind of ['network', 'proxy', 'certificate', 'timeout', 'overloaded', 'rateLimit'] as const)
      ok(diagnose(failed({ kind }), elsewhere).fixes.includes('keepUnchecked'), kind);
    for (const kind of ['auth', 'notFound', 'badResponse'] as const)
      ok(!diagnose(failed({ kind }), elsewhere).fixes.includes('keepUnchecked'), kind);
  });

  it('offers the request and response if they exist', () => {
    equal(diagnose(failed({ exchangeId: 'e1' }), elsewhere).fixes.at(-1), 'showExchange');
  });
});

describe("the system's code", () => {
  it('is found through wrapped errors and aggregates', () => {
    const aggregate = new AggregateError([withCode('ECONNREFUSED'), withCode('ENETUNREACH')]);
    equal(systemCode(failed({ cause: new Error('fetch failed', { cause: aggregate }) })), 'ECONNREFUSED');
    equal(systemCode(failed({})), undefined);
  });

  it('is searched without end in a circular chain', () => {
    const error = new Error('loop');
    error.cause = error;
    equal(systemCode(error), undefined);
  });
});

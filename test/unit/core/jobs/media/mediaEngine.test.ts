import { equal, ok } from 'node:assert/strict';
import { ApiError } from '../../../../../src/core/api/errors';
import type { ApiErrorKind } from '../../../../../src/core/api/errorKinds';
import { StepFailure } from '../../../../../src/core/jobs/job';
import { askStatus } from '../../../../../src/core/jobs/media/mediaEngine';
import type { MediaJob } from '../../../../../src/core/jobs/media/mediaJob';
import type { MediaService } from '../../../../../src/core/jobs/media/mediaService';

const signal = new AbortController().signal;
const thrown = (error: unknown, failures?: number): Promise<unknown> => {
  const videos = { status: () => Promise.reject(error) };
  const job = { requestId: 'r', ...(failures !== undefined && { failures }) };
  return askStatus({ videos } as unknown as MediaService, job as MediaJob, signal).catch((reason: unknown) => reason);
};

describe('a requested video', () => {
  const kinds: Readonly<Partial<Record<ApiErrorKind, boolean>>> = {
    notFound: true,
    badRequest: true,
    notOffered: false,
    auth: false,
    network: false,
    timeout: false,
    badResponse: false,
    aborted: false,
  };
  for (const [kind, isGone] of Object.entries(kinds) as [ApiErrorKind, boolean][]) {
    it(`${isGone ? 'is missing' : 'is checked again'} after the response ${kind}`, async () => {
      const error = new ApiError({ kind, message: 'x', sent: true });
      const reason = await thrown(error);
      if (!isGone) return equal(reason, error);
      ok(reason instanceof StepFailure);
      equal(reason.jobError.kind, 'gone');
    });
  }

  it('is permanently missing at the fifth time, and not before', async () => {
    for (const [failures, isFinal] of [
      [undefined, undefined],
      [0, undefined],
      [3, undefined],
      [4, true],
      [5, true],
    ] as const) {
      const reason = await thrown(new ApiError({ kind: 'notFound', message: 'x', sent: true }), failures);
      ok(reason instanceof StepFailure);
      equal(reason.jobError.isFinal, isFinal, String(failures));
    }
  });

  it('is checked again after any other error', async () => {
    const error = new TypeError('x');
    equal(await thrown(error), error);
  });
});

import assert from 'node:assert/strict';
import { submitCalls } from '../../../src/protocol/batchSubmit';

const request = { profileId: 'p', hours: 24, metadata: { name: 'Tickets' }, takeErrors: false };

describe('A request to submit a batch', () => {
  const fits = (params: unknown) => submitCalls['submit/send'].safeParse(params).success;

  it('can name a model and an upload, but not leave them empty', () => {
    assert.ok(fits(request));
    assert.ok(fits({ ...request, model: 'vendor/model', upload: 'file-1' }));
    assert.ok(!fits({ ...request, model: '' }));
    assert.ok(!fits({ ...request, upload: '' }));
  });

  it('has whole hours, and metadata without the key that identifies the batch later', () => {
    assert.ok(!fits({ ...request, hours: 24.5 }));
    assert.ok(!fits({ ...request, metadata: { '': 'x' } }));
    assert.ok(!fits({ ...request, metadata: { inference_desk_job: 'x' } }));
  });
});

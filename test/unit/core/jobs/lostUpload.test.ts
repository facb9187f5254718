import assert from 'node:assert/strict';
import { toApiError } from '../../../../src/core/api/parseError';
import { newJob, withoutLostUpload } from '../../../../src/core/jobs/batch/newJob';
import { toJobError } from '../../../../src/core/jobs/job';

const input = { path: '/requests.jsonl', sha256: '', bytes: 1, requests: 1 };
const submission = {
  path: input.path,
  profileId: 'account',
  baseUrl: 'https://api.example/v1',
  completion_window: '24h',
  inputFileId: 'file-1',
};

describe('a batch whose input file is missing at the service', () => {
  /** How services refuse a batch whose input file they do not have, or do not have any more. */
  const lostFiles: readonly (readonly [server: string, status: number, body: object])[] = [
    [
      'OpenAI',
      404,
      { error: { message: 'No such File object: file-1', type: 'invalid_request_error', param: 'id', code: null } },
    ],
    ['VoyageAI', 404, { detail: 'Input file not found' }],
    ['a gateway in Python', 404, { detail: 'input_file_id not found' }],
    [
      'LiteLLM 1.75',
      400,
      { error: { message: "Error code: 400 - Invalid file id: 'file-1'", type: 'None', param: 'None', code: '400' } },
    ],
    ['a gateway in Go', 400, { error: { message: 'file-1 belongs to nobody', type: 'invalid_request_error' } }],
    ['a service that keeps files for a month', 400, { message: 'The file has expired. Upload it again.', code: 400 }],
  ];
  const isUploadedAgain = (status: number, body: object) => {
    const error = toApiError({ status, headers: {}, body: JSON.stringify(body), now: 0 });
    const lastError = { ...toJobError(error, 'refused'), at: 0 };
    const job = { ...newJob(submission, { id: 'j', createdAt: 0, input, sent: undefined }), lastError };
    return withoutLostUpload(job).inputFileId === undefined;
  };

  for (const [server, status, body] of lostFiles) {
    it(`uploads a missing file again after the message of ${server}`, () => {
      assert.equal(isUploadedAgain(status, body), true);
    });
  }

  it("doesn't upload again after any other rejection", () => {
    const others: readonly (readonly [number, object])[] = [
      [402, { error: { message: 'No such file: the balance is used up', type: 'billing_error' } }],
      [400, { error: { message: 'completion_window must be 24h', param: 'completion_window' } }],
      [400, { error: { message: 'The model `m` does not exist', code: 'model_not_found' } }],
      [500, { error: { message: 'The file was not found' } }],
    ];
    for (const [status, body] of others) assert.equal(isUploadedAgain(status, body), false, JSON.stringify(body));
  });
});

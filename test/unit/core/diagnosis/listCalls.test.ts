import assert from 'node:assert/strict';
import type { Exchange } from '../../../../src/core/api/exchange';
import { listCalls } from '../../../../src/core/diagnosis/listCalls';

const call = (id: string, [method = '', path = '']: readonly string[], changes: Partial<Exchange> = {}): Exchange => ({
  id,
  at: 0,
  method,
  origin: 'https://api.example.com',
  path,
  stack: 'undici',
  attempts: [],
  request: { headers: {}, bytes: 0 },
  durationMs: 1,
  ...changes,
});
const [models, status, ask] = [
  ['GET', '/v1/models'],
  ['POST', '/v1/video/status'],
  ['POST', '/v1/messages'],
];

describe('the list of calls for troubleshooting', () => {
  it('shows failed calls first, and merges identical ones', () => {
    const listed = listCalls([
      call('9', status),
      call('8', ask),
      call('7', ['GET', '/v1/models?type=text']),
      call('6', models, { errorKind: 'server' }),
      call('5', status),
      call('4', ask, { errorKind: 'aborted' }),
      call('3', status, { errorKind: 'timeout' }),
      call('2', models),
      call('1', ask),
    ]);
    assert.deepEqual(
      listed.map(({ call: { id }, repeats }) => [id, repeats]),
      [
        ['6', 0],
        ['3', 0],
        ['9', 1],
        ['8', 0],
        ['7', 1],
        ['4', 0],
        ['1', 0],
      ],
    );
  });
});

import { deepEqual, ok } from 'node:assert/strict';
import { textTimers } from '../../../../src/core/profiles/textTimers';

describe('the limit for the first byte of a text response', () => {
  it('is that of the setting for a service on the internet', () => {
    deepEqual(textTimers('https://api.siliconflow.com/v1', 300), { firstByteMs: 300_000 });
  });

  for (const [what, baseUrl, seconds] of [
    ['a server on this machine', 'http://localhost:8080/v1', 300],
    ['a server in a private network', 'http://192.168.0.7:8000/v1', 300],
    ['a server with a name that public DNS does not resolve', 'http://gpu.local/v1', 300],
    ['a server that a container reaches by name', 'http://host.docker.internal:8080/v1', 300],
    ['a server in a private overlay network', 'http://100.101.102.103:8000/v1', 300],
    ['any service if the setting is 0', 'https://api.siliconflow.com/v1', 0],
  ] as const)
    it(`is unlimited for ${what}`, () => {
      const { firstByteMs, totalMs = 0 } = textTimers(baseUrl, seconds);
      ok(firstByteMs >= 86_400_000 && totalMs >= firstByteMs);
    });
});

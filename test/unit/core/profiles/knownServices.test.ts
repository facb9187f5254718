import { deepEqual, equal } from 'node:assert/strict';
import { isVendor, knownServiceOf, knownServices } from '../../../../src/core/profiles/knownServices';
import { normaliseBaseUrl } from '../../../../src/core/profiles/baseUrl';

const known = (baseUrl: string) => knownServiceOf(baseUrl)?.id;

describe('the known services', () => {
  it('have valid URLs, each found by its own', () => {
    for (const { id, baseUrl } of knownServices) {
      const address = normaliseBaseUrl(baseUrl);
      deepEqual(address.ok && [address.baseUrl, address.missingVersion], [baseUrl, false], id);
      equal(known(baseUrl), id);
    }
  });

  it('are found on the internet by their origin, for any path', () => {
    equal(known('https://api.anthropic.com'), 'anthropic');
    equal(known('https://openrouter.ai/api/v1/'), 'openrouter');
    equal(known('http://api.openai.com/v1'), undefined);
    equal(known('https://api.openai.com.example.org/v1'), undefined);
    equal(known('https://api.openai.com:8443/v1'), undefined);
    equal(known('no address'), undefined);
  });

  it('are found on this machine by their port, under any of its names', () => {
    equal(known('http://127.0.0.1:11434/v1'), 'ollama');
    equal(known('http://[::1]:1234/v1'), 'lmStudio');
    equal(known('http://localhost:8080'), 'llamaCpp');
    equal(known('http://192.168.0.2:8000/v1'), undefined);
    equal(known('http://localhost:9000/v1'), undefined);
  });

  it('send their key as documented', () => {
    deepEqual(
      knownServices.filter(({ auth }) => auth === 'x-api-key').map(({ id }) => id),
      ['anthropic'],
    );
    deepEqual(
      knownServices.filter(({ key }) => key === 'none').map(({ id }) => id),
      ['ollama'],
    );
  });
});

describe('the rules of the public service', () => {
  it('apply only at its two hosts and at the demo service', () => {
    const addresses = {
      'https://api.siliconflow.com/v1': true,
      'https://api.siliconflow.cn/v1': true,
      'http://127.0.0.1:4711/demo/v1': true,
      'http://127.0.0.1:4711/demo/v1/': true,
      'http://127.0.0.1:4711/v1': false,
      'http://192.168.0.2:4711/demo/v1': false,
      'https://demo.example.com/demo/v1': false,
      'https://api.openai.com/v1': false,
      '': false,
    };
    for (const [address, applies] of Object.entries(addresses)) equal(isVendor(address), applies, address);
    equal(known('http://127.0.0.1:4711/demo/v1'), 'demo');
    // The demo may come up on any port, also on one that another server usually has.
    equal(known('http://127.0.0.1:8080/demo/v1'), 'demo');
  });
});

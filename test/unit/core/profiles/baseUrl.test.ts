import { deepEqual, equal } from 'node:assert/strict';
import { looksLikeKey } from '../../../../src/core/profiles/apiKey';
import { isLoopback, isUnencrypted, normaliseBaseUrl } from '../../../../src/core/profiles/baseUrl';

const accepted = (text: string) => {
  const result = normaliseBaseUrl(text);
  return result.ok ? result.baseUrl : result.problem;
};

describe('a base URL', () => {
  it('is unchanged if it is a clean https URL', () => {
    deepEqual(normaliseBaseUrl('https://api.example.com/v1'), {
      ok: true,
      baseUrl: 'https://api.example.com/v1',
      origin: 'https://api.example.com',
      missingVersion: false,
    });
  });

  it('loses surrounding space and trailing slashes', () => {
    equal(accepted('  https://api.example.com/v1//\n'), 'https://api.example.com/v1');
  });

  it('defaults to https, and to http on this machine', () => {
    equal(accepted('api.example.com/v1'), 'https://api.example.com/v1');
    equal(accepted('localhost:8080/v1'), 'http://localhost:8080/v1');
    equal(accepted('127.0.0.1:8080/v1'), 'http://127.0.0.1:8080/v1');
  });

  it('loses the path of a call', () => {
    for (const call of ['/chat/completions', '/completions', '/messages', '/models/', '/images/generations'])
      equal(accepted(`https://api.example.com/v1${call}`), 'https://api.example.com/v1', call);
  });

  it('reports that its path contains no version', () => {
    for (const [address, missing] of [
      ['https://api.example.com', true],
      ['https://api.example.com/', true],
      ['https://api.example.com/openai', true],
      ['https://api.example.com/v1beta', false],
      ['https://api.example.com/v2/openai', false],
    ] as const) {
      const result = normaliseBaseUrl(address);
      equal(result.ok && result.missingVersion, missing, address);
    }
  });

  it('can be plain http on this machine', () => {
    equal(accepted('http://api.example.com/v1'), 'plainHttp');
    equal(accepted('http://[::1]:8000/v1'), 'http://[::1]:8000/v1');
  });

  it('can be plain http in a private network only if the user allowed it', () => {
    const inside = [
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.254',
      '192.168.0.10',
      '100.101.102.103',
      '[fd12:3456::1]',
      '[fe80::1]',
      '[::ffff:c0a8:a]',
    ];
    const named = ['gpu.local', 'gpu', 'gpu.local.', 'gpu.lan', 'host.docker.internal', 'gpu.home.arpa'];
    for (const host of [...inside, ...named]) {
      equal(accepted(`http://${host}:8000/v1`), 'privateHttp', host);
      equal(normaliseBaseUrl(`http://${host}:8000/v1`, { allowHttp: true }).ok, true, host);
    }
    const outside = [
      '172.32.0.1',
      '11.0.0.1',
      '100.128.0.1',
      '192.169.0.1',
      '169.254.169.254',
      '8.8.8.8',
      '[2001:db8::1]',
      '[::ffff:808:808]',
    ];
    for (const host of [...outside, 'api.example.com', 'gpu.local.example.com', 'local.com', '10.0.0.1.example.com']) {
      const result = normaliseBaseUrl(`http://${host}/v1`, { allowHttp: true });
      equal(!result.ok && result.problem, 'plainHttp', host);
    }
  });

  it('defaults to http in a private network, because few servers there have a certificate', () => {
    equal(accepted('192.168.0.10:8000/v1'), 'privateHttp');
    equal(accepted('gpu:8000/v1'), 'privateHttp');
    equal(accepted('https://192.168.0.10:8000/v1'), 'https://192.168.0.10:8000/v1');
  });

  it('is unencrypted if it is http to another machine', () => {
    equal(isUnencrypted('http://192.168.0.10:8000/v1'), true);
    equal(isUnencrypted('http://127.0.0.1:8000/v1'), false);
    equal(isUnencrypted('https://192.168.0.10:8000/v1'), false);
  });

  it('is rejected if a host only looks like this machine', () => {
    for (const host of ['localhost.example.com', '127.0.0.1.example.com'])
      equal(accepted(`http://${host}/v1`), 'plainHttp', host);
    equal(accepted('http://notlocalhost/v1'), 'privateHttp');
  });

  it('is rejected if it is a key, which would be shown and resolved as a host name', () => {
    const keys = [
      'sk-0123456789abcdef',
      'sk-proj-a_b-c0123456789',
      'https://sk-0123456789abcdef',
      'gsk_0123456789abcdefABCDEF',
      'hf_abcdefghij0123456789',
      'AIzaSyA0123456789abcdefghijklmnopqrstuv',
      '0123456789abcdef0123456789abcdef',
      '0123456789abcdef0123456789abcdef.AbCdEfGhIjKl',
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
    ];
    for (const key of keys) deepEqual([accepted(key), looksLikeKey(key)], ['key', true], key);
    for (const key of ['Bearer anything-at-all', 'Authorization: Bearer abc', 'x-api-key: abc'])
      deepEqual([accepted(key), looksLikeKey(key)], ['notAnAddress', true], key);
    const addresses = [
      'sk-server.example.com/v1',
      'gpu-server-01',
      'llm-inference-cluster-node-7',
      'http://deep-learning-server-0042-of-many/v1',
      'https://0123456789abcdef0123456789abcdef.example.com/v1',
      'sk-gpu:8000/v1',
      'sk-short',
    ];
    for (const address of addresses)
      deepEqual([accepted(address) === 'key', looksLikeKey(address)], [false, false], address);
  });

  it('is rejected with credentials, a query, or a fragment, which would appear in logs', () => {
    for (const credentials of ['me:secret', 'sk-0123456789', ':secret'])
      equal(accepted(`https://${credentials}@api.example.com/v1`), 'credentials', credentials);
    equal(accepted('https://api.example.com/v1?key=abc'), 'query');
    equal(accepted('https://api.example.com/v1#top'), 'query');
  });

  it('is rejected if it is invalid', () => {
    equal(accepted(' '), 'empty');
    equal(accepted('api example com'), 'notAnAddress');
    equal(accepted('https://'), 'notAnAddress');
    equal(accepted('file:///etc/passwd'), 'notAnAddress');
    equal(accepted('ftp://api.example.com/v1'), 'scheme');
  });

  it('recognizes numeric forms of this machine, as URL normalizes them', () => {
    equal(accepted('http://0x7f.1/v1'), 'http://127.0.0.1/v1');
    equal(isLoopback(new URL('http://127.1').hostname), true);
    equal(isLoopback('[::2]'), false);
  });
});

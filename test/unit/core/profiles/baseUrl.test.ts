import { deepEqual, equal } from 'node:assert/strict';
import { isLoopback, normaliseBaseUrl } from '../../../../src/core/profiles/baseUrl';

const accepted = (text: string) => {
  const result = normaliseBaseUrl(text);
  return result.ok ? result.baseUrl : result.problem;
};

describe('the address of a service', () => {
  it('is kept as it is when it is a clean https address', () => {
    deepEqual(normaliseBaseUrl('https://api.example.com/v1'), {
      ok: true,
      baseUrl: 'https://api.example.com/v1',
      origin: 'https://api.example.com',
      missingVersion: false,
    });
  });

  it('loses surrounding space and slashes at its end', () => {
    equal(accepted('  https://api.example.com/v1//\n'), 'https://api.example.com/v1');
  });

  it('is https when no scheme was typed, and http on this machine', () => {
    equal(accepted('api.example.com/v1'), 'https://api.example.com/v1');
    equal(accepted('localhost:8080/v1'), 'http://localhost:8080/v1');
    equal(accepted('127.0.0.1:8080/v1'), 'http://127.0.0.1:8080/v1');
  });

  it('loses the path of a call that was pasted with it', () => {
    for (const call of ['/chat/completions', '/completions', '/messages', '/models/', '/images/generations'])
      equal(accepted(`https://api.example.com/v1${call}`), 'https://api.example.com/v1', call);
  });

  it('says when no part of its path is a version', () => {
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

  it('may be plain http only on this machine', () => {
    equal(accepted('http://api.example.com/v1'), 'plainHttp');
    equal(accepted('http://192.168.0.10:8000/v1'), 'plainHttp');
    equal(accepted('http://[::1]:8000/v1'), 'http://[::1]:8000/v1');
  });

  it('is refused when a host only looks like this machine', () => {
    for (const host of ['localhost.example.com', '127.0.0.1.example.com', 'notlocalhost'])
      equal(accepted(`http://${host}/v1`), 'plainHttp', host);
  });

  it('is refused with credentials, a query or a fragment, which would end up in logs', () => {
    equal(accepted('https://me:secret@api.example.com/v1'), 'credentials');
    equal(accepted('https://api.example.com/v1?key=abc'), 'query');
    equal(accepted('https://api.example.com/v1#top'), 'query');
  });

  it('is refused when it is none', () => {
    equal(accepted(' '), 'empty');
    equal(accepted('api example com'), 'notAnAddress');
    equal(accepted('https://'), 'notAnAddress');
    equal(accepted('file:///etc/passwd'), 'notAnAddress');
    equal(accepted('ftp://api.example.com/v1'), 'scheme');
  });

  it('knows numeric forms of this machine, as URL spells them', () => {
    equal(accepted('http://0x7f.1/v1'), 'http://127.0.0.1/v1');
    equal(isLoopback(new URL('http://127.1').hostname), true);
    equal(isLoopback('[::2]'), false);
  });
});

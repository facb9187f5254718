import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { download, type DownloadOptions } from '../../../../../src/core/api/transport/download';
import type { DownloadRequest, HttpStack } from '../../../../../src/core/api/transport/transport';
import { createUndiciStack } from '../../../../../src/core/api/transport/undiciTransport';
import { type OriginHandler, type OriginServer, startOrigin } from '../../../../support/originServer';
import { setUpFolder } from '../../../../support/temporaryFolder';
import { failureOf } from './stackHarness';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('downloading a result', () => {
  const folder = setUpFolder();
  let stack: HttpStack;
  let origin: OriginServer;
  const start = async (handler: OriginHandler) => {
    origin = await startOrigin(handler);
    return origin;
  };
  beforeEach(() => {
    stack = createUndiciStack();
  });
  afterEach(async () => {
    await stack.close();
    await origin?.close();
  });
  const fetchTo = (url: URL | string, request: Partial<DownloadRequest> = {}) =>
    download(
      stack,
      { url: String(url), toPath: folder.in('result'), maxBytes: 10_000_000, ...request },
      { loopbackProfile: true },
    );
  const files = () => readdir(folder.path());
  let partTo: string;
  beforeEach(() => (partTo = folder.in('part')));

  it('writes the complete file, detects its type by content, and reports progress', async () => {
    const { url } = await start((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': png.length }).end(png);
    });
    const progress: unknown[] = [];
    const onProgress = (bytes: number, total: number | undefined) => void progress.push([bytes, total]);
    assert.deepEqual(await fetchTo(url, { onProgress }), {
      path: folder.in('result'),
      bytes: png.length,
      contentType: 'image/png',
    });
    assert.deepEqual(await readFile(folder.in('result')), png);
    assert.deepEqual([progress.at(-1), await files()], [[png.length, png.length], ['result']]);
  });

  it('follows redirects, sends no key, and stops after five', async () => {
    const authorizations: unknown[] = [];
    const { url } = await start((request, response) => {
      authorizations.push(request.headers.authorization);
      const left = Number(request.url?.slice(1));
      if (left > 0)
        response.writeHead([301, 302, 303, 307, 308][left % 5] ?? 302, { location: `/${left - 1}` }).end('elsewhere');
      else response.end('done');
    });
    assert.equal((await fetchTo(new URL('5', url))).bytes, 4);
    assert.deepEqual(new Set(authorizations), new Set([undefined]));
    assert.equal((await failureOf(fetchTo(new URL('6', url)))).kind, 'unsafeUrl');
  });

  it('closes the connection of a response that it does not read', async () => {
    const { url } = await start((request, response) => {
      const headers = { 'content-length': 5000, ...(request.url === '/elsewhere' && { location: '/large' }) };
      response.writeHead(request.url === '/elsewhere' ? 302 : 200, headers).write('x');
    });
    const refusals = [
      fetchTo(new URL('elsewhere', url), { maxBytes: 10 }),
      fetchTo(new URL('large', url), { maxBytes: 10 }),
      fetchTo(url, { toPath: folder.in('no/such/folder') }),
    ];
    const kinds = await Promise.all(refusals.map(async (one) => (await failureOf(one)).kind));
    assert.deepEqual(kinds, ['tooLarge', 'tooLarge', 'file']);
    await origin.allClosed();
  });

  it('leaves no file if fewer bytes arrive than stated, unless a place for the part is given', async () => {
    const { url } = await start((_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.socket?.end());
    });
    assert.equal((await failureOf(fetchTo(url))).kind, 'truncated');
    assert.deepEqual(await files(), []);
    assert.equal((await failureOf(fetchTo(url, { partTo }))).kind, 'truncated');
    assert.deepEqual([await files(), await readFile(partTo, 'utf8')], [['part'], 'half']);
  });

  it('rejects a file that is too large, by its stated length or during the download', async () => {
    const { url } = await start((request, response) => {
      if (request.url === '/stated') response.writeHead(200, { 'content-length': 5000 });
      response.end(Buffer.alloc(5000));
    });
    for (const path of ['stated', 'unstated']) {
      const error = await failureOf(fetchTo(new URL(path, url), { maxBytes: 4999, partTo }));
      assert.deepEqual([error.kind, await files()], ['tooLarge', []]);
    }
    assert.equal((await fetchTo(new URL('unstated', url), { maxBytes: 5000 })).bytes, 5000);
  });

  it('distinguishes an expired URL from a broken server', async () => {
    const { url } = await start((request, response) => {
      const status = Number(request.url?.slice(1));
      response.writeHead(status, status === 302 ? {} : { location: '/200' }).end('<html>no</html>');
    });
    const kinds = {
      302: 'badResponse',
      403: 'notFound',
      404: 'notFound',
      410: 'notFound',
      429: 'rateLimit',
      500: 'server',
      503: 'overloaded',
      206: 'badResponse',
    };
    for (const [status, kind] of Object.entries(kinds)) {
      const error = await failureOf(fetchTo(new URL(status, url)));
      assert.deepEqual([error.kind, error.details.status], [kind, Number(status)]);
      assert.equal(error.message.includes('expired'), kind === 'notFound');
    }
  });

  it("reports that the file can't be written, and keeps the existing one", async () => {
    const { url } = await start((_request, response) => void response.end('x'));
    const error = await failureOf(fetchTo(url, { toPath: folder.in('no/such/folder') }));
    assert.deepEqual([error.kind, error.message.includes('ENOENT')], ['file', true]);
  });

  it('can be canceled, and leaves no file', async () => {
    const controller = new AbortController();
    const { url } = await start((_request, response) => void response.write('part'));
    const error = await failureOf(
      fetchTo(url, { signal: controller.signal, partTo, onProgress: () => controller.abort() }),
    );
    await origin.allClosed();
    assert.deepEqual([error.kind, await files()], ['aborted', []]);
  });
});

describe('downloadable result URLs', () => {
  const folder = setUpFolder();

  /** Names of a made-up internet; the stack answers from a table and records what it was asked. */
  function world(redirects: Readonly<Record<string, string>>, addresses: Readonly<Record<string, string>> = {}) {
    const asked: string[] = [];
    const stack: HttpStack = {
      name: 'undici',
      async send({ url, headers }) {
        asked.push(url.href);
        assert.ok(!('authorization' in headers));
        const location = redirects[url.href];
        const body = (async function* () {
          yield Buffer.from('ok');
        })();
        return location ? { status: 302, headers: { location }, body } : { status: 200, headers: {}, body };
      },
      async close() {},
    };
    const resolve = async (host: string) => {
      const address = addresses[host];
      if (!address) throw new Error('ENOTFOUND');
      return [address];
    };
    const get = (url: string, options: Partial<DownloadOptions> & Pick<DownloadRequest, 'allowPlainHttp'> = {}) => {
      const { allowPlainHttp, ...policy } = options;
      const request = { url, toPath: folder.in('result'), maxBytes: 100, allowPlainHttp };
      return download(stack, request, { loopbackProfile: false, resolve, ...policy });
    };
    return { asked, get };
  }

  const refused: Readonly<Record<string, string>> = {
    'plain http': 'http://cdn.test/a.png',
    'a host name of this machine': 'https://localhost/x',
    'a name below localhost': 'https://a.localhost:8443/x',
    'a loopback address': 'https://127.0.0.1:9/x',
    'a loopback address in another spelling': 'https://0x7f.1/x',
    'a loopback address as one number': 'https://2130706433/x',
    'the unspecified address': 'https://0.0.0.0/x',
    'loopback in IPv6': 'https://[::1]/x',
    'loopback mapped into IPv6': 'https://[::ffff:127.0.0.1]/x',
    'a cloud metadata service': 'https://169.254.169.254/latest/meta-data',
    'a private network': 'https://192.168.1.1/admin',
    'a private network in IPv6': 'https://[fd00::1]/x',
    'this machine through a translated address': 'https://[64:ff9b::7f00:1]/x',
    'a private network through a translated address': 'https://[64:ff9b::a00:8]/x',
    'this machine through a 6to4 address': 'https://[2002:7f00:1::]/x',
    'a private network through a 6to4 address': 'https://[2002:c0a8:101::1]/x',
    'a private network through a compatible address': 'https://[::10.0.0.8]/x',
    'a cloud host through a mapped address': 'https://[::ffff:169.254.169.254]/x',
    'a public name that leads to this machine': 'https://rebound.test/x',
    'a public name that leads to a private network': 'https://inside.test/x',
    'a file': 'file:///etc/passwd',
    'a command': 'javascript:alert(1)',
    'a user name and a password': 'https://user:secret@cdn.test/x',
    'a user name': 'https://secret@cdn.test/x',
    'a password': 'https://:secret@cdn.test/x',
    'an invalid URL': 'not an address',
  };
  const addresses = { 'cdn.test': '203.0.113.7', 'rebound.test': '127.0.0.1', 'inside.test': '10.0.0.8' };
  for (const [what, url] of Object.entries(refused)) {
    it(`exclude ${what} from a remote service, which gets no request`, async () => {
      const { get, asked } = world({}, addresses);
      const error = await failureOf(get(url));
      assert.deepEqual([error.kind, error.details.sent, asked], ['unsafeUrl', false, []]);
      assert.ok(!error.message.includes('secret'));
    });
  }
  for (const [what, url] of Object.entries(refused).filter(([, address]) => URL.canParse(address))) {
    it(`exclude a redirect to ${what}`, async () => {
      const { get, asked } = world({ 'https://cdn.test/first': url }, addresses);
      assert.equal((await failureOf(get('https://cdn.test/first'))).kind, 'unsafeUrl');
      assert.deepEqual(asked, ['https://cdn.test/first']);
    });
  }

  it('include https with a public address or name, and with a name that only the proxy knows', async () => {
    const { get } = world({}, addresses);
    const named = ['cdn.test', 'unknown-here.test'];
    // The ends of these are also those of addresses of a private network, or lead to a public one.
    const numbered = ['203.0.113.7', '[2001:4860::a00:8]', '[64:ff9b::cb00:7107]', '[2002:cb00:7107::1]'];
    for (const host of [...named, ...numbered]) assert.equal((await get(`https://${host}/a?sig=1`)).bytes, 2, host);
  });

  it('include this machine from a service on this machine, by address and by name', async () => {
    const { get } = world({}, addresses);
    for (const host of ['localhost', 'a.localhost', '127.0.0.1', '[::1]', 'rebound.test'])
      assert.equal((await get(`http://${host}:1/x`, { loopbackProfile: true })).bytes, 2, host);
    assert.equal((await failureOf(get('http://cdn.test/x', { loopbackProfile: true }))).kind, 'unsafeUrl');
  });

  it('include plain http after one confirmation per host, and exclude it if declined', async () => {
    const { get, asked } = world({ 'http://cdn.test/1': 'http://cdn.test/2' }, addresses);
    const hosts: string[] = [];
    const agree = (answer: boolean) => async (host: string) => {
      hosts.push(host);
      return answer;
    };
    assert.equal((await get('http://cdn.test/1', { allowPlainHttp: agree(true) })).bytes, 2);
    assert.deepEqual([hosts, asked.length], [['cdn.test'], 2]);
    assert.equal((await failureOf(get('http://cdn.test/1', { allowPlainHttp: agree(false) }))).kind, 'unsafeUrl');
  });

  it('exclude this machine even after plain http was allowed', async () => {
    const { get } = world({}, addresses);
    assert.equal(
      (await failureOf(get('http://127.0.0.1:1/x', { allowPlainHttp: async () => true }))).kind,
      'unsafeUrl',
    );
  });

  it('include private-network URLs from a service in that network', async () => {
    const { get } = world({}, { ...addresses, 'gateway.test': '10.1.2.3' });
    assert.equal((await get('https://inside.test/a', { profileHost: 'gateway.test' })).bytes, 2);
    assert.equal((await failureOf(get('https://inside.test/a', { profileHost: 'cdn.test' }))).kind, 'unsafeUrl');
    assert.equal((await failureOf(get('https://rebound.test/a', { profileHost: 'gateway.test' }))).kind, 'unsafeUrl');
  });
});

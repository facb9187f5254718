import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { DeskWindow } from '../host/window';
import { inOrder } from '../support/inOrder';

const pastedKey = 'sk-0123456789abcdef-of-another-service';

/** This machine's address in its private network, if it has one. */
const privateAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(
    ({ family, address }) => family === 'IPv4' && /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(address),
  )?.address;

describe('an account at a private service without a key', function () {
  inOrder(this);
  let desk: DeskWindow;
  let server: http.Server;
  let baseUrl: string;
  const carried: unknown[] = [];

  before(async function () {
    server = http.createServer((request, response) => {
      carried.push(request.headers.authorization ?? request.headers['x-api-key']);
      const isList = request.url === '/v1/models';
      const body = isList ? { object: 'list', data: [] } : { error: { message: 'messages: Field required' } };
      const status = isList ? 200 : request.url === '/v1/chat/completions' ? 400 : 404;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    server.listen(0, privateAddress ?? '127.0.0.1');
    await once(server, 'listening');
    baseUrl = `http://${privateAddress ?? '127.0.0.1'}:${(server.address() as AddressInfo).port}/v1`;
    desk = await this.openDesk({});
  });
  after(async () => {
    await desk?.close();
    server?.closeAllConnections();
    server?.close();
  });

  const title = (text: string | RegExp) => desk.quickInput.locator('.quick-input-title', { hasText: text }).waitFor();

  it('lists services with their requirements', async () => {
    await desk.command('Inference Desk: Sign In…');
    await title('Sign In');
    await desk.quickRows.filter({ hasText: 'Demo service' }).waitFor();
    await desk.screenshot('sign-in-services');
    const box = desk.quickInput.locator('input.input').first();
    await box.fill('anthropic');
    await desk.quickRows.filter({ hasText: 'api.anthropic.com' }).waitFor();
    await box.fill('vLLM');
    await desk.pick('More services…');
    for (const name of ['LM Studio', 'vLLM']) {
      const row = desk.quickRows.filter({ hasText: name });
      await row.filter({ hasText: 'A key is required only if the server has one.' }).waitFor();
    }
    await desk.screenshot('sign-in-services-more');
    await desk.quickInput.getByRole('button', { name: 'Back' }).click();
    await desk.quickRows.filter({ hasText: 'Demo service' }).waitFor();
    await desk.answer('Other URL…');
  });

  it('rejects a key as a URL, and offers it as the key', async () => {
    await title('base URL');
    await desk.screenshot('sign-in-address');
    await desk.answer(pastedKey);
    await title('This is a key, not a URL');
    assert.equal(await desk.quickInput.getByText(pastedKey).count(), 0);
    await desk.screenshot('sign-in-misplaced-key');
    await desk.pick('Use as Key');
    await title('base URL');
    const box = desk.quickInput.locator('input.input').first();
    assert.equal(await box.inputValue(), '');
  });

  it('asks once before it uses http in a private network, with the risk', async function () {
    await desk.answer(baseUrl);
    if (privateAddress !== undefined) {
      await desk.quickRows.filter({ hasText: 'Anyone on this network can read your key' }).waitFor();
      await desk.screenshot('sign-in-plain-http');
      await desk.pick('Use HTTP');
    }
    await title('enter a name');
    await desk.screenshot('sign-in-name');
    await desk.answer('Own');
  });

  it('rejects a URL as a key, and signs in without a key', async () => {
    await title('key for Own');
    const box = desk.quickInput.locator('input.input').first();
    assert.equal(await box.inputValue(), pastedKey);
    await desk.quickInput.getByText('Leave empty if no key is required.').waitFor();
    await desk.screenshot('sign-in-key');
    await desk.answer('https://api.example.com/v1');
    await title('This is a URL, not a key');
    await desk.screenshot('sign-in-misplaced-address');
    await desk.pick('Edit Key');
    await title('key for Own');
    await desk.answer('');
    await desk.status('Own').waitFor();
    await desk.notice(/Signed in to Own: no models listed, \d+ ms response time\./);
    await desk.screenshot('signed-in-keyless');
    assert.deepEqual(new Set(carried), new Set([undefined]));
  });

  it('shows that no key is stored, and asks for none at the next sign-in', async () => {
    await desk.clearNotices();
    await desk.command('Inference Desk: Manage Accounts…');
    await desk.pick('Manage Key');
    await title('Key of Own');
    await desk.quickRows.filter({ hasText: "This account doesn't use a key." }).waitFor();
    await desk.screenshot('manage-no-key');
    await desk.pick('Test Key');
    await desk.quickInput.locator('input[placeholder*="Connected: "]').waitFor();
    await desk.page.keyboard.press('Escape');
    await desk.command('Inference Desk: Sign Out');
    const dialog = desk.page.locator('.monaco-dialog-box');
    await dialog.getByText('No key is stored for').waitFor();
    await desk.screenshot('sign-out-keyless');
    await dialog.getByRole('button', { name: 'Sign Out' }).click();
    await desk.status('Inference Desk: sign in').waitFor();
    await desk.command('Inference Desk: Sign In…');
    await title('Sign In');
    await desk.screenshot('sign-in-again');
    await desk.answer('Own');
    await title('key for Own');
    await desk.answer('');
    await desk.status('Own').waitFor();
    await desk.notice(/Signed in to Own/);
    assert.deepEqual(desk.faults, []);
  });
});

import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import type { Exchange } from '../../src/core/api/exchange';
import { exchangeCurl } from '../../src/features/exchanges/exchangeCommands';
import { isUserError } from '../../src/platform/errors/userError';
import type { Services } from '../../src/services/services';
import { startAccountService } from '../support/accountService';
import type { AccountService } from '../support/accountService';
import { beginAnew, deskServices, signInAnew } from '../support/deskServices';

const run = promisify(execFile);
const apiKey = 'sk-0123456789-of-the-exchange-test';

describe('a request as a cURL command', () => {
  let services: Services;
  let service: AccountService;

  before(async () => {
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
    services = await deskServices();
  });
  beforeEach(async () => {
    service = await startAccountService(apiKey);
    await signInAnew(services, 'work', { baseUrl: service.baseUrl, apiKey });
  });
  afterEach(async () => {
    await beginAnew(services);
    await service.close();
  });

  const last = (): Exchange => {
    const [exchange] = services.exchanges.recent;
    ok(exchange);
    return exchange;
  };

  it('is copied from its document without the key, and sends the same request when run', async () => {
    await (await services.connections.client()).models.list({ type: 'text', sub_type: 'chat' });
    await services.exchanges.show(last().id);
    const shown = vscode.window.activeTextEditor?.document.uri;
    await vscode.commands.executeCommand('inferenceDesk.copyExchangeAsCurl', shown);
    const command = await vscode.env.clipboard.readText();
    ok(!command.includes(apiKey), command);
    const hasCurl = await run('sh', ['-c', 'command -v curl']).then(
      () => true,
      () => false,
    );
    if (!hasCurl) return;
    const before = service.seen.length;
    await run('sh', ['-c', command], { env: { PATH: process.env['PATH'], INFERENCE_DESK_API_KEY: apiKey } });
    deepEqual(
      service.seen.slice(before).map(({ authorization }) => authorization),
      [`Bearer ${apiKey}`],
    );
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('contains the method and the complete request body', () => {
    const request = { headers: {}, body: '{"input_file_id":"it\'s"}', bytes: 24 };
    const command = exchangeCurl({ ...sample, method: 'POST', path: '/v1/batches', request });
    match(command, /--request POST 'https:\/\/api\.example\.com\/v1\/batches'/);
    match(command, /<<'END_OF_REQUEST'\n\{\n {2}"input_file_id": "it's"\n\}\nEND_OF_REQUEST\n$/);
  });

  it('explains why the body is missing', () => {
    const titleOf = (request: Exchange['request']) => {
      try {
        return exchangeCurl({ ...sample, request });
      } catch (error) {
        return isUserError(error) ? error.title : error;
      }
    };
    equal(titleOf({ headers: {}, bytes: 1000 }), 'This request uploaded a file');
    equal(titleOf({ headers: {}, body: '{"a":', bytes: 1000 }), 'The request is too large to copy');
  });
});

const sample: Exchange = {
  id: 'e1',
  at: 0,
  method: 'GET',
  origin: 'https://api.example.com',
  path: '/v1/models',
  stack: 'undici',
  attempts: [],
  request: { headers: {}, bytes: 0 },
  durationMs: 1,
};

import { deepEqual, equal, ok } from 'node:assert/strict';
import * as vscode from 'vscode';
import { changeBaseUrl } from '../../src/features/signIn/profileCommands';
import { askForProfile } from '../../src/features/signIn/signInFlow';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices } from '../support/deskServices';
import { type OriginServer, startOrigin } from '../support/originServer';

const typedKey = 'sk-0123456789-typed-for-the-first-host';
const secondKey = 'sk-9876543210-typed-for-the-second-host';

/** A service on loopback that records the keys it receives. `accepts`: the only key it knows. */
interface KeyRecorder {
  readonly server: OriginServer;
  readonly received: readonly (string | undefined)[];
}

async function startRecorder(accepts: string, status = 401): Promise<KeyRecorder> {
  const received: (string | undefined)[] = [];
  const server = await startOrigin((request, response) => {
    const key = request.headers.authorization?.replace(/^Bearer /, '') ?? request.headers['x-api-key']?.toString();
    received.push(key);
    const isRight = key === accepts && request.url?.startsWith('/v1/');
    const body = isRight ? { object: 'list', data: [{ id: 'one' }] } : { error: { message: 'Not here.' } };
    const headers = { 'content-type': 'application/json', ...(status < 400 && { location: 'https://example.com/v1' }) };
    response
      .writeHead(isRight ? 200 : request.url?.startsWith('/v1/') ? status : 404, headers)
      .end(JSON.stringify(body));
  });
  return { server, received };
}

/** One shown step: its title and the text that its box began with. */
interface Shown {
  readonly title: string;
  readonly value: string;
  readonly prompt: string;
}

type Step = readonly [title: string, answer: string];

describe('a key typed at sign-in', () => {
  let services: Services;
  const { createInputBox, createQuickPick } = vscode.window;
  const open: KeyRecorder[] = [];
  let shown: Shown[];

  before(async () => {
    services = await deskServices();
  });
  beforeEach(() => beginAnew(services));
  afterEach(async () => {
    Object.assign(vscode.window, { createInputBox, createQuickPick });
    for (const { server } of open.splice(0)) await server.close();
    await beginAnew(services);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  const start = async (accepts: string, status?: number) => {
    const recorder = await startRecorder(accepts, status);
    open.push(recorder);
    return recorder;
  };
  const at = ({ server }: KeyRecorder, path = 'v1') => new URL(path, server.url).href.replace(/\/$/, '');

  /** Answers each step with what the script has for its title, in order; closes a step the script doesn't expect. */
  const answer = (script: readonly Step[]) => {
    const left = [...script];
    shown = [];
    const make = () => {
      const hidden = new vscode.EventEmitter<void>();
      const accepted = new vscode.EventEmitter<void>();
      const input = {
        title: '',
        prompt: '',
        value: '',
        enabled: true,
        items: [] as readonly vscode.QuickPickItem[],
        selectedItems: [] as readonly vscode.QuickPickItem[],
        onDidHide: hidden.event,
        onDidAccept: accepted.event,
        onDidTriggerButton: hidden.event,
        onDidChangeValue: hidden.event,
        show() {
          if (!input.enabled) return;
          const { title, value, prompt } = input;
          shown.push({ title, value, prompt });
          const [expected, text] = left.shift() ?? ['', ''];
          if (expected === '' || !title.includes(expected)) return hidden.fire();
          const same = input.items.filter(({ label }) => label === text);
          input.selectedItems = same.length > 0 ? same : input.items.filter(({ label }) => label.includes(text));
          if (input.items.length === 0) input.value = text;
          accepted.fire();
        },
        dispose: () => undefined,
      };
      return input;
    };
    Object.assign(vscode.window, { createInputBox: make, createQuickPick: make });
  };

  const steps = (first: string, rest: readonly Step[]): readonly Step[] => [
    ['Sign In', 'Other URL…'],
    ['base URL', first],
    ...rest,
  ];
  const nameOf = ({ server }: KeyRecorder) => server.url.host;

  it('is requested again when the base URL changes to another origin, which also names the account', async () => {
    const [wrong, right] = [await start('another'), await start(secondKey)];
    answer(
      steps(at(wrong), [
        ['enter a name', nameOf(wrong)],
        [`key for ${nameOf(wrong)}`, typedKey],
        ['rejected this key', 'Edit Base URL'],
        ['base URL', at(right)],
        [`key for ${nameOf(right)}`, secondKey],
      ]),
    );
    const ended = await askForProfile(services);
    ok(ended && ended !== 'demo', JSON.stringify(shown));
    deepEqual([ended.draft.name, ended.draft.key], [nameOf(right), secondKey]);
    deepEqual([shown.at(-1)?.value, shown.at(-1)?.prompt.includes(new URL(at(right)).origin)], ['', true]);
    deepEqual(new Set(wrong.received), new Set([typedKey]));
    deepEqual(new Set(right.received), new Set([secondKey]));
  });

  it('is kept for another path of the same origin, and when the user returns to it', async () => {
    const [right, other] = [await start(typedKey), await start('another')];
    answer(
      steps(at(right, 'api/v9'), [
        ['enter a name', 'Mine'],
        ['key for Mine', typedKey],
        ['', 'Edit Base URL'],
      ])
        .map(([title, text]): Step => (title === '' ? [nameOf(right), text] : [title, text]))
        .concat([
          ['base URL', at(other)],
          ['key for Mine', secondKey],
          ['rejected this key', 'Edit Base URL'],
          ['base URL', at(right)],
        ]),
    );
    const ended = await askForProfile(services);
    ok(ended && ended !== 'demo', JSON.stringify(shown));
    deepEqual([ended.draft.name, ended.draft.key, ended.draft.baseUrl], ['Mine', typedKey, at(right)]);
    deepEqual(new Set(right.received), new Set([typedKey]));
    deepEqual(new Set(other.received), new Set([secondKey]));
  });

  it('is sent after "Add /v1", but not to the target of a redirect', async () => {
    const right = await start(typedKey, 307);
    answer(
      steps(at(right, ''), [
        ['base URL', at(right, '')],
        ['enter a name', 'Mine'],
        ['key for Mine', secondKey],
        ['might need /v1', 'Add /v1'],
        ['redirects, so the key', 'Edit Base URL'],
      ]),
    );
    equal(await askForProfile(services), undefined);
    equal(shown.at(-1)?.title, 'Sign in: base URL');
    deepEqual(new Set(right.received), new Set([secondKey]));
    ok(right.server.requests.includes('GET /v1/models'), right.server.requests.join(', '));
  });

  it('requires confirmation if it was pasted as the base URL', async () => {
    const right = await start(typedKey);
    answer([
      ['Sign In', 'Other URL…'],
      ['base URL', typedKey],
      ['This is a key', 'Use as Key'],
      ['base URL', at(right)],
      ['enter a name', 'Mine'],
    ]);
    equal(await askForProfile(services), undefined);
    deepEqual([shown.at(-1)?.title, shown.at(-1)?.value], ['Sign in: key for Mine', typedKey]);
    deepEqual(right.received, []);
  });

  it('is requested when the URL of an account changes to another origin, which a default account name follows', async () => {
    const [before, after] = [await start(typedKey), await start(secondKey)];
    const { profiles } = services;
    await profiles.save({ id: 'kept', name: nameOf(before), baseUrl: at(before) });
    await profiles.storeKey('kept', typedKey);
    answer([
      ['Base URL of', at(after)],
      [`key for ${nameOf(after)}`, secondKey],
    ]);
    await changeBaseUrl(services, 'kept');
    deepEqual([profiles.get('kept')?.name, await profiles.key('kept')], [nameOf(after), secondKey]);
    ok(!after.received.includes(typedKey));
    equal(shown[1]?.value, '');
  });
});

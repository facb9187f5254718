import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Exported } from '../../src/extension';
import type { Decision, Caller as Asking } from '../../src/features/publicApi/access';
import { ApiServices } from '../../src/features/publicApi/apiServices';
import type { Services } from '../../src/services/services';
import { callerExtension, deskError, setAccess } from '../support/callerExtension';
import type { Caller } from '../support/callerExtension';
import { beginAnew, deskServices } from '../support/deskServices';
import { until } from '../support/until';

const allowed = { isAllowed: true, isForGood: true };

describe('the access of other extensions', function () {
  this.timeout(120_000);
  let services: Services;
  let caller: Caller;
  let desk: ApiServices;
  /** Questions that were asked, each with its answer. */
  let asked: { readonly who: Asking; readonly answer: (decision: Decision | undefined) => void }[];

  before(async () => {
    services = await deskServices();
    caller = await callerExtension();
    await beginAnew(services);
  });
  beforeEach(async () => {
    await setAccess(services, {});
    asked = [];
    desk = open();
  });
  afterEach(async () => {
    desk.dispose();
    await setAccess(services, {});
  });

  const open = () =>
    new ApiServices(services, (who) => new Promise((resolve) => void asked.push({ who, answer: resolve })));
  const stored = () => services.settings.get('extensionAccess');
  const question = (count = 1) => until(() => asked[count - 1], 'the question');
  const connect = async (decision: Decision | undefined) => {
    const count = asked.length;
    const connecting = desk.connect(caller.id);
    connecting.catch(() => undefined);
    (await question(count + 1)).answer(decision);
    return connecting;
  };

  it('is the frozen export of the extension, without extras outside of test hosts', async () => {
    const exported = vscode.extensions.getExtension<Exported>('inference-desk.inference-desk')!.exports;
    deepEqual(Object.keys(exported).toSorted(), ['connect', 'services', 'version']);
    equal(exported.version, 1);
  });

  it('is requested once with name and ID, however many calls wait', async () => {
    const connecting = [desk.connect(caller.id), desk.connect(caller.id.toUpperCase())];
    const { who, answer } = await question();
    deepEqual(who, { id: caller.id, name: 'Release Notes Helper' });
    answer(allowed);
    const [one, other] = await Promise.all(connecting);
    deepEqual([one!.extensionId, other!.extensionId, one!.isEnded], [caller.id, caller.id, false]);
    ok(Object.isFrozen(one));
    // What is made for a caller is made once, however often it connects.
    deepEqual([other === one, (await desk.connect(caller.id)) === one], [true, true]);
    equal(asked.length, 1);
    deepEqual(stored(), { [caller.id]: true });
  });

  it('is stored permanently or for the window, as selected', async () => {
    await connect({ isAllowed: true, isForGood: false });
    await desk.connect(caller.id);
    deepEqual([asked.length, stored()], [1, {}]);
    desk.dispose();
    desk = open();
    await connect(allowed);
    desk.dispose();
    desk = open();
    await desk.connect(caller.id);
    equal(asked.length, 2);
  });

  it('is denied without another question after the user denied it', async () => {
    await rejects(connect({ isAllowed: false, isForGood: true }), deskError('denied'));
    deepEqual(stored(), { [caller.id]: false });
    await rejects(desk.connect(caller.id), deskError('denied'));
    equal(asked.length, 1);
  });

  it('is denied in this window if the user dismisses the question', async () => {
    await rejects(connect(undefined), deskError('denied'));
    await rejects(desk.connect(caller.id), deskError('denied'));
    deepEqual([asked.length, stored()], [1, {}]);
  });

  it('is denied to unknown extensions, to itself, and to invalid IDs', async () => {
    for (const id of ['nobody.nothing', '', 'inference-desk.inference-desk', undefined, 7, {}]) {
      await rejects(desk.connect(id as string), deskError('unknownExtension'));
    }
    await rejects(desk.connect(caller.id, {} as AbortSignal), deskError('invalidInput', { parameter: 'signal' }));
    equal(asked.length, 0);
  });

  it('stops waiting when the signal is aborted, but remembers the answer', async () => {
    const stopping = new AbortController();
    const connecting = desk.connect(caller.id, stopping.signal);
    connecting.catch(() => undefined);
    const { answer } = await question();
    stopping.abort();
    await rejects(connecting, { name: 'AbortError' });
    await rejects(desk.connect(caller.id, stopping.signal), { name: 'AbortError' });
    answer(allowed);
    equal((await desk.connect(caller.id)).isEnded, false);
    equal(asked.length, 1);
  });

  it('ends with one notification when the setting revokes it, in any spelling', async () => {
    for (const change of [{ [caller.id.toUpperCase()]: false }, {}]) {
      await setAccess(services, { [caller.id]: true });
      const connected = await desk.connect(caller.id);
      let ends = 0;
      connected.onDidEnd(() => ends++);
      await setAccess(services, change);
      await until(() => (connected.isEnded ? true : undefined), 'the end of the access');
      await rejects(connected.models(), deskError('ended'));
      await rejects(connected.checkBatchText('{}'), deskError('ended'));
      await setAccess(services, {});
      equal(ends, 1);
      await setAccess(services, { [caller.id]: true });
      equal((await desk.connect(caller.id)).isEnded, false);
      await setAccess(services, {});
    }
  });

  it('ends when Inference Desk is deactivated', async () => {
    const connected = await connect(allowed);
    desk.dispose();
    equal(connected.isEnded, true);
    await rejects(connected.models(), deskError('ended'));
  });

  it('is absent if the setting has an invalid value', async () => {
    await services.settings.set('extensionAccess', { [caller.id]: 'yes' } as never);
    const connecting = desk.connect(caller.id);
    (await question()).answer({ isAllowed: true, isForGood: false });
    equal((await connecting).isEnded, false);
  });

  it('works through the exports of the extension in another extension', async () => {
    await setAccess(services, { [caller.id]: false });
    await rejects(caller.connect(), deskError('denied'));
    await setAccess(services, { [caller.id]: true });
    const connected = await caller.connect();
    equal(connected.extensionId, caller.id);
    match(String((await connected.models().catch((error: unknown) => error)) as Error), /[Ss]ign in/);
    await rejects(connected.models(), deskError('signedOut'));
  });
});

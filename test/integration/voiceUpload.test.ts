import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { synthesise } from '../../src/demo/audio/synthesise';
import { readWav, wavOf } from '../../src/demo/audio/wav';
import { droppedPath, samplePath } from '../../src/features/voiceUpload/uploadActions';
import { secondsText } from '../../src/features/voiceUpload/uploadView';
import { outcomeOf } from '../../src/features/voiceUpload/uploadView';
import { SampleController } from '../../src/features/voiceUpload/logic/sampleController';
import { createSampleStore } from '../../src/features/voiceUpload/logic/sampleStore';
import { UploadController } from '../../src/features/voiceUpload/uploadController';
import { UploadPanels } from '../../src/features/voiceUpload/uploadPanels';
import { isUserError } from '../../src/platform/errors/userError';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, signInAnew } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { createPageEnd } from '../support/pageEnd';
import { until } from '../support/until';

const samples = synthesise({ text: 'aeiou', voice: 'a', sampleRate: 8000, speed: 1, gain: 0 });
const wav = wavOf(samples, 8000, 'aeiou');

describe('the sample of a voice upload', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'sample-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const openController = () => new SampleController(createSampleStore(path.join(folder, 'kept')), () => undefined);
  const write = async (name: string, bytes: Uint8Array | string) => {
    await writeFile(path.join(folder, name), bytes);
    return path.join(folder, name);
  };
  const saved = () => readdir(path.join(folder, 'kept')).catch(() => []);
  const problem = ({ state }: SampleController) =>
    state.kind === 'failed' && isUserError(state.error) ? `${state.error.title}: ${state.error.detail}` : state.kind;

  it('is stored unchanged, with the extension of its format', async () => {
    const controller = openController();
    const file = await write('anna.mp3', wav);
    await controller.read({ path: file });
    const { state } = controller;
    assert.ok(state.kind === 'ready', problem(controller));
    assert.equal(path.basename(state.sample.saved.path), 'anna.wav');
    await write('anna.mp3', 'changed');
    assert.deepEqual(await readFile(state.sample.saved.path), wav);
    await controller.read({ path: file });
    assert.match(problem(controller), /Can't use anna\.mp3 as a voice sample: The file contains text/);
    assert.deepEqual(await saved(), []);
  });

  it("explains which kind of file can't be a sample", async () => {
    const controller = openController();
    await controller.read({ path: path.join(folder, 'gone.wav') });
    assert.match(problem(controller), /Couldn't read.*gone\.wav is missing or unreadable/);
    await controller.read({ path: folder });
    assert.match(problem(controller), /isn't a recording/);
    await controller.read({ path: await write('empty.mp3', '') });
    assert.match(problem(controller), /The file is empty/);
    await controller.read({ path: await write('page.mp3', '<!DOCTYPE html><html>') });
    assert.match(problem(controller), /is a web page/);
    await controller.read({
      name: 'drop.png',
      bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0),
    });
    assert.match(problem(controller), /Can't use drop\.png as a voice sample: The file is/);
    await controller.read({ name: 'folder', bytes: new Uint8Array() });
    assert.match(problem(controller), /The file is empty/);
  });

  it('is played and measured after the sample rate of raw audio is entered', async () => {
    const controller = openController();
    const raw = Buffer.from(samples.buffer);
    await controller.read({ path: await write('anna.pcm', raw) });
    assert.equal(await controller.sound(), undefined);
    assert.deepEqual(
      controller.findings.map(({ code }) => code),
      ['pcm.rateUnknown'],
    );
    await controller.write({ text: '', pcmRate: 8000 });
    const facts = readWav(Buffer.from((await controller.sound()) ?? []));
    assert.equal(facts?.seconds, samples.length / 8000);
    assert.deepEqual([secondsText(8.24), secondsText(8.24, false)], ['8.2 sec', '8 sec']);
    assert.ok(controller.findings.some(({ code }) => code === 'pcm.assumed'));
    assert.ok(controller.state.kind === 'ready');
    // What is sent stays raw.
    assert.deepEqual(await readFile(controller.state.sample.saved.path), raw);
  });

  it('is restored after a reload, from its copy or its file', async () => {
    const controller = openController();
    const file = await write('anna.wav', wav);
    await controller.read({ path: file });
    const id = controller.savedId ?? assert.fail();
    await rm(file);
    const second = openController();
    await second.read({ name: 'anna.wav', sampleId: id, path: file });
    assert.equal(second.state.kind, 'ready');
    await rm(path.join(folder, 'kept'), { recursive: true });
    const third = openController();
    await third.read({ name: 'anna.wav', sampleId: id, path: file });
    assert.match(problem(third), /is missing or unreadable/);
    await write('anna.wav', wav);
    await third.read({ name: 'anna.wav', sampleId: id, path: file });
    assert.equal(third.state.kind, 'ready');
    await third.read({ name: 'dropped.wav', sampleId: id });
    assert.match(problem(third), /dropped\.wav is missing or unreadable/);
  });

  it('accepts measurements of its own audio only', async () => {
    const controller = openController();
    await controller.read({ name: 'anna.wav', bytes: wav });
    assert.ok(controller.state.kind === 'ready');
    const silent = { seconds: 1, peak: 0, loudness: 0, clippedPart: 0, silentPart: 1 };
    controller.measure('another', silent);
    assert.ok(!controller.findings.some(({ code }) => code === 'level.silent'));
    controller.measure(controller.state.sample.soundId, silent);
    assert.equal(controller.findings[0]?.code, 'level.silent');
  });

  it('is accepted only from this machine', () => {
    assert.equal(samplePath(vscode.Uri.file('/x/a.wav')), '/x/a.wav');
    assert.equal(droppedPath('file:///x/a%20b.wav?q#f'), '/x/a b.wav');
    for (const address of ['https://example.com/a.wav', 'untitled:a.wav', 'data:audio/wav,x', 'not an address', '']) {
      assert.throws(() => droppedPath(address), isUserError, address);
    }
  });
});

describe('requests of a voice upload', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  let panels: UploadPanels;
  let session: UploadController;
  const page = () => panels.memory.read('tested');
  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
    await signInAnew(services, 'voices', demo);
    await services.models.refresh();
  });
  beforeEach(async () => {
    await demo.call('POST', '/_control/reset', {});
    panels = new UploadPanels(services);
    session = new UploadController(panels, 'tested');
    await session.load({ name: 'anna.wav', bytes: wav });
  });
  afterEach(async () => {
    session.dispose();
    await panels.memory.forget('tested');
    panels.dispose();
  });
  after(async () => {
    await beginAnew(services);
    await demo.close();
  });

  it('count transcription as charged, and keep the transcript until the page receives it', async () => {
    const paid: boolean[] = [];
    const listening = services.activity.onDidFinish((work) => paid.push(work.paid));
    session.listen('FunAudioLLM/SenseVoiceSmall');
    await until(() => session.heard, 'the words');
    listening.dispose();
    assert.deepEqual(paid, [true]);
    assert.equal(session.heard?.text, 'aeiou');
    assert.deepEqual(page()?.heard, session.heard);
    // After a reload of the window.
    const { name, sampleId = '' } = page() ?? assert.fail();
    const heard = session.heard;
    await session.load({ name, sampleId }, { heard });
    assert.deepEqual(session.heard, heard);
    await session.forgetHeard('another');
    await session.forgetHeard(heard?.id ?? '');
    assert.equal(session.heard, undefined);
    assert.equal(page()?.heard, undefined);
  });

  it('stop the transcription of a replaced recording', async () => {
    await demo.call('POST', '/_control/arm', { fault: 'never-answers', endpoint: 'POST /audio/transcriptions' });
    session.listen('FunAudioLLM/SenseVoiceSmall');
    await until(() => session.listening.running, 'a request');
    await session.load({ name: 'ben.wav', bytes: wav });
    await until(() => (session.listening.running ? undefined : true), 'its end');
    assert.deepEqual([session.heard, session.listening.error], [undefined, undefined]);
  });

  it('reject a voice without its owner and consent', async () => {
    const form = {
      name: 'Anna',
      text: 'aeiou',
      model: 'FunAudioLLM/CosyVoice2-0.5B',
      way: 'file',
      pcmRate: 0,
    } as const;
    const lacking = [
      { note: '', isAllowed: true },
      { note: ' \n', isAllowed: true },
      { note: 'Mine', isAllowed: false },
    ];
    for (const part of lacking) {
      const sends = session.send({ form: { ...form, ...part }, profileId: 'voices', evenIfNamed: true });
      await assert.rejects(sends, /Couldn't upload the voice/, JSON.stringify(part));
    }
    assert.equal(session.sending.state.kind, 'none');
    assert.ok((await demo.requests()).every(({ path: to }) => !to.endsWith('/uploads/audio/voice')));
  });

  it('report their outcome', async () => {
    const form = { text: 'aeiou', model: 'FunAudioLLM/CosyVoice2-0.5B', way: 'base64' } as const;
    const rest = { pcmRate: 0, note: 'Mine', isAllowed: true } as const;
    const send = async (name: string, fault?: string) => {
      if (fault) await demo.call('POST', '/_control/arm', { fault, endpoint: 'POST /uploads/audio/voice' });
      await session.send({ form: { ...form, ...rest, name }, profileId: 'voices', evenIfNamed: false });
      return until(() => outcomeOf(session.sending.state, undefined), 'the end');
    };
    const uploads = async () => (await demo.requests()).filter(({ path: to }) => to.endsWith('/uploads/audio/voice'));
    const lost = await send('Lost', 'cut-body');
    assert.match(lost.detail, /the voice is in your list/);
    const named = await send('LOST');
    assert.equal(named.title, 'A voice with this name already exists: Lost');
    assert.equal((await uploads()).length, 1);
    const unknown = await send('Ben', 'identity');
    assert.equal(unknown.title, 'The service requires identity verification');
    assert.equal((await send('Ben')).title, 'Voice uploaded');
    const [, base64 = ''] = String((await uploads()).at(-1)?.body['audio']).split(',');
    assert.deepEqual(Buffer.from(base64, 'base64'), wav);
  });

  it('open the page of the created voice', async () => {
    const end = createPageEnd<'voiceUpload'>();
    const shown = new UploadController(panels, 'tried');
    shown.show(end.panel);
    try {
      await shown.load({ name: 'anna.wav', bytes: wav });
      const form = { name: 'Tried', text: 'aeiou', model: 'FunAudioLLM/CosyVoice2-0.5B', way: 'file' } as const;
      const rest = { pcmRate: 0, note: 'Mine', isAllowed: true } as const;
      await end.page.call('voiceUpload/send', {
        form: { ...form, ...rest },
        profileId: 'voices',
        evenIfNamed: false,
      });
      const view = () => end.page.call('voiceUpload/ready', {});
      await until(
        async () => (await view()).outcome?.actions.some(({ id }) => id === 'tryVoice') || undefined,
        'the voice',
      );
      await end.page.call('voiceUpload/act', { id: 'tryVoice' });
      const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
      await until(() => tabs().includes('Tried') || undefined, 'its page');
    } finally {
      shown.dispose();
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('send a recording to the displayed account, even if another one is selected in the meantime', async () => {
    const other = await startFilledDemo({ pace: 'instant' });
    try {
      const { profiles } = services;
      await profiles.save({ id: 'other', name: 'Other', baseUrl: other.baseUrl });
      await profiles.storeKey('other', other.apiKey);
      const form = { name: 'Anna', text: 'aeiou', model: 'FunAudioLLM/CosyVoice2-0.5B', way: 'file' } as const;
      const rest = { pcmRate: 0, note: 'Mine', isAllowed: true } as const;
      const sends = session.send({ form: { ...form, ...rest }, profileId: 'voices', evenIfNamed: false });
      await profiles.setActive('other');
      await sends;
      await until(() => (session.sending.state.kind === 'created' ? true : undefined), 'a voice');
      const uploads = async (service: FilledDemo) =>
        (await service.requests()).filter(({ path: asked }) => asked.endsWith('/uploads/audio/voice')).length;
      assert.deepEqual([await uploads(demo), await uploads(other)], [1, 0]);
    } finally {
      await services.profiles.setActive('voices');
      await services.profiles.remove('other');
      await other.close();
    }
  });
});

import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { createNotedVoices } from '../../src/features/voices/notedVoices';
import { VoiceController } from '../../src/features/voices/page/voiceController';
import { VoicePanels } from '../../src/features/voices/page/voicePanels';
import { viewVoice } from '../../src/features/voices/page/voiceView';
import { checkRecording } from '../../src/features/voices/recording';
import type { Voice } from '../../src/core/api/voices/voices.schema';
import { createRemoteList } from '../../src/services/lists/remoteList';
import { isUserError } from '../../src/platform/errors/userError';
import { voiceNotesOf } from '../../src/services/voices/voiceNotes';
import { emptyVoiceForm } from '../../src/protocol/voiceForm';
import type { VoiceView } from '../../src/protocol/voice';
import type { MediaAssets } from '../../src/services/media/media';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, signInAnew } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { startVllmService } from '../support/otherServices/localServices';
import { sentFromOtherService } from '../support/otherService';
import { until } from '../support/until';

const alex = 'FunAudioLLM/CosyVoice2-0.5B:alex';
const context = { signal: new AbortController().signal, emit: () => {} };

describe('a voice on its page', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  let folder: string;
  const opened: { dispose(): void }[] = [];
  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
    await signInAnew(services, 'voices', demo);
    await services.models.refresh();
  });
  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'voices-'));
    await demo.call('POST', '/_control/reset', {});
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) one.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // What is kept later is among the takes of the next test.
    await until(() => (services.activity.running.length === 0 ? true : undefined), 'the end of what is spoken');
    for (const { path: file } of await (await services.media()).assets.list())
      await (await services.media()).assets.remove(file);
    await services.context.workspaceState.update('voices.pages', undefined);
    rmSync(folder, { recursive: true });
  });
  after(async () => {
    await beginAnew(services);
    await demo.close();
  });

  const add = <T extends { dispose(): void }>(one: T): T => {
    opened.push(one);
    return one;
  };
  const panelsOf = (change: Partial<MediaAssets> = {}, unseen: string[] = []) => {
    const assets = async () => ({ assets: { ...(await services.media()).assets, ...change } });
    const media = Object.assign(assets, services.media) as Services['media'];
    const list = add(
      createRemoteList<Voice>({
        profiles: services.profiles,
        load: async (_rounds, signal) => ({
          items: await (await services.connections.client()).voices.list(signal),
          hasMore: false,
        }),
      }),
    );
    const notes = add(createNotedVoices(async () => voiceNotesOf(services.context, services.log)));
    const refresh = async () => void (await list.refresh());
    const styles = { services: { ...services, media }, list, notes, refused: new Set<string>(), refresh };
    return add(new VoicePanels(styles, (uri, { kind }) => unseen.push(`${uri} ${kind}`)));
  };
  async function open(uri: string, panels: VoicePanels = panelsOf()) {
    const { list } = panels.styles;
    const session = add(new VoiceController(panels, uri));
    const srcOf = (file: string) => `file:${file}`;
    const view = () => viewVoice(session, srcOf);
    const handlers = session.handlers(srcOf);
    await session.start();
    await list.ensureFresh();
    /** Each resolves when it ended and its take is listed. */
    const speak = async (change: Partial<VoiceView['form']>) => {
      await session.speak({ ...session.form, ...change });
      return view();
    };
    const retry = async () => {
      await session.retry();
      return view();
    };
    return { session, view, handlers, list, speak, retry };
  }
  const spoken = async () => (await demo.requests()).filter(({ path: asked }) => asked === '/v1/audio/speech').length;
  const arm = (fault: string, endpoint: string) => demo.call('POST', '/_control/arm', { fault, endpoint });

  it("shows the service's information, and keeps drafts and notes", async () => {
    const uri = await demo.addVoice('Narrator');
    const { view, handlers } = await open(uri);
    const { name, model, text, canDelete, isLoading, error, obstacle, note } = view();
    deepEqual(
      { name, model, canDelete, isLoading, error, obstacle, note },
      {
        name: 'Narrator',
        model: 'FunAudioLLM/CosyVoice2-0.5B',
        canDelete: true,
        isLoading: false,
        error: undefined,
        obstacle: 'Enter text to speak.',
        note: { text: '', isAllowed: false, writtenAt: '' },
      },
    );
    match(text, /quick brown fox/);
    await handlers['voice/form']({ form: { ...emptyVoiceForm, input: 'Kept.', speed: '9' } }, context);
    await handlers['voice/note']({ text: 'Mine', isAllowed: true }, context);
    const again = (await open(uri)).view();
    equal(again.form.input, 'Kept.');
    equal(again.issues.speed, "speed can't be greater than 4. The value is 9.");
    equal(again.obstacle, 'Fix the highlighted fields.');
    deepEqual(again.note, { text: 'Mine', isAllowed: true, writtenAt: 'now' });
    equal((await open(alex)).view().form.input, 'Kept.');
  });

  it('speaks without an upload, and lists clips newest first until they are deleted', async () => {
    const { speak, view, session } = await open(alex);
    const first = await speak({ input: 'One.', response_format: 'wav', sample_rate: '16000' });
    equal(first.outcome, undefined);
    const second = await speak({ input: 'Two.', response_format: 'pcm', sample_rate: '8000' });
    deepEqual(
      second.takes.map(({ text }) => text),
      ['Two.', 'One.'],
    );
    equal(second.newTake, second.takes[0]?.id);
    deepEqual(second.takes[0]?.settings, [
      { name: 'model', value: 'CosyVoice2-0.5B' },
      { name: 'response_format', value: 'pcm' },
      { name: 'sample_rate', value: '8000' },
    ]);
    match(second.takes[0]?.ids.join() ?? '', /^Trace ID: ti_\w+$/);
    match(second.takes[0]?.src ?? '', /voicePlaying.*\.wav$/);
    match(second.takes[0]?.facts.join() ?? '', /^[\d.]+ sec,[\d.]+ (kB|bytes?),pcm$/);
    const asset = session.take(second.takes[1]!.id)!.asset;
    await (await services.media()).assets.remove(asset.path);
    await until(() => (view().takes.length === 1 ? true : undefined), 'one take');
    const other = (await open('FunAudioLLM/CosyVoice2-0.5B:anna')).view();
    equal(other.takes.length, 0);
  });

  it('reports an existing clip of the same text before another charge', async () => {
    const { speak, view, handlers } = await open(alex);
    const once = { input: 'Twice.', response_format: 'wav', speed: '1' } as const;
    await speak(once);
    const count = await spoken();
    const { outcome } = await speak({ ...once, stream: true });
    deepEqual(
      [outcome?.title, outcome?.actions[0]?.label, await spoken()],
      ['Clip already exists', 'Generate Another', count],
    );
    await handlers['voice/form']({ form: { ...view().form, speed: '2' } }, context);
    equal(view().outcome, undefined);
    await speak({ speed: '2' });
    equal(await spoken(), count + 1);
    await speak({ speed: '2' });
    await handlers['voice/act']({ id: 'speakAgain' }, context);
    await until(async () => ((await spoken()) === count + 2 ? true : undefined), 'it to be spoken again');
  });

  it('fills the form from a clip, and regenerates it', async () => {
    const { speak, view, handlers, session } = await open(alex);
    const { takes, formRevision } = await speak({ input: 'One.', response_format: 'wav', speed: '2' });
    await handlers['voice/form']({ form: { ...emptyVoiceForm, input: 'Other.' } }, context);
    await handlers['voice/take']({ id: takes[0]!.id, step: 'use' }, context);
    const { form, formRevision: next } = view();
    deepEqual([form.input, form.speed, form.response_format, next - formRevision], ['One.', '2', 'wav', 1]);
    await session.speakAgain(session.take(takes[0]!.id)!.asset);
    const { takes: after } = view();
    // The demo service says the same in the same words: the same content is kept once.
    equal(after.length, 1);
    await rejects(handlers['voice/take']({ id: 'gone', step: 'use' }, context), isUserError);
  });

  it('asks for the service if a clip was generated elsewhere', async () => {
    const { speak, handlers, view } = await open(alex);
    const { takes } = await speak({ input: 'Here only.', response_format: 'wav' });
    await sentFromOtherService(services, 'voices', async () =>
      handlers['voice/take']({ id: takes[0]!.id, step: 'again' }, context),
    );
    await until(async () => ((await spoken()) === 2 ? true : undefined), 'speech from there');
    equal(view().form.input, 'Here only.');
  });

  it('marks the rejected field until it changes', async () => {
    const { speak, handlers, view } = await open(alex);
    const refused = await speak({ input: 'One.', response_format: 'opus' });
    equal(refused.warnings.response_format, 'The service rejected this value.');
    equal(refused.outcome?.title, 'The service rejected the request');
    match(refused.outcome?.detail ?? '', /makes mp3, wav and pcm only, not opus/);
    await handlers['voice/form']({ form: { ...refused.form, response_format: 'wav' } }, context);
    equal(view().warnings.response_format, undefined);
  });

  it('explains errors, and retries', async () => {
    const { speak, retry } = await open(alex);
    await arm('path-missing', 'POST /audio/speech');
    const missing = await speak({ input: 'One.', response_format: 'wav' });
    deepEqual([missing.error?.title, missing.outcome], ["This service doesn't support speech", undefined]);
    await services.connections.forgetOffers('voices');
    await arm('html-200', 'POST /audio/speech');
    equal((await retry()).outcome?.title, 'Received a web page instead of an API response');
    await arm('cut-body', 'POST /audio/speech');
    const cut = await retry();
    equal(cut.outcome?.title, 'The clip is incomplete');
    equal(cut.takes.length, 1);
    const whole = await retry();
    deepEqual([whole.outcome, whole.takes.length], [undefined, 2]);
  });

  it('keeps the received audio after a stop, and reports it', async () => {
    const { speak, session, view, handlers } = await open(alex);
    await arm('stall', 'POST /audio/speech');
    const speaks = speak({ input: 'Stopped in the middle of it.', response_format: 'wav' });
    const receiving = await until(() => (session.speaking.running?.bytes ? view().speaking : undefined), 'bytes');
    match(receiving, /^Receiving: [\d.]+ (kB|bytes?), /);
    await handlers['voice/stop']({}, context);
    const { outcome, takes } = await speaks;
    deepEqual([outcome?.title, takes.length], ['Stopped', 1]);
    match(outcome?.detail ?? '', /The audio received so far is saved below\./);
    match(takes[0]?.src ?? '', /\.wav$/);
  });

  it('copies its URI to the clipboard, and inserts it at the cursor', async () => {
    const { handlers } = await open(alex);
    const document = await vscode.workspace.openTextDocument({ content: '' });
    await vscode.window.showTextDocument(document);
    await handlers['voice/do']({ step: 'copyUri' }, context);
    equal(await vscode.env.clipboard.readText(), alex);
    await handlers['voice/do']({ step: 'insertUri' }, context);
    equal(document.getText(), alex);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('reports that it has been deleted, and checks again', async () => {
    const uri = await demo.addVoice('Passing');
    const { view, handlers, list } = await open(uri);
    await demo.call('POST', '/audio/voice/deletions', { uri });
    await handlers['voice/act']({ id: 'lookAgain' }, context);
    deepEqual(
      [view().error?.title, view().obstacle, view().canDelete, view().name],
      ['This voice no longer exists', 'This voice no longer exists.', false, 'Passing'],
    );
    await arm('server-60000', 'GET /audio/voice/list');
    await arm('server-60000', 'GET /audio/voice/list');
    await arm('server-60000', 'GET /audio/voice/list');
    await list.refresh();
    equal(view().error?.tone, 'error');
  });

  it('explains unsupported features up front, sends no such requests, and checks again on request', async () => {
    const sparse = await startVllmService();
    try {
      await signInAnew(services, 'sparse', { baseUrl: sparse.baseUrl, apiKey: 'sk-0123456789' });
      const { view, speak } = await open('speech:mine:abc:def');
      const shown = ({ error, canSpeak, canTranscribe, outcome }: VoiceView) => [
        error?.title,
        error?.tone,
        canSpeak,
        canTranscribe,
        outcome?.title,
      ];
      deepEqual(shown(view()), ["This service doesn't support custom voices", 'info', false, true, undefined]);
      deepEqual(
        view().error?.actions.map(({ id }) => id),
        ['switchAccount', 'checkAgain'],
      );
      const builtIn = await open(alex);
      deepEqual(shown(builtIn.view()), [undefined, undefined, true, true, undefined]);
      deepEqual(shown(await builtIn.speak({ input: 'Hello.', model: 'a/b' })), [
        "This service doesn't support speech",
        'info',
        false,
        true,
        undefined,
      ]);
      await speak({ input: 'Hello.', model: 'a/b' });
      const lists = () => sparse.asked.filter(({ path: at }) => at === '/v1/audio/voice/list').length;
      equal(lists(), 1);
      await vscode.commands.executeCommand('inferenceDesk.refreshAccount');
      await until(() => lists() === 2 || undefined, 'another look');
      await until(
        () => view().error?.title === "This service doesn't support custom voices" || undefined,
        'the notice',
      );
      equal(builtIn.view().canSpeak, true);
    } finally {
      await signInAnew(services, 'voices', demo);
      await services.models.refresh();
      await sparse.close();
    }
  });

  it('transcribes a clip, and keeps and copies the transcript', async () => {
    const { speak, handlers, view, session } = await open(alex);
    const { takes, transcriptionModel } = await speak({ input: 'These are my words.', response_format: 'wav' });
    await handlers['voice/transcribe']({ model: transcriptionModel, take: takes[0]!.id }, context);
    await until(() => (session.transcribing.running ? undefined : true), 'the end');
    equal(view().transcript?.text, 'These are my words.');
    match(view().transcript?.ids.join() ?? '', /^Trace ID: ti_\w+$/);
    deepEqual(await handlers['voice/transcript']({ step: 'copy' }, context), { message: 'Copied the transcript.' });
    equal(await vscode.env.clipboard.readText(), 'These are my words.');
    equal((await open(alex)).view().transcript?.text, 'These are my words.');
    await arm('path-missing', 'POST /audio/transcriptions');
    await handlers['voice/transcribe']({ model: transcriptionModel, take: takes[0]!.id }, context);
    await until(() => (session.transcribing.running ? undefined : true), 'the end');
    equal(view().transcriptError?.title, "This service doesn't support transcription");
    equal(view().transcript?.text, 'These are my words.');
    await services.connections.forgetOffers('voices');
    await handlers['voice/transcript']({ step: 'dismiss' }, context);
    equal(view().transcript, undefined);
  });

  it('keeps a paid clip if its tab closes before it arrives', async () => {
    const unseen: string[] = [];
    const panels = panelsOf({}, unseen);
    const { session } = await open(alex, panels);
    /** The moment a request begins: it may have ended by the next look. */
    const begun = () =>
      new Promise<void>((resolve) => {
        const listening = services.activity.onDidChange(() => {
          listening.dispose();
          resolve();
        });
      });
    const speaking = begun();
    const speaks = session.speak({ ...session.form, input: 'Closed too soon.', response_format: 'wav' });
    await speaking;
    session.dispose();
    await speaks;
    const { takes } = (await open(alex, panels)).view();
    deepEqual(
      takes.map(({ text }) => text),
      ['Closed too soon.'],
    );
    deepEqual(unseen, [`${alex} kept`]);
    const { session: second, handlers, view } = await open(alex, panels);
    const transcribing = begun();
    await handlers['voice/transcribe']({ model: view().transcriptionModel, take: takes[0]!.id }, context);
    await transcribing;
    second.dispose();
    await until(() => (second.transcribing.running ? undefined : true), 'the end');
    equal((await open(alex, panels)).view().transcript?.text, 'Closed too soon.');
  });

  it('keeps unsaved audio if its tab closes, and requests no more until it is saved', async () => {
    let isFull = true;
    const unseen: string[] = [];
    const panels = panelsOf(
      {
        keep: async (bytes, recipe) => {
          if (isFull) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
          return (await services.media()).assets.keep(bytes, recipe);
        },
      },
      unseen,
    );
    const { speak, session } = await open(alex, panels);
    equal((await speak({ input: 'Held.', response_format: 'wav' })).outcome?.title, "Couldn't save the clip");
    deepEqual(unseen, []);
    session.dispose();
    deepEqual(unseen, [`${alex} notKept`]);
    const again = await open(alex, panels);
    match(again.view().outcome?.detail ?? '', /Save the clip before you generate another one/);
    await again.speak({ input: 'Another.', response_format: 'wav' });
    equal(await spoken(), 1);
    isFull = false;
    const { takes, outcome } = await again.speak({ input: 'Another.', response_format: 'wav' });
    equal(outcome, undefined);
    deepEqual(
      takes.map(({ text }) => text),
      ['Another.', 'Held.'],
    );
    equal(await spoken(), 2);
  });

  it("doesn't send a recording that the service would reject", async () => {
    const file = (name: string, content: string | Uint8Array) => {
      writeFileSync(path.join(folder, name), content);
      return path.join(folder, name);
    };
    const reason = async (recording: string) =>
      checkRecording(recording).then(
        () => '',
        (error: unknown) => (isUserError(error) ? error.title : String(error)),
      );
    equal(await reason(file('page.mp3', '<!doctype html><p>no sound</p>')), "page.mp3 isn't a recording");
    equal(await reason(file('nothing.wav', '')), 'nothing.wav is empty');
    equal(await reason(path.join(folder, 'gone.wav')), "Couldn't read gone.wav");
    const large = file('large.wav', 'RIFF');
    truncateSync(large, 50_000_001);
    equal(await reason(large), 'large.wav is too large');
    // A second of 8,000 samples of one byte: 3,700 of them are longer than an hour.
    const header = Buffer.alloc(44);
    header.write('RIFF', 0, 'latin1');
    header.writeUInt32LE(36 + 29_600_000, 4);
    header.write('WAVEfmt ', 8, 'latin1');
    header.writeUInt32LE(16, 16);
    header.writeUInt16LE(1, 20);
    header.writeUInt16LE(1, 22);
    header.writeUInt32LE(8000, 24);
    header.writeUInt32LE(8000, 28);
    header.writeUInt16LE(1, 32);
    header.writeUInt16LE(8, 34);
    header.write('data', 36, 'latin1');
    header.writeUInt32LE(29_600_000, 40);
    const long = file('long.wav', header);
    truncateSync(long, 44 + 29_600_000);
    equal(await reason(long), 'long.wav is too long');
  });

  it('opens one tab per voice, from its URI or from a clip', async () => {
    const tabs = () =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs: all }) => all)
        .filter(
          ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('inferenceDesk.voice'),
        )
        .map(({ label }) => label);
    await vscode.commands.executeCommand('inferenceDesk.voices.open', alex);
    await vscode.commands.executeCommand('inferenceDesk.voices.open', alex);
    await until(() => (tabs().length === 1 ? true : undefined), 'one tab');
    deepEqual(tabs(), ['alex']);
    const { speak, session } = await open('FunAudioLLM/CosyVoice2-0.5B:bella');
    const { takes } = await speak({ input: 'One.', response_format: 'wav' });
    const { asset } = session.take(takes[0]!.id)!;
    await vscode.commands.executeCommand('inferenceDesk.voices.open', { as: 'vary', path: asset.path });
    await until(() => (tabs().includes('bella') ? true : undefined), 'the tab of the voice');
  });

  it('transcribes a file into a new document', async () => {
    const { speak, session } = await open(alex);
    const { takes } = await speak({ input: 'Words of a file.', response_format: 'wav' });
    const file = vscode.Uri.file(session.take(takes[0]!.id)!.path);
    const asked = mock.method(vscode.window, 'showInformationMessage', async () => undefined);
    await vscode.commands.executeCommand('inferenceDesk.voices.transcribe', file);
    match(JSON.stringify(asked.mock.calls[0]?.arguments), /Transcribe .*Price: unknown/);
    ok(vscode.window.activeTextEditor?.document.getText() !== 'Words of a file.');
    asked.mock.mockImplementation((async (...[, , transcribe]: readonly unknown[]) => transcribe) as never);
    await vscode.commands.executeCommand('inferenceDesk.voices.transcribe', file);
    asked.mock.restore();
    equal(vscode.window.activeTextEditor?.document.getText(), 'Words of a file.');
    ok(vscode.window.activeTextEditor?.document.isUntitled);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});

import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/core/api/errors';
import type { ApiErrorKind } from '../../../../src/core/api/errorKinds';
import type { Voice } from '../../../../src/core/api/voices/voices.schema';
import type { SentVoice } from '../../../../src/core/voices/voiceNames';
import { Sending } from '../../../../src/features/voiceUpload/logic/sending';
import type { VoiceUploadTask } from '../../../../src/features/voiceUpload/logic/sending';

const failure = (kind: ApiErrorKind, sent?: boolean) =>
  new ApiError({ kind, message: kind, ...(sent !== undefined && { sent }) });

/** A service with voices, which loses or refuses what it is told to. */
function service() {
  const state = {
    voices: [] as Voice[],
    uploads: 0,
    lists: 0,
    /** Of the next uploads, in order: `arrives` loses the answer only. */
    faults: [] as ({ readonly error: unknown; readonly arrives: boolean } | undefined)[],
    listFaults: [] as unknown[],
    remembered: [] as (SentVoice | undefined)[],
    steps: [] as string[],
    asked: [] as string[],
    hold: undefined as Promise<void> | undefined,
    isDiskFull: false,
  };
  const sending: Sending = new Sending(
    () => {
      const { state: now } = sending;
      state.steps.push(now.kind === 'sending' ? now.at.step : now.kind);
    },
    async (sent) => {
      state.remembered.push(sent);
      if (state.isDiskFull && sent === undefined) throw new Error('No space is left.');
    },
  );
  const voices: VoiceUploadTask['voices'] = async (profileId) => ({
    async list() {
      state.lists += 1;
      state.asked.push(profileId);
      const fault = state.listFaults.shift();
      if (fault !== undefined) throw fault;
      return [...state.voices];
    },
    async upload({ customName, text, model, onProgress }, signal) {
      state.uploads += 1;
      onProgress?.(5, 10);
      const fault = state.faults.shift();
      const uri = `speech:${customName}:${state.uploads}`;
      if (!fault || fault.arrives) state.voices.push({ uri, customName, text, model });
      await state.hold;
      if (signal?.aborted) throw failure('aborted', true);
      if (fault) throw fault.error;
      return { uri };
    },
    delete: () => Promise.reject(failure('notOffered')),
  });
  const voice = { name: 'Anna', text: 'Hello.', model: 'm', profileId: 'p' };
  const send = (part: Partial<VoiceUploadTask> = {}) =>
    sending.send({ voice, sample: async () => ({ path: 'x.mp3' }), evenIfNamed: false, voices, ...part });
  return { state, sending, send, voices, voice };
}

describe('a voice upload', () => {
  it('checks the list first, and ends with the URI', async () => {
    const { state, sending, send } = service();
    await send();
    assert.deepEqual(sending.state, { kind: 'created', uri: 'speech:Anna:1', isFound: false });
    assert.deepEqual(state.steps, ['sending', 'looking', 'uploading', 'uploading', 'created'].slice(1));
    assert.deepEqual(state.remembered, [
      { name: 'Anna', text: 'Hello.', model: 'm', profileId: 'p', before: [] },
      undefined,
    ]);
  });

  it("has created the voice even if that couldn't be saved", async () => {
    const { state, sending, send } = service();
    state.isDiskFull = true;
    await send();
    assert.deepEqual(sending.state, { kind: 'created', uri: 'speech:Anna:1', isFound: false });
  });

  it('asks if another voice has the name, and sends no request until confirmed', async () => {
    const { state, sending, send } = service();
    state.voices.push({ uri: 'speech:a', customName: 'ANNA' });
    await send();
    assert.equal(sending.state.kind, 'named');
    assert.equal(state.uploads, 0);
    await send({ evenIfNamed: true });
    assert.equal(sending.state.kind, 'created');
    assert.equal(state.uploads, 1);
  });

  it("finds a voice whose response was lost, and doesn't send it again", async () => {
    const { state, sending, send } = service();
    state.faults = [{ error: failure('network', true), arrives: true }];
    await send();
    assert.deepEqual(sending.state, { kind: 'created', uri: 'speech:Anna:1', isFound: true });
    assert.equal(state.uploads, 1);
  });

  it('reports a missing voice after a failed request, and checks again before it is resent', async () => {
    const { state, sending, send } = service();
    state.faults = [{ error: failure('timeout', true), arrives: false }];
    await send();
    assert.deepEqual([sending.state.kind, sending.state.kind === 'failed' && sending.state.isLost], ['failed', true]);
    // It turned up late.
    state.voices.push({ uri: 'speech:late', customName: 'Anna', text: 'Hello.', model: 'm' });
    await send();
    assert.deepEqual(sending.state, { kind: 'created', uri: 'speech:late', isFound: true });
    assert.equal(state.uploads, 1);
  });

  it("is unknown while the list can't be loaded, and found later", async () => {
    const { state, sending, send, voices } = service();
    state.faults = [{ error: failure('truncated', true), arrives: true }];
    state.listFaults = [undefined, failure('network', false)];
    await send();
    assert.equal(sending.state.kind, 'unknown');
    await sending.lookFor(undefined, voices);
    assert.deepEqual(sending.state, { kind: 'created', uri: 'speech:Anna:1', isFound: true });
  });

  it('resumes after a reload with the sent values', async () => {
    const { state, sending, voices } = service();
    state.voices.push({ uri: 'speech:new', customName: 'Anna', text: 'Hello.', model: 'm' });
    await sending.lookFor({ name: 'Anna', text: 'Hello.', model: 'm', profileId: 'p', before: ['speech:old'] }, voices);
    assert.deepEqual(sending.state, { kind: 'created', uri: 'speech:new', isFound: true });
    assert.equal(state.uploads, 0);
    assert.equal(state.remembered.at(-1), undefined);
  });

  it('reports a rejection, and drops it', async () => {
    for (const kind of ['permission', 'badRequest', 'rateLimit'] as const) {
      const { state, sending, send } = service();
      state.faults = [{ error: failure(kind, true), arrives: false }];
      await send();
      assert.equal(sending.state.kind === 'failed' && sending.state.isLost, false, kind);
      assert.equal(state.lists, 1);
      assert.equal(state.remembered.at(-1), undefined);
    }
  });

  it("sends no request if the list can't be loaded, unless the service has none", async () => {
    const { state, sending, send } = service();
    state.listFaults = [failure('network', false)];
    await send();
    assert.equal(sending.state.kind, 'failed');
    assert.equal(state.uploads, 0);
    state.listFaults = [failure('notOffered', true)];
    await send();
    assert.equal(sending.state.kind, 'created');
  });

  it('is canceled, and still searched for', async () => {
    for (const arrives of [false, true]) {
      const { state, sending, send } = service();
      let release: () => void = () => undefined;
      state.hold = new Promise((done) => (release = done));
      state.faults = [{ error: failure('aborted', true), arrives }];
      const sent = send();
      while (state.uploads === 0) await Promise.resolve();
      sending.stop();
      release();
      await sent;
      assert.equal(sending.state.kind, arrives ? 'created' : 'none');
      assert.equal(state.remembered.at(-1), undefined);
    }
  });

  it('sends one request if requested twice', async () => {
    const { state, send } = service();
    await Promise.all([send(), send()]);
    assert.equal(state.uploads, 1);
  });

  it('searches in the account it was sent to, and accepts no voice of another one', async () => {
    const { state, sending, send, voices, voice } = service();
    state.voices.push({ uri: 'speech:new', customName: 'Anna', text: 'Hello.', model: 'm' });
    state.listFaults = [failure('network', false)];
    await sending.lookFor({ ...voice, profileId: 'before', before: [] }, voices);
    assert.equal(sending.state.kind, 'unknown');
    await send({ evenIfNamed: true });
    assert.deepEqual(sending.state, { kind: 'created', uri: 'speech:Anna:1', isFound: false });
    assert.deepEqual(state.asked, ['before', 'p']);
  });
});

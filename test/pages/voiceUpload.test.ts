import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { VoiceUploadOutcome, VoiceUploadView } from '../../src/protocol/voiceUpload';
import { look } from '../support/pageLooks';
import { screenPages } from '../support/screenPages';
import { until } from '../support/until';
import { createVoiceUploadHost } from '../support/voiceUploadHost';
import type { VoiceUploadHost } from '../support/voiceUploadHost';
import type { Theme } from '../support/webviewPage';

const fixture = (name: string) => readFileSync(`test/fixtures/audio/${name}`);
const said = 'The quick brown fox jumps over the lazy dog.';

describe('the page for uploading a voice', () => {
  const openPage = screenPages();

  interface Looks {
    readonly theme?: Theme;
    readonly width?: number;
    readonly height?: number;
    /** Of a fixture that is played and drawn; empty: none is. */
    readonly file?: string;
    readonly set?: (host: VoiceUploadHost) => void;
  }
  async function open(view: Partial<VoiceUploadView> = {}, looks: Looks = {}) {
    const { theme = 'dark', width = 800, height = 1000, file = 'nine.mp3', set } = looks;
    const ours = createVoiceUploadHost(view);
    if (file !== '') {
      ours.sound = fixture(file);
      const playUri = openPage.show(file, file.endsWith('mp3') ? 'audio/mpeg' : 'audio/ogg', ours.sound);
      if (ours.view.sample) ours.view = { ...ours.view, sample: { ...ours.view.sample, playUri } };
    }
    set?.(ours);
    const one = await openPage('voiceUpload', { theme, width, height, handlers: ours.handlers });
    const { page, host } = one;
    const show = (part: Partial<VoiceUploadView>) => {
      ours.view = { ...ours.view, ...part };
      host.tell('voiceUpload/changed', ours.view);
    };
    await page.getByRole('heading', { level: 1 }).getByText(ours.view.fileName).waitFor();
    const owner = page.getByLabel('Voice owner and permission');
    const consent = page.getByLabel('I have permission to use this voice');
    return {
      ...one,
      owner,
      consent,
      /** Fills in all that is required. */
      fill: async () => {
        await page.locator('#sample-text').fill(said);
        await owner.fill('My own.');
        await consent.check();
      },
      ours,
      show,
      upload: page.locator('vscode-button', { hasText: 'Upload Voice' }),
      text: page.locator('#sample-text'),
      name: page.getByRole('textbox', { name: 'Name', exact: true }),
      slider: page.getByRole('slider', { name: 'Position in the recording' }),
      drawn: () => page.locator('.waveform-bars[d]:not([d=""])').first().waitFor({ state: 'attached' }),
    };
  }
  type Opened = Awaited<ReturnType<typeof open>>;
  const isDisabled = (button: Opened['upload']) =>
    button.evaluate((element) => (element as unknown as { disabled: boolean }).disabled);
  const ordered = (ours: VoiceUploadHost, count = 1) =>
    until(() => (ours.orders.length === count ? ours.orders.at(-1) : undefined), 'an order');
  const asked = (ours: VoiceUploadHost, name: string) =>
    until(() => (ours.asked.includes(name) ? true : undefined), name);
  const place = async ({ slider }: Opened) => Number(await slider.getAttribute('aria-valuenow'));
  const comesTo = (opened: Opened, seconds: number) =>
    until(async () => (Math.abs((await place(opened)) - seconds) < 0.3 ? true : undefined), `at ${seconds} s`);

  it('uploads the entered values, or the suggested ones', async () => {
    const { ours, page, upload, fill, name } = await open();
    assert.equal(await isDisabled(upload), true);
    await page.getByText('Enter the transcript.').waitFor();
    await fill();
    await asked(ours, `form ${said}`);
    await upload.locator('button').click();
    const first = await ordered(ours);
    assert.deepEqual(first, {
      profileId: 'work',
      evenIfNamed: false,
      form: {
        name: 'anna',
        text: said,
        model: 'FunAudioLLM/CosyVoice2-0.5B',
        way: 'file',
        pcmRate: 0,
        note: 'My own.',
        isAllowed: true,
      },
    });
    await name.fill('Anna 2');
    await page.getByLabel('Base64 in JSON').check();
    await page.getByRole('button', { name: 'Show Models' }).click();
    await page.getByRole('option', { name: /IndexTTS/ }).click();
    await upload.locator('button').click();
    const { form } = (await ordered(ours, 2)) ?? assert.fail();
    assert.deepEqual([form.name, form.way, form.model], ['Anna 2', 'base64', 'IndexTeam/IndexTTS-2']);
  });

  it('requires the owner of the voice and consent, and marks the missing field', async () => {
    const { page, ours, text, owner, consent, upload } = await open();
    const marks = async () =>
      Promise.all([owner, consent].map((field) => field.evaluate((element) => element.getAttribute('aria-invalid'))));
    assert.deepEqual(await marks(), ['false', 'false']);
    await text.fill(said);
    await page.locator('#sample-note-about', { hasText: 'Enter the owner of the voice.' }).waitFor();
    assert.deepEqual([await marks(), await isDisabled(upload)], [['true', 'false'], true]);
    await owner.fill('Anna Berg, agreed by mail');
    await page
      .locator('#sample-consent-about', { hasText: 'Confirm that you have permission to use this voice.' })
      .waitFor();
    assert.deepEqual([await marks(), await isDisabled(upload)], [['false', 'true'], true]);
    await look(page, 'voiceUpload-consent', { colours: true });
    await consent.check();
    await upload.locator('button').click();
    assert.equal((await ordered(ours))?.form.isAllowed, true);
  });

  for (const file of ['nine.mp3', 'nine.opus', 'vorbis.ogg']) {
    it(`draws ${file}, and measures it`, async () => {
      const { ours, drawn } = await open({}, { file });
      await drawn();
      const levels = await until(() => ours.levels[0], 'levels');
      assert.ok(Math.abs(levels.seconds - (file.startsWith('nine') ? 9 : 2)) < 0.15, String(levels.seconds));
      assert.ok(levels.peak > 0.05 && levels.peak < 0.5 && levels.clippedPart === 0, JSON.stringify(levels));
    });
  }

  it('seeks in the recording with a click, a drag, and keys, and plays from there', async () => {
    const opened = await open({}, { file: 'nine.opus' });
    const { page, slider, drawn } = opened;
    await drawn();
    await page.waitForFunction(() => (document.querySelector('audio')?.readyState ?? 0) >= 1);
    const box = (await slider.boundingBox()) ?? assert.fail();
    await page.mouse.click(box.x + box.width / 2, box.y + 20);
    await comesTo(opened, 4.5);
    await page.mouse.move(box.x + box.width / 2, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 3, box.y + 20, { steps: 4 });
    await page.mouse.up();
    await comesTo(opened, 3);
    await slider.press('ArrowRight');
    await comesTo(opened, 4);
    await slider.press('End');
    await comesTo(opened, 9);
    await slider.press('Home');
    await comesTo(opened, 0);
    await slider.press('Space');
    await until(async () => ((await place(opened)) > 0.3 ? true : undefined), 'playing');
    await look(page, 'voiceUpload-playing');
    await slider.press('Space');
    assert.equal(await page.evaluate(() => document.querySelector('audio')?.paused), true);
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /^\d\.\d of 9\.\d seconds$/);
  });

  it("reports a file that can't be decoded, and accepts it", async () => {
    const { page, ours, fill, upload } = await open({}, { set: (host) => (host.sound = Buffer.from('no sound')) });
    await page.getByText('No waveform for this file.').waitFor();
    await look(page, 'voiceUpload-undecoded');
    assert.equal(ours.levels.length, 0);
    await fill();
    await upload.locator('button').click();
    await ordered(ours);
  });

  it('draws another recording when the host reports a different one', async () => {
    const { ours, show, drawn, page } = await open();
    await drawn();
    await until(() => ours.levels[0], 'levels');
    ours.sound = fixture('vorbis.ogg');
    show({ sample: { ...(ours.view.sample ?? assert.fail()), soundId: 'sound 2' } });
    assert.ok(Math.abs((await until(() => ours.levels[1], 'levels')).seconds - 2) < 0.1);
    show({ sample: { ...(ours.view.sample ?? assert.fail()), soundId: 'sound 3', notDrawn: 'Files over 10 MB…' } });
    await page.getByText('Files over 10 MB…').waitFor();
    assert.equal(await page.locator('.waveform').count(), 0);
    assert.equal(ours.levels.length, 2);
  });

  it('asks for the sample rate of raw audio, which can then be played', async () => {
    const { page, ours } = await open(
      { findings: [{ severity: 'warning', text: 'Raw samples tell nothing of themselves.' }] },
      {
        file: '',
        set: (host) => (host.view = { ...host.view, sample: { ...(host.view.sample ?? assert.fail()), isRaw: true } }),
      },
    );
    assert.equal(await page.locator('audio').count(), 0);
    await look(page, 'voiceUpload-raw');
    await page.getByLabel('Sample rate').selectOption('24000');
    await asked(ours, 'form ');
  });

  it('explains problems of the recording, and uploads none with errors', async () => {
    const { page, show, fill, upload } = await open({
      findings: [
        { severity: 'error', text: 'It lasts 42 s; a sample has to last less than 30 s.' },
        { severity: 'warning', text: 'It is stereo.' },
        { severity: 'hint', text: 'The service advises 8 to 10 s.' },
      ],
    });
    await fill();
    await page.getByText('Fix the errors in the recording.').waitFor();
    assert.equal(await isDisabled(upload), true);
    await look(page, 'voiceUpload-findings');
    show({ findings: [{ severity: 'warning', text: 'It is stereo.' }] });
    await page.getByText('Sent to Work (api.siliconflow.com)').waitFor();
    assert.equal(await isDisabled(upload), false);
  });

  it('marks an invalid name', async () => {
    const { page, text, name, upload } = await open();
    await text.fill(said);
    await name.fill('speech:anna');
    await page.getByText("The name can't contain a colon.").waitFor();
    assert.equal(await isDisabled(upload), true);
    await name.fill('x'.repeat(65));
    await page.getByText("The name can't be longer than 64 characters.").waitFor();
    await name.fill('');
    await page.getByText('Enter a name.').waitFor();
  });

  it("explains why a file isn't a recording, and offers another", async () => {
    const { page, ours, upload } = await open(
      {
        state: 'failed',
        fileName: 'page.mp3',
        error: {
          kind: 'user',
          title: 'page.mp3 cannot be a voice sample',
          detail: 'It is a web page, not a recording.',
          actions: [],
        },
      },
      { set: ({ view }) => delete (view as { sample?: unknown }).sample },
    );
    await page.locator('.note-error', { hasText: 'It is a web page' }).waitFor();
    assert.equal(await isDisabled(upload), true);
    await look(page, 'voiceUpload-refused');
    await page.locator('.note').getByRole('button', { name: 'Choose Another File' }).click();
    await asked(ours, 'choose');
    await page.getByRole('button', { name: 'Reload' }).click();
    await asked(ours, 'readAgain');
  });

  it('suggests a transcript, and can restore the entered one', async () => {
    const models = ['FunAudioLLM/SenseVoiceSmall', 'TeleAI/TeleSpeechASR'];
    const { page, text, ours, show } = await open({ hearingModels: models });
    await text.fill('What I wrote');
    await page.getByLabel('Transcription model').selectOption('TeleAI/TeleSpeechASR');
    await page.getByRole('button', { name: 'Transcribe Recording' }).click();
    await asked(ours, 'transcribe TeleAI/TeleSpeechASR');
    show({ hearing: { kind: 'running' } });
    await page.getByText('Transcribing recording…').waitFor();
    show({ hearing: { kind: 'heard', id: 'one', text: said } });
    await page.getByText('Review the transcript and fix any mistakes.').first().waitFor();
    assert.equal(await text.inputValue(), said);
    await asked(ours, 'tookHeard one');
    await look(page, 'voiceUpload-proposed');
    await page.getByRole('button', { name: 'Undo' }).click();
    assert.equal(await text.inputValue(), 'What I wrote');
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
    // Told once more before it was seen that it is taken.
    show({ hearing: { kind: 'heard', id: 'one', text: said }, textTime: 'about 2 s to speak' });
    await page.getByText('about 2 s to speak').waitFor();
    assert.equal(await text.inputValue(), 'What I wrote');
  });

  it('receives and keeps a transcript that finished while it was hidden', async () => {
    const hearingModels = ['FunAudioLLM/SenseVoiceSmall'];
    const { page, text, ours } = await open({ hearingModels, hearing: { kind: 'heard', id: 'two', text: said } });
    await until(async () => ((await text.inputValue()) === said ? true : undefined), 'the words');
    await asked(ours, 'tookHeard two');
    await page.reload();
    await until(async () => ((await text.inputValue()) === said ? true : undefined), 'the words after a reload');
  });

  it('stops a transcription, keeps text typed in the meantime, and shows errors', async () => {
    const hearingModels = ['FunAudioLLM/SenseVoiceSmall'];
    const { page, text, ours, show } = await open({ hearingModels, hearing: { kind: 'running' } });
    await text.fill('Typed meanwhile');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await asked(ours, 'stopTranscribing');
    const problem = {
      kind: 'timeout',
      title: 'The service did not answer',
      detail: 'Try again later.',
      actions: [],
    } as const;
    show({ hearing: { kind: 'failed', error: problem } });
    await page.locator('.note-error', { hasText: 'The service did not answer' }).waitFor();
    await page.getByRole('button', { name: 'Transcribe Recording' }).waitFor();
    assert.equal(await text.inputValue(), 'Typed meanwhile');
    await look(page, 'voiceUpload-notHeard');
  });

  it('shows its progress, and cancels the upload', async () => {
    const { page, ours, show, upload } = await open();
    show({ progress: { text: 'Uploading: 40% of 216 kB', part: 0.4 } });
    await page.getByText('Uploading: 40% of 216 kB').first().waitFor();
    assert.equal(await upload.count(), 0);
    await look(page, 'voiceUpload-uploading');
    await page.locator('vscode-button', { hasText: 'Cancel' }).locator('button').click();
    await asked(ours, 'stop');
  });

  it('asks about a duplicate name: another name, or upload anyway', async () => {
    const { page, ours, show, fill, name } = await open();
    await fill();
    show({ outcome: named });
    await page.locator('.note', { hasText: 'There is a voice of this name: Anna' }).waitFor();
    await look(page, 'voiceUpload-named');
    await page.getByRole('button', { name: 'Change Name' }).click();
    await asked(ours, 'act changeName');
    await until(() => name.evaluate((element) => document.activeElement === element || undefined), 'the focus');
    await page.getByRole('button', { name: 'Upload Anyway' }).click();
    assert.equal((await ordered(ours))?.evenIfNamed, true);
  });

  it('offers no second upload while the outcome is unknown', async () => {
    const { page, ours, show, upload, text } = await open();
    await text.fill(said);
    show({
      outcome: {
        kind: 'unknown',
        title: 'Upload status unknown',
        detail: 'No answer came.',
        actions: [{ id: 'lookNow', label: 'Check Now' }],
      },
    });
    await page.locator('.note-warning', { hasText: 'Upload status unknown' }).waitFor();
    assert.equal(await upload.count(), 0);
    await page.getByRole('button', { name: 'Check Now' }).click();
    await asked(ours, 'act lookNow');
  });

  it('retries a rejected upload', async () => {
    const { page, ours, show, fill } = await open();
    await fill();
    show({
      outcome: {
        kind: 'failed',
        title: 'The service requires identity verification',
        detail: 'Voices are uploaded only by accounts whose owner’s real name is verified.',
        actions: [{ id: 'retry', label: 'Try Again' }],
      },
    });
    await page.locator('.note-error').waitFor();
    await look(page, 'voiceUpload-failed');
    await page.getByRole('button', { name: 'Try Again' }).click();
    await ordered(ours);
  });

  it('shows the URI when the voice exists, and focuses it', async () => {
    const { page, ours, show, text } = await open();
    await text.fill('Words of this voice');
    show({ outcome: created });
    await page.getByRole('heading', { name: 'Voice uploaded' }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Voice uploaded');
    await page.getByText('speech:anna:clx0abc:mhdabcdef').waitFor();
    await look(page, 'voiceUpload-created');
    for (const [label, id] of [
      ['Copy', 'copyUri'],
      ['Insert at Cursor', 'insertUri'],
    ] as const) {
      await page.getByRole('button', { name: label, exact: true }).click();
      await asked(ours, `act ${id}`);
    }
    await page.locator('vscode-button', { hasText: 'Try Voice' }).locator('button').click();
    await asked(ours, 'act tryVoice');
    assert.equal(await text.count(), 0);
    await page.getByText('Upload Another').click();
    await asked(ours, 'act another');
    const { outcome: _created, ...fresh } = ours.view;
    ours.view = fresh;
    show({});
    assert.equal(await text.inputValue(), '');
  });

  it('accepts a dropped file by URI, or else its content', async () => {
    const { page, ours } = await open();
    const drop = (kind: 'address' | 'file') =>
      page.evaluate((what) => {
        const data = new DataTransfer();
        if (what === 'address') data.setData('text/uri-list', '# list\r\nfile:///x/ben.wav\r\nfile:///x/other.wav');
        else data.items.add(new File(['RIFF…'], 'ben.wav'));
        const event = (type: string) => new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true });
        document.body.dispatchEvent(event('dragover'));
        const over = document.body;
        requestAnimationFrame(() => over.dispatchEvent(event('drop')));
      }, kind);
    await drop('address');
    await asked(ours, 'drop file:///x/ben.wav');
    await drop('file');
    await until(() => (ours.asked.some((one) => one.startsWith('drop ben.wav RIFF')) ? true : undefined), 'the bytes');
  });

  it('keeps entered values through a reload', async () => {
    const { page } = await open();
    await page.locator('#sample-text').fill(said);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('');
    await page.getByLabel('Base64 in JSON').check();
    await page.getByLabel('I have permission to use this voice').check();
    await page.reload();
    await page.getByText('Enter a name.').waitFor();
    assert.equal(await page.locator('#sample-text').inputValue(), said);
    assert.equal(await page.getByLabel('Base64 in JSON').isChecked(), true);
    assert.equal(await page.getByLabel('I have permission to use this voice').isChecked(), true);
  });

  const long = 'x'.repeat(200);
  it('is readable and reachable', async () => {
    const { page, show, text, name, drawn, slider } = await open({
      findings: [
        { severity: 'warning', text: `The text has about 30 s of words, the sample lasts 8 s. ${long}` },
        { severity: 'hint', text: '它持续 7.2 秒。' },
      ],
      textTime: 'about 30 s to say',
      hearingModels: ['FunAudioLLM/SenseVoiceSmall', `TeleAI/${long}`],
    });
    await drawn();
    await text.fill(`${said} 在一无所知中, 梦里的一天结束了 ${long}`);
    await name.fill(long);
    await slider.press('End');
    show({ outcome: named });
    await page.locator('.note').waitFor();
    await look(page, 'voiceUpload', { colours: true });
    show({ outcome: { ...created, uri: `speech:${long}:clx0abc:mhdabcdef` } });
    await page.getByRole('heading', { name: 'Voice uploaded' }).waitFor();
    await look(page, 'voiceUpload-created');
  });
});

const named: VoiceUploadOutcome = {
  kind: 'named',
  title: 'There is a voice of this name: Anna',
  detail: 'The service takes another one, and they differ in their address only. Nothing was sent yet.',
  actions: [
    { id: 'changeName', label: 'Change Name' },
    { id: 'sendAnyway', label: 'Upload Anyway' },
    { id: 'openNamed', label: 'Open Existing Voice' },
  ],
};

const created: VoiceUploadOutcome = {
  kind: 'created',
  uri: 'speech:anna:clx0abc:mhdabcdef',
  title: 'Voice uploaded',
  detail: 'Speech can be made with this address in place of a voice.',
  actions: [
    { id: 'tryVoice', label: 'Try Voice' },
    { id: 'copyUri', label: 'Copy' },
    { id: 'insertUri', label: 'Insert at Cursor' },
    { id: 'another', label: 'Upload Another' },
  ],
};

import assert from 'node:assert/strict';
import { speakMp3 } from '../../src/demo/audio/mp3';
import { synthesise } from '../../src/demo/audio/synthesise';
import { wavOf } from '../../src/demo/audio/wav';
import { emptyVoiceForm } from '../../src/protocol/voiceForm';
import type { VoiceView } from '../../src/protocol/voice';
import { asksOf } from '../support/asks';
import { look } from '../support/pageLooks';
import { screenPages } from '../support/screenPages';
import { until } from '../support/until';
import { createVoiceHost, takeSound, voiceTakes, voiceView } from '../support/voiceHost';
import type { Theme } from '../support/webviewPage';

describe('the page of a voice', () => {
  const openPage = screenPages();

  interface Looks {
    readonly theme?: Theme;
    readonly width?: number;
    readonly height?: number;
  }
  async function open(change: Partial<VoiceView> = {}, { theme = 'dark', width = 1000, height = 900 }: Looks = {}) {
    const src = openPage.show('take.wav', 'audio/wav', takeSound());
    /** Takes that can be played, but those that are to be none or have their own sound. */
    const playable = <Part extends Partial<VoiceView>>(part: Part): Part => {
      const takes = part.takes?.map((take) => (/^t\d\.wav$/.test(take.src) ? { ...take, src } : take));
      return takes ? { ...part, takes } : part;
    };
    const ours = createVoiceHost(playable(change));
    const one = await openPage('voice', { theme, width, height, handlers: ours.handlers });
    const { page, host } = one;
    await page.getByRole('heading', { level: 1 }).waitFor();
    const asks = asksOf(ours.asked);
    const tell = (part: Partial<VoiceView>) =>
      host.tell('voice/changed', (ours.view = { ...ours.view, ...playable(part) }));
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
    const shoot = (name: string) => look(page, `voice-${name}`, { stays: name === 'take-menu' });
    const spoken = (text: string) => page.locator('.spoken p', { hasText: text }).waitFor({ state: 'attached' });
    return { ...one, ours, asks, tell, field, button, shoot, spoken };
  }
  const speakable: Partial<VoiceView> = { form: { ...emptyVoiceForm, input: 'Hello.' }, obstacle: '' };

  it('shows the details of the voice, and copies its URI', async () => {
    const { page, button, asks, spoken } = await open();
    await page.getByText('In the middle of the night the rain began').waitFor();
    await page.getByText(voiceView.uri).waitFor();
    await button('Copy URI').click();
    await asks('voice/do', { step: 'copyUri' });
    await spoken('Copied the URI.');
    await button('Insert URI at Cursor').click();
    await button('Delete Voice…').click();
    await asks('voice/do', { step: 'delete' });
  });

  it("plays the demo service's MP3 with the length and volume of its WAV", async () => {
    const { page } = await open();
    const heard = (file: Buffer) =>
      page.evaluate(async (base64) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const sound = await new OfflineAudioContext(1, 1, 44_100).decodeAudioData(bytes.buffer);
        const samples = sound.getChannelData(0);
        const power = samples.reduce((sum, value) => sum + value * value, 0) / samples.length;
        const peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
        return { seconds: sound.duration, loudness: Math.sqrt(power), peak };
      }, file.toString('base64'));
    for (const sampleRate of [32_000, 44_100])
      for (const gain of [0, 10]) {
        const text = 'Good morning, harbour. 早上好，港口。';
        const request = { text, voice: 'anna', sampleRate, speed: 1, gain };
        const mp3 = await heard(speakMp3(request));
        const wav = await heard(wavOf(synthesise(request), sampleRate, text));
        const facts = JSON.stringify([sampleRate, gain, mp3, wav]);
        assert.ok(Math.abs(mp3.seconds - wav.seconds) < 0.1, facts);
        assert.ok(mp3.loudness > wav.loudness / 3 && mp3.peak > 0.2 && mp3.peak <= 1, facts);
      }
  });

  it('speaks the text with the settings, by button and by key', async () => {
    const { page, field, asks, button, shoot } = await open();
    await page.getByText('Enter text to speak.').waitFor();
    await shoot('empty');
    await field('Text').fill('Hello there.');
    await page
      .getByText('Enter text to speak.')
      .waitFor({ state: 'detached' })
      .catch(() => {});
    await page.getByLabel('response_format').selectOption('wav');
    await page.getByRole('combobox', { name: 'sample_rate' }).fill('32000');
    await page.keyboard.press('Escape');
    await field('speed').fill('1.5');
    await field('gain').fill('-3');
    await page.getByRole('checkbox', { name: /stream/ }).check();
    await button('Generate Speech').click();
    const form = {
      input: 'Hello there.',
      model: '',
      response_format: 'wav',
      sample_rate: '32000',
      speed: '1.5',
      gain: '-3',
      stream: true,
    };
    await asks('voice/speak', { form });
    await page.getByText('Waiting for the service: 1 sec').waitFor();
    await shoot('speaking');
    await button('Stop').click();
    await asks('voice/stop', {});
  });

  it('speaks on Ctrl+Enter right after typing, but not while speaking', async () => {
    const { page, field, asks, ours, tell } = await open();
    await field('Text').fill('At once.');
    await page.keyboard.press('Control+Enter');
    assert.equal(((await asks('voice/speak')) as { form: { input: string } }).form.input, 'At once.');
    await page.getByText('Waiting for the service').waitFor();
    await field('Text').press('Control+Enter');
    tell({ speaking: undefined as never });
    await page.getByRole('button', { name: 'Generate Speech', exact: true }).waitFor();
    assert.equal(ours.asked.filter(([name]) => name === 'voice/speak').length, 1);
  });

  it('shows errors, warnings, and rejections at their fields', async () => {
    const { page, shoot, field } = await open({
      form: { ...emptyVoiceForm, input: 'a', response_format: 'opus', sample_rate: '8000', speed: '9', gain: 'loud' },
      obstacle: 'Fix the highlighted fields.',
      issues: {
        speed: "speed can't be greater than 4. The value is 9.",
        gain: 'Enter a number, such as 0.7.',
      },
      warnings: {
        sample_rate: 'sample_rate must be one of: 32000, 44100. It is 8000.',
        response_format: 'The service rejected this value.',
      },
      outcome: {
        tone: 'error',
        title: 'The service refused the parameter response_format',
        detail:
          'The demo service makes mp3, wav and pcm only, not opus. Change or leave out what it names, then try again.',
        actions: [{ id: 'showExchange:1', label: 'Show Request and Response' }],
      },
    });
    await page.locator('.parameter-issue', { hasText: "can't be greater than 4" }).waitFor();
    await page.locator('.parameter-warning', { hasText: 'The service rejected this value.' }).waitFor();
    assert.equal(await field('speed').getAttribute('aria-invalid'), 'true');
    await shoot('refused');
  });

  it('restores the form after a reload, and accepts values from the host', async () => {
    const { page, field, tell, asks } = await open();
    await field('Text').fill('Kept.');
    await asks('voice/form');
    await page.reload();
    await until(async () => ((await field('Text').inputValue()) === 'Kept.' ? true : undefined), 'the text');
    tell({ takes: voiceTakes });
    await page.locator('.voice-take').nth(2).waitFor();
    assert.equal(await field('Text').inputValue(), 'Kept.');
    tell({ form: { ...emptyVoiceForm, input: 'Of a take.' }, formRevision: 1 });
    await until(async () => ((await field('Text').inputValue()) === 'Of a take.' ? true : undefined), 'it');
  });

  it('keeps a note on consent and source', async () => {
    const { page, asks, shoot } = await open();
    await page.getByRole('textbox', { name: /Voice owner/ }).fill('Anna, agreed by mail');
    await page.getByRole('checkbox', { name: 'I have permission to use this voice' }).check();
    await until(
      async () => (((await asks('voice/note')) as { isAllowed: boolean }).isAllowed ? true : undefined),
      'the note',
    );
    await asks('voice/note', { text: 'Anna, agreed by mail', isAllowed: true });
    await page.getByText('Edited now').waitFor();
    await shoot('note');
  });

  it('lists clips with all their actions', async () => {
    const { page, asks, shoot } = await open({ ...speakable, takes: voiceTakes, newTake: 't1' });
    await page.locator('.voice-take').nth(2).waitFor();
    await page.getByText('New', { exact: true }).waitFor();
    const menu = page.getByRole('button', { name: /^More Actions for The quick/ }).first();
    await menu.click();
    await shoot('take-menu');
    assert.deepEqual(await page.getByRole('menuitem').allTextContents(), [
      'Use Text and Settings',
      'Regenerate',
      'Transcribe',
      'Insert at Cursor…',
      'Save As…',
      'Open Containing Folder',
      'Show Details',
      'Delete…',
    ]);
    await page.getByRole('menuitem', { name: 'Show Details' }).click();
    await asks('voice/take', { id: 't1', step: 'recipe' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Transcribe' }).click();
    await asks('voice/transcribe', { model: 'FunAudioLLM/SenseVoiceSmall', take: 't1' });
    await page.getByText('Sending sample.wav: 40 %').waitFor();
  });

  it('compares two clips by their differences, and drops a deleted one', async () => {
    const { page, shoot, tell } = await open({ ...speakable, takes: voiceTakes });
    const boxes = page.getByRole('checkbox', { name: /^Compare/ });
    await boxes.nth(0).check();
    await page.getByText('Select a second clip').waitFor();
    await boxes.nth(1).check();
    const rows = page.locator('.voice-differences tbody tr');
    await rows.first().waitFor();
    assert.deepEqual(await rows.allInnerTexts(), ['speed\t1.5\tService default']);
    await shoot('compare');
    await boxes.nth(2).check();
    await rows.nth(1).waitFor();
    assert.equal(await boxes.nth(0).isChecked(), false);
    tell({ takes: voiceTakes.slice(0, 2) });
    await page.getByText('Select a second clip').waitFor();
    await page.getByRole('button', { name: 'Stop Comparing' }).click();
    await page.locator('.voice-compare').waitFor({ state: 'detached' });
  });

  it('plays two clips one after the other', async () => {
    const rate = 8000;
    const wav = wavOf(synthesise({ text: 'a', voice: 'a', sampleRate: rate, speed: 1, gain: 0 }), rate, 'a');
    const { page, button, tell } = await open();
    const src = await page.evaluate((base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      return URL.createObjectURL(new Blob([bytes], { type: 'audio/wav' }));
    }, Buffer.from(wav).toString('base64'));
    tell({ takes: voiceTakes.map((take) => ({ ...take, src })) });
    const boxes = page.getByRole('checkbox', { name: /^Compare/ });
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    const said = page.locator('.voice-run [aria-live]');
    await said.evaluate((element) => {
      const texts: string[] = [];
      Object.assign(globalThis, { texts });
      new MutationObserver(() => texts.push(element.textContent)).observe(element, {
        characterData: true,
        childList: true,
        subtree: true,
      });
    });
    await button('Play Both').click();
    const texts = () => page.evaluate(() => (globalThis as unknown as { texts: string[] }).texts);
    await until(async () => ((await texts()).at(-1) === '' ? true : undefined), 'the end of both');
    assert.deepEqual(await texts(), ['Playing 1 of 2', 'Playing 2 of 2', '']);
    const heard = await page
      .locator('audio')
      .evaluateAll((players) => players.map((one) => (one as HTMLAudioElement).ended));
    assert.deepEqual(heard, [true, true, false]);
  });

  it("shows ten clips until all are requested, and reports one that can't be played", async () => {
    const many = Array.from({ length: 23 }, (_, index) => ({ ...voiceTakes[0]!, id: `n${index}`, src: '' }));
    const { page, asks } = await open({ ...speakable, takes: many });
    await page.locator('.voice-take').nth(9).waitFor();
    assert.equal(await page.locator('.voice-take').count(), 10);
    await page.getByRole('button', { name: 'Show All 23 Clips' }).click();
    await page.locator('.voice-take').nth(22).waitFor();
    await page.getByRole('button', { name: 'Open Externally' }).first().click();
    await asks('voice/take', { id: 'n0', step: 'openOutside' });
  });

  it('shows a transcript to copy, insert, and open', async () => {
    const { page, button, asks, spoken, shoot } = await open({
      ...speakable,
      transcript: {
        name: 'interview.mp3',
        text: 'First line.\n第二行。',
        facts: 'SenseVoiceSmall · now',
        ids: ['Trace ID: ti_1'],
      },
    });
    await page.getByText('Transcript of interview.mp3').waitFor();
    assert.equal(await page.getByText('SenseVoiceSmall · now').getAttribute('title'), 'Trace ID: ti_1');
    await button('Copy').click();
    await asks('voice/transcript', { step: 'copy' });
    await spoken('Copied the transcript.');
    await button('Open as Document').click();
    await shoot('transcript');
    await button('Choose Recording…').click();
    await page.getByText('Sending sample.wav: 40 %').waitFor();
    await button('Stop').click();
    await asks('voice/stopTranscribing', {});
  });

  const problems: Readonly<Record<string, Partial<VoiceView>>> = {
    'signed-out': {
      canDelete: false,
      text: '',
      model: '',
      obstacle: 'Sign in first.',
      error: {
        tone: 'info',
        title: 'Sign in to use this voice',
        detail: 'Or try the demo service without a key.',
        actions: [
          { id: 'signIn', label: 'Sign In' },
          { id: 'tryDemo', label: 'Try Demo Service' },
        ],
      },
    },
    gone: {
      canDelete: false,
      text: '',
      obstacle: 'This voice no longer exists.',
      takes: voiceTakes,
      error: {
        tone: 'warning',
        title: 'This voice no longer exists',
        detail: 'The active account has none of this URI. What was made with it is kept.',
        actions: [{ id: 'lookAgain', label: 'Reload' }],
      },
    },
    'not-offered': {
      ...speakable,
      canSpeak: false,
      canTranscribe: false,
      takes: voiceTakes.slice(0, 1),
      error: {
        tone: 'info',
        title: "This service doesn't support speech",
        detail: 'Switch to an account with another service.',
        actions: [{ id: 'switchAccount', label: 'Use Another Account' }],
      },
    },
    'cut-off': {
      ...speakable,
      takes: voiceTakes.slice(0, 1),
      newTake: 't1',
      outcome: {
        tone: 'warning',
        title: 'The clip is incomplete',
        detail: 'The audio received so far is saved below.',
        actions: [{ id: 'retry', label: 'Try Again' }],
      },
    },
    loading: { isLoading: true, canDelete: false, text: '', model: '' },
  };
  for (const [name, change] of Object.entries(problems)) {
    it(`explains the state: ${name}`, async () => {
      const { page, shoot, asks } = await open(change, { width: 720, height: 800 });
      await shoot(name);
      const notice = change.error ?? change.outcome;
      if (!notice) return;
      await page.getByRole('button', { name: notice.actions[0]!.label, exact: true }).click();
      await asks('voice/act', { id: notice.actions[0]!.id });
    });
  }

  it('offers no speech or transcription if the service supports neither, and keeps clips', async () => {
    const transcript = { name: 'sample.wav', text: 'Some words.', facts: 'SenseVoiceSmall · now', ids: [] };
    const { page, button, tell, ours } = await open({ ...problems['not-offered'] });
    await page.locator('.voice-take').waitFor();
    await page.locator('vscode-button[disabled]', { hasText: 'Generate Speech' }).waitFor();
    await page.getByRole('textbox', { name: 'Text', exact: true }).press('Control+Enter');
    await button(/^More Actions for/).click();
    await page.getByRole('menuitem', { name: 'Regenerate' }).waitFor();
    assert.equal(await page.getByRole('menuitem', { name: 'Transcribe' }).count(), 0);
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('heading', { name: 'Transcription' }).count(), 0);
    tell({ transcript });
    await page.getByRole('blockquote').getByText('Some words.').waitFor();
    const title = "This service doesn't support transcription";
    tell({ transcriptError: { tone: 'error', title, detail: '', actions: [] } });
    await page.locator('.note-title', { hasText: title }).waitFor();
    assert.equal(await button('Choose Recording…').count(), 0);
    assert.equal(ours.asked.filter(([method]) => method === 'voice/speak').length, 0);
  });

  it('shows a built-in voice without the sections for custom voices', async () => {
    const { page, shoot } = await open({
      ...speakable,
      uri: `${voiceView.model}:alex`,
      name: 'alex',
      isBuiltIn: true,
      text: '',
      canDelete: false,
      takes: voiceTakes,
    });
    await page.getByText('Built-in voice', { exact: true }).waitFor();
    assert.equal(await page.getByRole('textbox', { name: /Voice owner/ }).count(), 0);
    assert.equal(await page.getByText('Sample transcript').count(), 0);
    await shoot('built-in');
  });

  it('is readable and reachable', async () => {
    const { page } = await open({
      ...speakable,
      name: 'Erzählerin_mit_einem_sehr_langen_Namen_der_nirgends_umbricht_'.repeat(3),
      takes: voiceTakes,
      note: { text: 'Anna Berg, recorded in May, agreed by mail', isAllowed: true, writtenAt: '2 days ago' },
      sample: { name: 'anna.wav', place: '/home/anna/recordings', src: '' },
      transcript: { name: 'interview.mp3', text: 'كلمات قليلة.', facts: 'SenseVoiceSmall · now', ids: [] },
    });
    await page.locator('.voice-take').nth(2).waitFor();
    await look(page, 'voice-takes', { colours: true });
  });
});

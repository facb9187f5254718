import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { synthesise } from '../../src/demo/audio/synthesise';
import { wavOf } from '../../src/demo/audio/wav';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';

const said =
  'In the middle of the night the rain began to fall, and the old lighthouse keeper climbed the stairs once more, slowly, with a lamp.';
const sentence = 'Good evening. This is what the voice says.';

/** Nine seconds at the service's own rate. */
const recording = (): Buffer => {
  const rate = 24_000;
  const samples = synthesise({ text: `${said} `.repeat(3), voice: 'anna', sampleRate: rate, speed: 1, gain: 0 });
  return wavOf(samples.subarray(0, 9 * rate), rate, said);
};

describe('a custom voice, from its recording to its speech', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;
  let uri: string;
  const anna = recording();
  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'voice-'));
    writeFileSync(path.join(folder, 'anna.wav'), anna);
    writeFileSync(path.join(folder, 'notes.md'), 'The voice is \n');
    demo = await startFilledDemo({ pace: 'fast' });
    desk = await this.openDesk({ folder, size: { width: 1500, height: 1000 } });
    await signInTo(desk, demo);
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const page = (): FrameLocator => desk.editorPage;
  const field = (name: string | RegExp): Locator => page().getByRole('textbox', { name });
  const button = (name: string | RegExp): Locator => page().getByRole('button', { name });
  const takes = (): Locator => page().locator('.voice-take');
  const explorerRow = (name: string) =>
    desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
  const tab = (name: string) => desk.page.locator('.tabs-container .tab', { hasText: name });
  const row = async () => {
    const view = await desk.openView('Voices');
    return view.locator('.monaco-list-row', { hasText: 'Anna' }).first();
  };
  const reviewed = () => page().getByRole('heading', { level: 1, name: 'Upload anna.wav' }).waitFor();
  const asked = async (end: string) => (await demo.requests()).filter(({ path: to }) => to.endsWith(end));
  const holds = (box: Locator, text: string) =>
    until(async () => ((await box.inputValue()) === text ? true : undefined), text);

  it('starts with a recording from the Explorer, and transcribes it', async () => {
    await desk.command('View: Show Explorer');
    await desk.chooseInMenu(explorerRow('anna.wav'), ['Inference Desk', 'Upload Voice Sample…']);
    await reviewed();
    await page().locator('.waveform-bars').first().waitFor({ state: 'attached' });
    await page().getByText('24 kHz').waitFor();
    await page().getByText('No problems found.').waitFor();
    await button('Transcribe Recording').click();
    await holds(field('Transcript'), said);
    await desk.screenshot('voiceUpload-proposed');
  });

  it('uploads the complete recording, copies the URI, and lists the voice', async () => {
    await field('Voice owner').fill('My own voice.');
    await page().getByLabel('I have permission to use this voice').check();
    await page().getByRole('textbox', { name: 'Name', exact: true }).fill('Anna');
    await page().locator('vscode-button', { hasText: 'Upload Voice' }).locator('button').click();
    await page().getByRole('heading', { name: 'Voice uploaded' }).waitFor();
    const [upload] = await asked('/uploads/audio/voice');
    const sha256 = createHash('sha256').update(anna).digest('hex');
    deepEqual(
      upload?.files.map((file) => [file.field, file.filename, file.sha256]),
      [['file', 'anna.wav', sha256]],
    );
    deepEqual([upload?.body['customName'], upload?.body['text']], ['Anna', said]);
    // The note stays on this machine.
    ok(!JSON.stringify(upload?.body).includes('My own voice'));
    uri = await page().locator('.sample-uri code').innerText();
    match(uri, /^speech:Anna:/);
    await page().getByRole('button', { name: 'Copy URI', exact: true }).click();
    await until(
      async () => ((await desk.page.evaluate(() => navigator.clipboard.readText())) === uri ? true : undefined),
      'the address in the clipboard',
    );
    await (await row()).getByText(/consent confirmed/).waitFor();
    await desk.screenshot('voiceUpload-created');
  });

  it('inserts the URI at the cursor', async () => {
    await desk.command('View: Show Explorer');
    await explorerRow('notes.md').dblclick();
    const lines = desk.page.locator('.editor-instance .view-lines');
    await lines.getByText('The voice is').click();
    await tab('Upload anna.wav').click();
    await page().getByRole('button', { name: 'Insert at Cursor', exact: true }).click();
    await lines.getByText(uri).waitFor();
  });

  it('generates, saves, and plays speech from the row of a voice', async () => {
    await (await row()).click();
    await page().getByRole('heading', { name: 'Anna' }).waitFor();
    await page().getByText(uri).waitFor();
    await field(/^Text$/).fill(sentence);
    await button('Generate Speech').click();
    const player = takes().first().locator('audio');
    // Its duration is known before it is played.
    const length = () => player.evaluate((audio) => (audio as HTMLAudioElement).duration > 0.2 || undefined);
    await until(length, 'the length');
    await player.evaluate((audio) => (audio as HTMLAudioElement).play());
    await until(
      () => player.evaluate((audio) => ((audio as HTMLAudioElement).currentTime > 0.2 ? true : undefined)),
      'sound that moves on',
    );
    await desk.screenshot('voice-take');
  });

  it('restores the voice and a dropped recording after a reload', async () => {
    await desk.command('View: Show Explorer');
    await explorerRow('anna.wav').dblclick();
    await tab('anna.wav').last().waitFor();
    await tab('anna.wav')
      .last()
      .dragTo(await row());
    await reviewed();
    await desk.screenshot('voiceUpload-dropped');
    await field('Transcript').fill('Not sent yet.');
    await desk.reloadWindow();
    await reviewed();
    await holds(field('Transcript'), 'Not sent yet.');
    await page().locator('.waveform-bars').first().waitFor({ state: 'attached' });
    await (await row()).click();
    await holds(field(/Voice owner/), 'My own voice.');
    equal(await field(/^Text$/).inputValue(), sentence);
    await takes().first().waitFor();
  });

  it('deletes the voice after confirmation, and keeps its clips', async () => {
    const item = await row();
    const dialog = desk.page.locator('.monaco-dialog-box');
    await button('Delete Voice…').first().click();
    await dialog.getByText('Delete the voice "Anna"?').waitFor();
    await desk.screenshot('voice-delete');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await button('Delete Voice…').first().click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page().locator('.note', { hasText: 'This voice no longer exists' }).waitFor();
    await item.waitFor({ state: 'detached' });
    equal(await takes().count(), 1);
    deepEqual(
      (await asked('/deletions')).map(({ body }) => body),
      [{ uri }],
    );
    deepEqual(desk.faults, []);
  });
});

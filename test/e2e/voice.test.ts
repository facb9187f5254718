import { deepEqual, equal, match } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { signInTo } from '../support/chatJourney';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';

const sentence = 'Good evening. This is what the voice says.';

describe('a voice style, from its row to what it says', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;
  let uri: string;
  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'voice-'));
    writeFileSync(path.join(folder, 'notes.md'), 'The voice is \n');
    demo = await startFilledDemo({ pace: 'fast' });
    uri = await demo.addVoice('Narrator');
    desk = await this.openDesk({ folder, size: { width: 1500, height: 1000 } });
    await signInTo(desk, demo);
    await desk.command('View: Show Explorer');
    await desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'notes.md' }).dblclick();
    await desk.page.locator('.editor-instance .view-lines').getByText('The voice is').click();
    await desk.page.keyboard.press('End');
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
  const fold = async (view: string) => {
    const header = desk.page.locator(`.sidebar .pane-header[aria-label^="${view}"]`);
    if ((await header.getAttribute('aria-expanded')) === 'true') await header.click();
  };
  const row = async () => {
    const view = await desk.openView('Voice Styles');
    return view.locator('.monaco-list-row', { hasText: 'Narrator' }).first();
  };
  const arm = (fault: string) => demo.call('POST', '/_control/arm', { fault, endpoint: 'POST /audio/speech' });
  const speak = async () => {
    const before = await takes().count();
    await button(/^Speak$/).click();
    await takes().nth(before).waitFor();
  };
  /** Whether its sound moves on. */
  const plays = (player: Locator) =>
    until(
      () => player.evaluate((audio) => ((audio as HTMLAudioElement).currentTime > 0.2 ? true : undefined)),
      'sound that moves on',
      20_000,
    );

  it('opens from its row, and says what it is', async () => {
    await desk.openView('Voice Styles');
    await fold('Chat');
    await (await row()).click();
    await page().getByRole('heading', { name: 'Narrator' }).waitFor();
    await page().getByText('The quick brown fox jumps over the lazy dog.').first().waitFor();
    await page().getByText(uri).waitFor();
    await desk.screenshot('voice-open');
  });

  it('keeps a note on consent and source over a reload, and marks the row', async () => {
    await field(/Whose voice it is/).fill('My own, recorded in May');
    await page().getByRole('checkbox', { name: 'I may use this voice' }).check();
    await page().getByText('Written now').waitFor();
    await (await row()).getByText(/consent noted/).waitFor();
    await field('Text to speak').fill(sentence);
    await page()
      .getByText(/42 characters/)
      .waitFor();
    await desk.reloadWindow();
    await until(
      async () => ((await field(/Whose voice it is/).inputValue()) === 'My own, recorded in May' ? true : undefined),
      'the note',
      30_000,
    );
    equal(await field('Text to speak').inputValue(), sentence);
    await desk.screenshot('voice-noted');
  });

  it('speaks, keeps it at once and plays it', async () => {
    await speak();
    const player = takes().first().locator('audio');
    await player.evaluate((audio) => (audio as HTMLAudioElement).play());
    await plays(player);
    await desk.screenshot('voice-take');
  });

  it('says at the field that a format was refused', async () => {
    await page().getByLabel('response_format').selectOption('mp3');
    await button(/^Speak$/).click();
    await page().locator('.parameter-warning', { hasText: 'makes wav and pcm only, not mp3' }).waitFor();
    await page().locator('.note-error', { hasText: 'The service refused the request' }).waitFor();
    await desk.screenshot('voice-refused');
  });

  it('plays raw samples, and compares two takes one after the other', async () => {
    await page().getByLabel('response_format').selectOption('pcm');
    await page().getByText('Raw samples do not say their rate').waitFor();
    await page().getByRole('combobox', { name: 'sample_rate' }).fill('16000');
    await page().getByRole('combobox', { name: 'sample_rate' }).press('Escape');
    await field('speed').fill('3');
    await speak();
    const compare = page().getByRole('checkbox', { name: /^Compare/ });
    await compare.nth(0).check();
    await compare.nth(1).check();
    await page().locator('.voice-differences').getByText('pcm').waitFor();
    await button('Play both').click();
    await page().getByText('Playing 1 of 2').waitFor();
    await desk.screenshot('voice-compare');
    await page().getByText('Playing 2 of 2').waitFor();
    await plays(takes().nth(1).locator('audio'));
    await button('Stop playing').click();
    await button('Stop comparing').click();
  });

  it('keeps what had come when it is stopped in the middle', async () => {
    await page().getByLabel('response_format').selectOption('wav');
    await field('speed').fill('1.25');
    await arm('stall');
    await button(/^Speak$/).click();
    await page()
      .getByText(/Receiving: /)
      .waitFor();
    await desk.screenshot('voice-receiving');
    await button(/^Stop$/).click();
    await page().locator('.note', { hasText: 'What had come until then can be played, and is kept below.' }).waitFor();
    await takes().nth(2).waitFor();
    const player = takes().first().locator('audio');
    await player.evaluate((audio) => (audio as HTMLAudioElement).play());
    await plays(player);
    await player.evaluate((audio) => (audio as HTMLAudioElement).pause());
    await desk.screenshot('voice-stopped');
  });

  it('says what came where it was no speech', async () => {
    await arm('html-200');
    await button(/^Speak$/).click();
    await page().locator('.note-error').waitFor();
    await desk.screenshot('voice-no-speech');
    equal(await takes().count(), 3);
    await button('Try again').click();
    await takes().nth(3).waitFor();
  });

  it('writes down what is said in a take', async () => {
    await button(/^More about/)
      .last()
      .click();
    await page().getByRole('menuitem', { name: 'Transcribe' }).click();
    await page().locator('blockquote', { hasText: sentence }).waitFor();
    await button('Copy')
      .filter({ hasText: /^Copy$/ })
      .click();
    await until(
      async () => ((await desk.page.evaluate(() => navigator.clipboard.readText())) === sentence ? true : undefined),
      'the words on the clipboard',
    );
    await desk.screenshot('voice-transcript');
  });

  it('hands over its URI, and puts it where the cursor is', async () => {
    await button('Copy the URI').click();
    await until(
      async () => ((await desk.page.evaluate(() => navigator.clipboard.readText())) === uri ? true : undefined),
      'the URI on the clipboard',
    );
    // A text that was not looked at since the window began has no cursor yet.
    const tab = (name: string) => desk.page.locator('.tabs-container .tab', { hasText: name });
    await tab('notes.md').click();
    await desk.page.locator('.editor-instance .view-lines').getByText('The voice is').click();
    await tab('Narrator').click();
    await page().getByText(uri).first().waitFor();
    await button('Insert the URI at the cursor').click();
    await desk.page.locator('.editor-instance .view-lines').getByText(uri).waitFor();
    await desk.screenshot('voice-inserted');
  });

  it('is deleted once that was asked and said, and what it has said stays', async () => {
    const item = await row();
    await item.click();
    await page().getByRole('heading', { name: 'Narrator' }).waitFor();
    const dialog = desk.page.locator('.monaco-dialog-box');
    await button('Delete…').first().click();
    await dialog.getByText('Delete the voice style Narrator?').waitFor();
    await desk.screenshot('voice-delete');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await button('Delete…').first().click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page().locator('.note', { hasText: 'This voice style is gone' }).waitFor();
    await item.waitFor({ state: 'detached' });
    equal(await takes().count(), 4);
    await desk.screenshot('voice-gone');
    const requests = await demo.requests();
    match(JSON.stringify(requests.find(({ path: asked }) => asked.endsWith('/deletions'))?.body), /speech:Narrator/);
  });

  it('leaves no fault behind', () => {
    deepEqual(desk.faults, []);
  });
});

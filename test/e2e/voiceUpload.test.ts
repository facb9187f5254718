import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
/** Speech at the service's own rate, until it lasts so long. */
const speech = (seconds: number) => {
  const [rate, text] = [24_000, `${said} `.repeat(Math.ceil(seconds / 4))];
  const samples = synthesise({ text, voice: 'anna', sampleRate: rate, speed: 1, gain: 0 });
  return wavOf(samples.subarray(0, Math.round(seconds * rate)), rate, said);
};
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('from a recording to a voice', function () {
  inOrder(this);
  let desk: DeskWindow;
  let demo: FilledDemo;
  let folder: string;
  const anna = speech(9);
  const ben = readFileSync('test/fixtures/audio/nine.mp3');
  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'voice-'));
    writeFileSync(path.join(folder, 'anna.wav'), anna);
    writeFileSync(path.join(folder, 'ben.mp3'), ben);
    writeFileSync(path.join(folder, 'long.wav'), speech(31));
    writeFileSync(path.join(folder, 'page.mp3'), '<!DOCTYPE html><html><body>Sign in to download</body></html>');
    writeFileSync(path.join(folder, 'notes.md'), 'Voice: ');
    demo = await startFilledDemo({ pace: 'fast' });
    desk = await this.openDesk({ folder, size: { width: 1400, height: 1000 } });
    await signInTo(desk, demo);
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const page = (): FrameLocator => desk.editorPage;
  const explorerRow = (name: string) =>
    desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
  const tab = (name: string) => desk.page.locator('.tabs-container .tab', { hasText: name });
  /** A menu takes no click in its first moments. */
  const choose = async (text: string) => {
    const item = desk.page.locator('.context-view .action-item', { hasText: text }).first();
    await item.waitFor();
    while (await item.isVisible()) {
      await item.click({ timeout: 2000 }).catch(() => undefined);
      await item.waitFor({ state: 'detached', timeout: 1000 }).catch(() => undefined);
    }
  };
  const review = async (name: string) => {
    await desk.command('View: Show Explorer');
    await explorerRow(name).click({ button: 'right' });
    await choose('Upload Voice Sample…');
    await page()
      .getByRole('heading', { level: 1, name: `Upload ${name}` })
      .waitFor();
  };
  const text = () => page().getByRole('textbox', { name: 'Spoken text' });
  const name = () => page().getByRole('textbox', { name: 'Name', exact: true });
  const send = () => page().locator('vscode-button', { hasText: 'Upload' }).locator('button').click();
  const button = (label: string) => page().getByRole('button', { name: label, exact: true });
  const note = (words: string) => page().locator('.note', { hasText: words });
  const slider = () => page().getByRole('slider', { name: 'Position in the recording' });
  const isThere = () => page().getByRole('heading', { name: 'The voice is there' }).waitFor();
  const uploads = async () => {
    return (await demo.requests()).filter((one) => one.path === '/v1/uploads/audio/voice');
  };
  const row = (view: Locator, label: string) => view.locator('.monaco-list-row', { hasText: label });
  const arm = (fault: string) => demo.call('POST', '/_control/arm', { fault, endpoint: 'POST /uploads/audio/voice' });

  it('is reviewed from the Explorer: facts, waveform, checks', async () => {
    await review('anna.wav');
    await page().locator('.waveform-bars').first().waitFor({ state: 'attached' });
    await page().getByText('24 kHz').waitFor();
    await page().getByText('As the service advises.').waitFor();
    await desk.screenshot('voiceUpload-review');
  });

  it('is played, and one gets anywhere in it', async () => {
    const box = (await slider().boundingBox()) ?? assert.fail();
    const at = async () => Number(await slider().getAttribute('aria-valuenow'));
    await desk.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await until(async () => (Math.abs((await at()) - 4.5) < 0.3 ? true : undefined), 'the middle');
    await slider().press('Space');
    await until(async () => ((await at()) > 5 ? true : undefined), 'it plays on', 20_000);
    await desk.screenshot('voiceUpload-playing');
    await slider().press('Space');
  });

  it('has its words proposed by a model that listens, and given back', async () => {
    await text().fill('Rain');
    await page().getByText('The text has only about').waitFor();
    await button('Propose from the recording').click();
    await until(async () => ((await text().inputValue()) === said ? true : undefined), 'the words');
    await page().getByText('The text has only about').waitFor({ state: 'detached' });
    await desk.screenshot('voiceUpload-proposed');
    await button('Undo').click();
    assert.equal(await text().inputValue(), 'Rain');
    await text().fill(said);
  });

  it('is there again after a reload, with what was typed', async () => {
    await page().getByRole('textbox', { name: 'Whose voice' }).fill('My own voice.');
    await page().getByLabel('I may use this voice').check();
    await name().fill('Anna');
    await desk.reloadWindow();
    await page().getByRole('heading', { level: 1, name: 'Upload anna.wav' }).waitFor();
    await page().getByText('Sent to Journey').waitFor();
    assert.deepEqual([await text().inputValue(), await name().inputValue()], [said, 'Anna']);
    await page().locator('.waveform-bars').first().waitFor({ state: 'attached' });
  });

  it('is uploaded with all its bytes, and hands over its address', async () => {
    await send();
    await isThere();
    const [upload] = await uploads();
    assert.deepEqual(
      upload?.files.map((file) => [file.field, file.filename, file.sha256]),
      [['file', 'anna.wav', sha256(anna)]],
    );
    assert.deepEqual([upload?.body['customName'], upload?.body['text']], ['Anna', said]);
    // What is noted stays here.
    assert.ok(!JSON.stringify(upload?.body).includes('My own voice'));
    const uri = await page().locator('.sample-uri code').innerText();
    assert.match(uri, /^speech:Anna:/);
    await button('Copy').click();
    await until(
      async () => ((await desk.page.evaluate(() => navigator.clipboard.readText())) === uri ? true : undefined),
      'the address in the clipboard',
    );
    const view = await desk.openView('Voice Styles');
    await row(view, 'Anna').waitFor();
    await desk.screenshot('voiceUpload-created');
  });

  it('is asked about where a voice of the name is there, whatever its case', async () => {
    await review('ben.mp3');
    await page().getByText('Its bit rate is').waitFor();
    await text().fill(said);
    await name().fill('ANNA');
    await send();
    await note('There is a voice of this name: Anna').waitFor();
    await desk.screenshot('voiceUpload-named');
    assert.equal((await uploads()).length, 1);
    await button('Change the name').click();
    await name().fill('Ben');
  });

  it('is refused in words that say what to do, and nothing is lost', async () => {
    await arm('identity');
    await send();
    await note('The service wants to know who you are first').waitFor();
    await desk.screenshot('voiceUpload-verification');
    assert.equal(await name().inputValue(), 'Ben');
  });

  it('is uploaded as text in JSON, with the same bytes', async () => {
    await page().getByLabel('Text in JSON (base64)').check();
    await send();
    await isThere();
    const upload = (await uploads()).at(-1);
    const [head = '', base64 = ''] = String(upload?.body['audio']).split(',');
    assert.equal(head, 'data:audio/mpeg;base64');
    assert.equal(sha256(Buffer.from(base64, 'base64')), sha256(ben));
    assert.equal(upload?.body['customName'], 'Ben');
  });

  it('is told from what is no recording, and from what is too long', async () => {
    await review('page.mp3');
    await note('It is a web page, not a recording').waitFor();
    await desk.screenshot('voiceUpload-notAudio');
    await review('long.wav');
    await page().getByText('a sample has to last less than').waitFor();
    await page().getByText('The recording cannot be sent as it is.').waitFor();
    await desk.screenshot('voiceUpload-tooLong');
    assert.equal((await uploads()).filter(({ status }) => status === 200).length, 2);
  });

  it('is found in the list where the answer was lost, and uploaded once', async () => {
    await review('ben.mp3');
    await text().fill(said);
    await name().fill('Lost');
    await arm('cut-body');
    await send();
    await isThere();
    await page().locator('.send-muted', { hasText: 'its list has the voice' }).waitFor();
    await desk.screenshot('voiceUpload-lost');
    assert.equal((await uploads()).filter(({ body }) => body['customName'] === 'Lost').length, 1);
  });

  it('is reviewed when it is dropped onto the view', async () => {
    await desk.command('View: Close All Editors');
    await desk.command('View: Show Explorer');
    await explorerRow('anna.wav').dblclick();
    await tab('anna.wav').waitFor();
    const view = await desk.openView('Voice Styles');
    await row(view, 'Anna').waitFor();
    await tab('anna.wav').dragTo(row(view, 'Anna'));
    await page().getByRole('heading', { level: 1, name: 'Upload anna.wav' }).waitFor();
    await desk.screenshot('voiceUpload-dropped');
  });

  it('has its address put in at the cursor', async () => {
    await desk.command('View: Show Explorer');
    await explorerRow('notes.md').dblclick();
    await tab('notes.md').waitFor();
    await desk.page.keyboard.press('Control+End');
    await tab('anna.wav').last().click();
    await text().fill(said);
    await name().fill('Clara');
    await send();
    await isThere();
    await button('Insert at cursor').click();
    await desk.page.locator('.view-line', { hasText: /speech:Clara:/ }).waitFor();
    await desk.screenshot('voiceUpload-inserted');
  });

  it('refused nothing and threw nothing in its pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});

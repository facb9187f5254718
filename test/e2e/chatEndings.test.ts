import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { DeskWindow } from '../host/window';
import { chatOf, type JourneyChat, signInTo } from '../support/chatJourney';
import { type FilledDemo, startFilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';

const idempotent = 'What is an idempotent request?';
const list = 'List five reasons to write tests, one line each.';

describe('how answers begin and end', function () {
  inOrder(this);
  let desk: DeskWindow;
  let chat: JourneyChat;
  let demo: FilledDemo;

  before(async function () {
    demo = await startFilledDemo({ pace: 'fast' });
    desk = await this.openDesk();
    chat = chatOf(desk);
    await signInTo(desk, demo);
    await desk.widenSideBar(520);
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
  });

  const field = (name: string): Locator => desk.webview.getByRole('textbox', { name, exact: true });
  const button = (name: string | RegExp): Locator => desk.webview.getByRole('button', { name });
  const words = (): Promise<string> => chat.lastTurn.locator('.md').innerText();
  const facts = (text: string): Locator => chat.lastTurn.locator('.facts').getByText(text);
  /** Opens the parameters, sets one, and closes them. */
  const setParameter = async (set: () => Promise<void>) => {
    await button(/^Parameters/).click();
    await set();
    await desk.page.keyboard.press('Escape');
    await desk.webview.locator('.parameters-panel').waitFor({ state: 'detached' });
  };
  const fill = (name: string, value: string) => setParameter(() => field(name).fill(value));

  it('begins an answer with the person’s own words, and says so', async () => {
    await fill('Start each answer with…', 'In plain words:');
    await chat.ask(idempotent);
    await facts('begins with your words').waitFor();
    assert.match(await words(), /^In plain words: /);
    await desk.screenshot('endings-prefill');
    await fill('Start each answer with…', '');
  });

  it('goes on in the same answer where the token limit cut it off', async () => {
    await fill('max_tokens', '16');
    await chat.ask(idempotent);
    await facts('ended at its token limit (max_tokens)').waitFor();
    const cut = (await words()).trimEnd();
    assert.doesNotMatch(cut, /Worth settling/);
    await desk.screenshot('endings-cut');
    await fill('max_tokens', '');
    const count = await chat.turns.count();
    await chat.lastTurn.getByRole('button', { name: 'Continue' }).click();
    await chat.lastTurn.locator('.md').getByText('Worth settling').waitFor();
    await chat.counted.waitFor();
    await facts('ended at its token limit').waitFor({ state: 'detached' });
    const whole = await words();
    assert.ok(whole.startsWith(cut), `${whole} goes on from ${cut}`);
    assert.equal(whole.match(/here is what I can make of it/g)?.length, 1);
    assert.equal(await chat.turns.count(), count);
    assert.equal(await chat.lastTurn.locator('.md').count(), 1);
    await desk.screenshot('endings-continued');
  });

  it('names the stop sequence an answer ended at', async () => {
    await setParameter(async () => {
      await button('Add a stop sequence').click();
      await field('Stop sequence 1').fill('4.');
    });
    await chat.ask(list);
    await facts('ended at the stop sequence “4.”').waitFor();
    assert.equal(await chat.lastTurn.locator('.md li').count(), 3);
    await desk.screenshot('endings-stop-sequence');
    await setParameter(() => button('Remove 4.').click());
  });

  it('says once that the model declined, and what can be done then', async () => {
    await demo.call('POST', '/_control/arm', { fault: 'refusal', endpoint: 'POST /messages' });
    await chat.ask(list);
    const note = chat.lastTurn.locator('.note', { hasText: 'The model declined to answer' });
    await note.getByText('Choose a model').waitFor();
    assert.equal((await chat.lastTurn.innerText()).match(/declined/g)?.length, 1);
    await desk.screenshot('endings-refusal');
    await note.getByText('Ask again').click();
    await note.waitFor({ state: 'detached' });
    await chat.lastTurn.locator('.md li').nth(4).waitFor();
    await chat.counted.waitFor();
  });

  it('folds what a model thinks, opens it, and has it again after a reload', async () => {
    await desk.webview.locator('.picker-button').click();
    await desk.webview.locator('.picker-search').fill('R1');
    await desk.webview.locator('.picker-option', { hasText: 'DeepSeek-R1' }).click();
    await chat.ask(idempotent);
    await chat.counted.waitFor();
    const label = chat.lastTurn.locator('.folded-label', { hasText: 'Thought' });
    const thoughts = chat.lastTurn.locator('.folded-text');
    const isShown = () => thoughts.isVisible();
    assert.equal(await isShown(), false);
    await desk.screenshot('endings-thought-folded');
    await label.click();
    await thoughts.waitFor();
    const text = await thoughts.innerText();
    assert.match(text, /The question is “What is an idempotent request\?”/);
    assert.doesNotMatch(await words(), /The question is/);
    await desk.screenshot('endings-thought-opened');
    await desk.reload();
    await desk.openView('Chat');
    await label.waitFor();
    assert.equal(await isShown(), false);
    await label.click();
    await thoughts.waitFor();
    assert.equal(await thoughts.innerText(), text);
    await desk.screenshot('endings-thought-reloaded');
  });

  it('refused nothing and threw nothing in its pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});

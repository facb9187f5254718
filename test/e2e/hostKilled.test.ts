import assert from 'node:assert/strict';
import { extensionHostsOf } from '../host/extensionHosts';
import type { DeskWindow } from '../host/window';
import { chatOf, type JourneyChat, signInTo } from '../support/chatJourney';
import { type FilledDemo, startFilledDemo } from '../support/filledDemo';
import { inOrder } from '../support/inOrder';

const question = 'Write a story of 200 words about a rate limit.';
/** How many words of the answer are on screen when the extension host dies. */
const moments = [4, 50];

const wordsIn = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Each word in its place; the last may go on, it was on its way. */
function assertBeginsWith(text: string, beginning: string, what: string): void {
  const [all, first] = [wordsIn(text), wordsIn(beginning)];
  const last = first.length - 1;
  assert.deepEqual(all.slice(0, last), first.slice(0, last), what);
  assert.ok(all[last]?.startsWith(first[last] ?? ''), `${what}: "${all[last]}" in place of "${first[last]}"`);
}

describe('an extension host that is killed in mid-stream', function () {
  inOrder(this);
  let desk: DeskWindow;
  let chat: JourneyChat;
  let demo: FilledDemo;
  /** What the answer looked like each time it changed on screen, to the last moment. */
  let onScreen: (text: string) => void = () => undefined;

  before(async function () {
    demo = await startFilledDemo();
    desk = await this.openDesk();
    chat = chatOf(desk);
    await desk.page.exposeFunction('onScreen', (text: string) => onScreen(text));
    await signInTo(desk, demo);
  });
  after(async () => {
    await desk?.close();
    await demo?.close();
  });

  const answer = () =>
    chat.lastTurn
      .locator('.answer .md')
      .allTextContents()
      .then((parts) => parts.join('\n'));

  /** Resolves with what was on screen last when the host was killed at so many words. */
  async function killAt(words: number): Promise<string> {
    const hosts = extensionHostsOf(desk.server.pid);
    assert.ok(hosts.length > 0);
    let seen = '';
    const killed = new Promise<void>((resolve) => {
      onScreen = (text) => {
        seen = text;
        if (wordsIn(text).length < words) return;
        for (const pid of hosts.splice(0)) process.kill(pid, 'SIGKILL');
        resolve();
      };
    });
    await chat.lastTurn.evaluate((turn) => {
      const { onScreen: tell } = window as unknown as { onScreen: (text: string) => void };
      const look = () => tell([...turn.querySelectorAll('.answer .md')].map((part) => part.textContent).join('\n'));
      new MutationObserver(look).observe(turn, { subtree: true, childList: true, characterData: true });
      look();
    });
    await killed;
    await desk.webview.locator('.turn').first().waitFor({ state: 'detached' });
    return seen;
  }

  for (const words of moments) {
    it(`loses nothing that was on screen, ${words} words into an answer, and goes on with it`, async () => {
      await chat.ask(question);
      const seen = await killAt(words);
      await desk.reload();
      await chat.lastTurn.getByText('This answer was cut off').waitFor();
      const kept = await answer();
      assertBeginsWith(kept, seen, 'after the kill');
      assert.equal(await chat.lastTurn.locator('.question-text').textContent(), question);
      await desk.screenshot(`host-killed-${words}`);
      await chat.lastTurn.getByRole('button', { name: 'Continue' }).click();
      await chat.counted.waitFor({ timeout: 60_000 });
      const whole = await answer();
      assertBeginsWith(whole, kept, 'after going on');
      assert.ok(wordsIn(whole).length > wordsIn(kept).length);
      await desk.screenshot(`host-killed-${words}-continued`);
    });
  }

  it('threw nothing in its pages', () => {
    assert.deepEqual(desk.faults, []);
  });
});

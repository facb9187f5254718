import assert from 'node:assert/strict';
import type { Answer, ChatSnapshot } from '../../src/protocol/chat';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { chatStates, talkOf, turn } from '../support/chatStates';
import { takePicture } from '../support/takePicture';

const model = 'Qwen/Qwen3-Coder-30B-A3B-Instruct';
const doneAnswer = (text: string): Answer => ({
  state: 'done',
  model,
  stopReason: 'end_turn',
  blocks: [{ kind: 'text', text }],
});
const append = (text: string, block = 0) => ({ type: 'append', block, kind: 'text', text }) as const;

describe('the chat page in a browser', () => {
  const open = chatPages();

  const box = '.composer-text';

  describe('the question box', () => {
    it('sends with Enter, starts a line with Shift+Enter, and empties the box', async () => {
      const { page, host } = await open();
      await page.locator(box).pressSequentially('first');
      await page.keyboard.press('Shift+Enter');
      await page.locator(box).pressSequentially('second');
      await page.keyboard.press('Enter');
      assert.deepEqual(await host.wasAsked('chat/ask'), { text: 'first\nsecond', model });
      await page.locator('.turn .question-text').waitFor();
      assert.equal(await page.locator(box).inputValue(), '');
      assert.equal(await page.locator('.turn .question-text').textContent(), 'first\nsecond');
    });

    it('does not send the Enter that ends a composition', async () => {
      const { page, host } = await open();
      const session = await page.context().newCDPSession(page);
      await page.locator(box).focus();
      await session.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
      await session.send('Input.dispatchKeyEvent', {
        type: 'rawKeyDown',
        key: 'Enter',
        code: 'Enter',
        windowsVirtualKeyCode: 229,
      });
      await session.send('Input.insertText', { text: '日本' });
      assert.equal(await page.locator(box).inputValue(), '日本');
      assert.ok(!host.asked.some(({ method }) => method === 'chat/ask'));
      await page.keyboard.press('Enter');
      assert.deepEqual(await host.wasAsked('chat/ask'), { text: '日本', model });
    });

    it('shows the question in place of the box before the host has stored it, and puts it back if it is rejected', async () => {
      const error = { kind: 'unexpected', title: 'The disk is full', detail: "The request wasn't sent.", actions: [] };
      let refuse = (): void => undefined;
      const asking = () => new Promise<never>((_resolve, reject) => (refuse = () => reject(error)));
      const { page, host } = await open(emptySnapshot(), { handlers: { 'chat/ask': asking } });
      await page.locator(box).fill('keep me');
      await page.keyboard.press('Enter');
      await page.locator('.question', { hasText: 'keep me' }).waitFor();
      assert.equal(await page.locator('.welcome').count(), 0);
      assert.equal(await page.locator(box).inputValue(), '');
      await page.locator(box).fill('and me');
      refuse();
      await page.locator('.note-title', { hasText: 'The disk is full' }).waitFor();
      assert.equal(await page.locator('.question').count(), 0);
      assert.equal(await page.locator(box).inputValue(), 'keep me\n\nand me');
      await page
        .locator('[role=status]', { hasText: "The disk is full. The request wasn't sent." })
        .waitFor({ state: 'attached' });
      await page.locator(box).press('Enter');
      await page.locator('.question', { hasText: 'and me' }).waitFor();
      await page.reload();
      await page.locator('.welcome').waitFor();
      assert.equal(await page.locator(box).inputValue(), 'keep me\n\nand me');
      assert.equal(host.snapshot.draft, 'keep me\n\nand me');
    });

    it('saves the draft immediately and restores it after a reload', async () => {
      const { page, host } = await open();
      await page.locator(box).pressSequentially('half a que');
      await page.reload();
      await page.locator('.welcome').waitFor();
      assert.equal(await page.locator(box).inputValue(), 'half a que');
      await page.locator(box).pressSequentially('stion');
      await host.wasAskedWith('chat/draft', { text: 'half a question', conversationId: 'c1' });
    });

    for (const [what, draft] of [
      ['an older draft', 'newer, and saved by the host'],
      ['a question that was sent since', ''],
    ] as const) {
      it(`doesn't restore ${what} from the state that VS Code stored for the page`, async () => {
        const { page, host } = await open();
        await page.locator(box).pressSequentially('Why is it?');
        host.snapshot = emptySnapshot({ draft, turns: [turn('Why is it?', {})] });
        await page.reload();
        await page.locator('.turn').waitFor();
        assert.equal(await page.locator(box).inputValue(), draft);
      });
    }

    it('asks for a model if none is selected, and then sends the question', async () => {
      const { model: _none, ...snapshot } = emptySnapshot();
      const { page, host } = await open(snapshot);
      const choose = async () => {
        await page.locator('.picker-search:focus').waitFor();
        await page.keyboard.type('glm');
        await page.keyboard.press('Enter');
        await page.locator('.picker-label').getByText('GLM-4.6', { exact: true }).waitFor();
      };
      await page.locator(box).fill('hello');
      await page.keyboard.press('Enter');
      await choose();
      assert.deepEqual(await host.wasAsked('chat/chooseModel'), { model: 'zai-org/GLM-4.6' });
      assert.deepEqual(await host.wasAsked('chat/ask'), { text: 'hello', model: 'zai-org/GLM-4.6' });
    });

    it('keeps the question if the model list closes without a choice', async () => {
      const { model: _none, ...snapshot } = emptySnapshot();
      const { page, host } = await open(snapshot);
      await page.locator(box).fill('hello');
      await page.keyboard.press('Enter');
      await page.locator('.picker-search:focus').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('.picker-button').click();
      await page.locator('.picker-search:focus').waitFor();
      await page.keyboard.type('glm');
      await page.keyboard.press('Enter');
      await page.locator('.picker-label').getByText('GLM-4.6', { exact: true }).waitFor();
      // The answer to this later call comes after any question that was sent.
      await page.locator(box).fill('hello again');
      await page.locator(box).press('Enter');
      assert.deepEqual(await host.wasAsked('chat/ask'), { text: 'hello again', model: 'zai-org/GLM-4.6' });
    });

    it("says where the next question goes when the account doesn't have the model", async () => {
      const turns = talkOf(1);
      const notOffered = ['openai/gpt-4o'];
      const { page, host, tell } = await open(emptySnapshot({ turns, notOffered }), { width: 340 });
      const line = page.locator('.composer .waits');
      const says = (words: string) => line.getByText(words, { exact: true }).waitFor();
      await says("SiliconFlow doesn't offer gpt-4o. Next model: Qwen3-Coder-30B-A3B-Instruct.");
      await takePicture(page, 'dist/test/screenshots/webview/not-offered-instead.png');
      const { model: _none, ...none } = emptySnapshot({ turns, notOffered });
      tell('chat/changed', none);
      await says("SiliconFlow doesn't offer gpt-4o. Choose another model.");
      await page.locator('.picker-label').getByText('Choose Model', { exact: true }).waitFor();
      await takePicture(page, 'dist/test/screenshots/webview/not-offered-none.png');
      const compared = ['openai/gpt-4o', 'zai-org/GLM-4.6'];
      tell('chat/changed', { ...none, comparing: { models: compared, on: true } });
      await says("SiliconFlow doesn't offer gpt-4o.");
      await page.locator('.compare-line', { hasText: 'Choose 2 to 4 Models' }).waitFor();
      await takePicture(page, 'dist/test/screenshots/webview/not-offered-compared.png');
      await page.locator(box).fill('hello');
      await page.keyboard.press('Enter');
      await page.locator('.compare-panel').waitFor();
      await page.keyboard.press('Escape');
      tell('chat/changed', { ...none, comparing: { models: [...compared, model], on: true } });
      await page.locator('.compare-line', { hasText: 'The next question uses tokens on 2 models' }).waitFor();
      await page.locator(box).press('Enter');
      assert.deepEqual(await host.wasAsked('chat/compare'), { text: 'hello', models: ['zai-org/GLM-4.6', model] });
    });

    it("retries with a selected model if the account doesn't have the conversation's model", async () => {
      const { model: _none, ...snapshot } = emptySnapshot({ turns: talkOf(1), notOffered: ['openai/gpt-4o'] });
      const { page, host } = await open(snapshot);
      await page.getByRole('button', { name: 'Regenerate Response' }).click();
      await page.locator('.picker-search:focus').waitFor();
      await page.keyboard.type('glm');
      await page.keyboard.press('Enter');
      const [turn] = snapshot.turns;
      assert.deepEqual(await host.wasAsked('chat/retry'), { turnId: turn?.id, model: 'zai-org/GLM-4.6' });
      await page.locator('.composer .waits').waitFor({ state: 'detached' });
    });

    it('shows the cost of a repeated response next to the button that regenerates it', async () => {
      const { page } = await open(emptySnapshot({ turns: talkOf(1) }));
      const price = page.getByText('Price: about $0.01');
      await page.getByRole('button', { name: 'Regenerate Response' }).focus();
      await price.waitFor();
      await page.locator(box).focus();
      await price.waitFor({ state: 'hidden' });
    });

    it('shows the cost of continuing or retrying while the button has focus', async () => {
      const [asked] = talkOf(1);
      const actions = [{ id: 'retry', label: 'Try Again' }];
      const error = { kind: 'timeout', title: 'No response', detail: '', actions } as const;
      // The model of the conversation was changed since. Only the one that answered can continue.
      const answered = { ...asked!.answer, model: 'zai-org/GLM-4.6' };
      const broken = { ...asked!, answer: { ...answered, state: 'failed', canContinue: true, error } } as const;
      const { page, host } = await open(emptySnapshot({ turns: [broken] }));
      const { model } = host.snapshot;
      const price = page.locator('.note').getByText('Price: about $0.01');
      await page.locator('.note').getByRole('button', { name: 'Try Again' }).focus();
      await price.waitFor();
      assert.deepEqual(await host.wasAsked('chat/price', 1), { models: [model], turnId: asked!.id });
      await page.locator('.note').getByRole('button', { name: 'Continue' }).focus();
      await price.waitFor();
      assert.deepEqual(await host.wasAsked('chat/price', 2), {
        models: ['zai-org/GLM-4.6'],
        turnId: asked!.id,
        continues: true,
      });
      await page.locator(box).focus();
      await price.waitFor({ state: 'detached' });
    });

    it('accepts a model ID if no models are listed', async () => {
      const { model: _none, ...snapshot } = emptySnapshot({ models: [] });
      const { page, host, tell } = await open(snapshot);
      await page.locator('.note', { hasText: 'No chat models' }).getByText('Enter Model ID…').click();
      await page.locator('.picker-popup', { hasText: 'Enter a model ID.' }).waitFor();
      await page.locator('.picker-search:focus').waitFor();
      await page.keyboard.type(' llama-3.3 ');
      await page.getByRole('option', { name: 'Use llama-3.3' }).waitFor();
      await page.keyboard.press('Enter');
      assert.deepEqual(await host.wasAsked('chat/chooseModel'), { model: 'llama-3.3' });
      tell('chat/changed', emptySnapshot({ models: [], model: 'llama-3.3' }));
      await page.locator('.picker-label').getByText('llama-3.3').waitFor();
      assert.equal(await page.locator('.note').count(), 0);
    });

    it('offers an unlisted model ID below the matches', async () => {
      const { page, host, tell } = await open(emptySnapshot(), { width: 340 });
      await page.locator('.picker-button').click();
      await page.locator('.picker-search:focus').waitFor();
      await page.keyboard.type('GLM');
      const options = page.getByRole('option');
      await options.filter({ hasText: 'Use GLM' }).waitFor();
      const names = await options.allInnerTexts();
      assert.deepEqual([names.length > 1, names.at(-1)], [true, 'Use GLM']);
      await page.locator('.picker-list', { hasText: 'Unlisted' }).waitFor();
      await takePicture(page, 'dist/test/screenshots/webview/model-typed.png');
      await page.keyboard.type(' of theirs');
      await page.locator('.picker-popup', { hasText: 'No matches.' }).waitFor();
      await page.locator('.picker-search').fill('zai-org/GLM-4.6');
      await options.filter({ hasText: 'Use' }).waitFor({ state: 'detached' });
      assert.equal(await options.count(), 1);
      await page.locator('.picker-search').fill('their/tuned-one');
      await page.keyboard.press('Enter');
      assert.deepEqual(await host.wasAsked('chat/chooseModel'), { model: 'their/tuned-one' });
      tell('chat/changed', emptySnapshot({ model: 'their/tuned-one' }));
      await page.locator('.picker-button[title*="unlisted"]').waitFor();
    });

    it('sends a question after the models have loaded', async () => {
      const { model: _none, ...snapshot } = emptySnapshot({ models: [], modelsState: 'loading' });
      const { page, host, tell } = await open(snapshot);
      await page.locator(box).fill('hello');
      await page.keyboard.press('Enter');
      assert.deepEqual(
        [host.asked.filter(({ method }) => method === 'chat/ask'), await page.locator('.picker-search').count()],
        [[], 0],
      );
      tell('chat/changed', emptySnapshot({ draft: 'hello' }));
      assert.deepEqual(await host.wasAsked('chat/ask'), { text: 'hello', model });
    });

    it('sends a question after the account has loaded', async () => {
      let tell = (_snapshot: ChatSnapshot) => {};
      const known = new Promise<ChatSnapshot>((resolve) => (tell = resolve));
      const { page, host } = await open(emptySnapshot(), { handlers: { 'chat/ready': () => known }, drawn: box });
      await page.locator(box).fill('hello');
      await page.keyboard.press('Enter');
      assert.equal(await page.locator('.turn').count(), 0);
      tell(emptySnapshot());
      assert.deepEqual(await host.wasAsked('chat/ask'), { text: 'hello', model });
    });

    it('focuses its box when the page gets focus', async () => {
      const { page } = await open();
      await page.locator('.composer-text:focus').waitFor();
      await page.evaluate(() => (document.activeElement as HTMLElement).blur());
      assert.equal(await page.evaluate(() => document.activeElement === document.body), true);
      await page.evaluate(() => window.dispatchEvent(new Event('focus')));
      assert.equal(await page.evaluate(() => document.activeElement?.className), 'composer-text');
    });

    it('focuses its box after a sign-in from the welcome, whatever took the focus in the same frame', async () => {
      const { page, tell } = await open(emptySnapshot({ account: 'signedOut' }), { drawn: '.welcome-page' });
      await page.locator('vscode-button', { hasText: 'Start Demo Service' }).focus();
      await page.evaluate(() => {
        const change = () => {
          const button = document.activeElement as HTMLElement;
          button.blur();
          button.focus();
        };
        window.addEventListener('message', change, { capture: true, once: true });
      });
      tell('chat/changed', emptySnapshot());
      await page.locator('.composer-text:focus').waitFor();
    });
  });

  describe('a streaming answer', () => {
    it('renders while streaming, and shows its details at the end', async () => {
      const { page, host } = await open();
      await page.locator(box).fill('go');
      await page.keyboard.press('Enter');
      await page.locator('.waiting').waitFor();
      await host.wasAsked('chat/follow');
      host.emit({ type: 'state', answer: { state: 'streaming', model } });
      host.emit(append('# Ti'));
      host.emit(append('tle\n\nA **bo'));
      await page.locator('.md-h1', { hasText: 'Title' }).waitFor();
      await page.locator('.md-open strong', { hasText: /^bo$/ }).waitFor();
      host.emit(append('ld** word'));
      await page.locator('.md strong', { hasText: 'bold' }).waitFor();
      const usage = { inputTokens: 12, outputTokens: 5 };
      const named = { answeredBy: 'qwen3-coder', responseId: 'msg_1', traceId: 'ti_1' };
      host.finish({ ...doneAnswer('# Title\n\nA **bold** word'), usage, ...named });
      const facts = page.locator('.facts-text', { hasText: 'response from qwen3-coder · 12 in · 5 out' });
      const hover = (await facts.getAttribute('title'))?.split('\n') ?? [];
      assert.deepEqual(
        [hover[0], hover[1], ...hover.slice(3)],
        [
          'Qwen/Qwen3-Coder-30B-A3B-Instruct',
          'response from qwen3-coder · 12 in · 5 out',
          'Response ID: msg_1',
          'Trace ID: ti_1',
        ],
      );
      assert.equal(await page.locator('.md-part').textContent(), 'TitleA bold word');
      await page.locator('.send', { hasText: 'Send' }).waitFor();
    });

    it('highlights code during and after streaming', async () => {
      const { page, host } = await open(chatStates['streaming'] as ChatSnapshot);
      await host.wasAsked('chat/follow');
      host.emit(append('\n// one\nlet th', 1));
      await page.locator('.md-open .hljs-comment', { hasText: '// one' }).waitFor();
      const begun = (await page.locator('.md-open code').textContent())?.trimEnd();
      assert.ok(begun?.endsWith('\n// one\nlet th'), begun);
      host.emit(append('ree;\n```\n\nSo', 1));
      await page.locator('.md-part .hljs-storage', { hasText: 'let' }).waitFor();
      await page.locator('.md-part .hljs-variable', { hasText: /^three$/ }).waitFor();
      assert.equal(await page.locator('.md-part code').textContent(), `${begun}ree;\n`);
    });

    it('is stopped by the button and by Escape', async () => {
      for (const way of ['button', 'Escape'] as const) {
        const { page, host } = await open(chatStates['streaming'] as ChatSnapshot);
        await host.wasAsked('chat/follow');
        if (way === 'button') await page.locator('.send', { hasText: 'Stop' }).click();
        else await page.locator(box).press('Escape');
        assert.deepEqual(await host.wasAsked('chat/stop'), { turnId: 'Why is the second loop slower?' });
        host.finish({ ...doneAnswer('One'), state: 'stopped' });
        await page.locator('.facts-text', { hasText: 'stopped' }).waitFor();
      }
    });

    it("continues at the page's position after a reload", async () => {
      const { page, host } = await open(chatStates['streaming'] as ChatSnapshot);
      await host.wasAsked('chat/follow');
      await page.reload();
      assert.deepEqual(await host.wasAsked('chat/follow', 2), {
        turnId: 'Why is the second loop slower?',
        have: [3, 120],
      });
      host.emit(append(' === 0x0a) lines++;\n', 1));
      await page.locator('.md code', { hasText: 'lines++' }).waitFor();
    });

    it('scrolls to the end until the user scrolls away, and offers a way back', async () => {
      const { page, host } = await open(emptySnapshot({ turns: [turn('long', { state: 'streaming' })] }));
      await host.wasAsked('chat/follow');
      host.emit({ type: 'state', answer: { state: 'streaming', model } });
      host.emit(append('A paragraph of the answer.\n\n'.repeat(60)));
      await page.locator('.md-part').nth(2).waitFor();
      const distance = () =>
        page.locator('.log').evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight);
      await page.waitForFunction(() => {
        const log = document.querySelector('.log');
        return log && log.scrollHeight > 1500 && log.scrollHeight - log.scrollTop - log.clientHeight < 2;
      });
      await page.locator('.log').hover();
      await page.mouse.wheel(0, -400);
      await page.locator('.jump').waitFor();
      // Where the wheel brings it, and not where it is on the way there.
      await page.waitForFunction(() => {
        const log = document.querySelector('.log');
        return log && Math.abs(log.scrollHeight - log.scrollTop - log.clientHeight - 400) < 3;
      });
      const before = await page.locator('.log').evaluate((log) => log.scrollTop);
      host.emit(append('More.\n\n'.repeat(20)));
      await page.locator('.md p', { hasText: 'More.' }).nth(10).waitFor({ state: 'attached' });
      assert.equal(await page.locator('.log').evaluate((log) => log.scrollTop), before);
      await page.locator('.jump').click();
      await page.locator('.jump').waitFor({ state: 'detached' });
      assert.ok((await distance()) < 2);
    });

    it('keeps a sent question at the top while its answer grows', async () => {
      const talk = ['one', 'two'].map((id) => turn(id, doneAnswer('A paragraph of the answer.\n\n'.repeat(30)), id));
      const { page, host } = await open(emptySnapshot({ turns: talk }));
      await page.locator(box).fill('three');
      await page.keyboard.press('Enter');
      const place = async () => {
        const [log, question] = await Promise.all(
          [page.locator('.log'), page.locator('.turn-last .question')].map((one) => one.boundingBox()),
        );
        return Math.round((question?.y ?? 0) - (log?.y ?? 0));
      };
      await page.locator('.turn-last .question', { hasText: 'three' }).waitFor();
      await page.waitForFunction(() => {
        const log = document.querySelector('.log');
        return log && log.scrollHeight - log.scrollTop - log.clientHeight < 2;
      });
      const before = await place();
      assert.ok(before >= 0 && before < 24, `The question is at ${before}.`);
      host.emit({ type: 'state', answer: { state: 'streaming', model } });
      host.emit(append('A paragraph of the answer.\n\n'.repeat(4)));
      await page.locator('.turn-last .md p').nth(3).waitFor();
      assert.equal(await place(), before);
    });

    it('shows the question in one line when the page is scrolled down, and scrolls to it on click', async () => {
      const talk = ['one', 'two'].map((id) => turn(id, doneAnswer('A paragraph of the answer.\n\n'.repeat(60)), id));
      const { page } = await open(emptySnapshot({ turns: talk }));
      const band = page.locator('.question-band[data-question="two"]').locator('visible=true');
      await band.waitFor();
      await takePicture(page, 'dist/test/screenshots/webview/chat-question-passed.png');
      await band.click();
      await band.waitFor({ state: 'detached' });
      const place = (await page.locator('.turn .question').last().boundingBox())?.y ?? -1;
      assert.ok(place >= 0 && place < 100, `The question is at ${place}.`);
    });

    it('scrolls to the error at the end of a long conversation', async () => {
      const earlier = ['one', 'two', 'three', 'four', 'five', 'six'].map((id) =>
        turn(id, doneAnswer('A paragraph of the answer.\n\n'.repeat(8)), id),
      );
      const { page, host } = await open(emptySnapshot({ turns: earlier }));
      for (const question of ['And now?', 'And then?', 'And last?']) {
        await page.locator(box).fill(question);
        await page.keyboard.press('Enter');
        await page.locator('.turn .question-text', { hasText: question }).waitFor();
        const error = {
          kind: 'balance',
          title: `No answer: ${question}`,
          detail: 'Why it is so. '.repeat(30),
          actions: [],
        };
        host.finish({ state: 'failed', model, blocks: [], error });
        await page.locator('.note', { hasText: `No answer: ${question}` }).waitFor();
        await page.waitForFunction(() => {
          const log = document.querySelector('.log');
          return log && log.scrollHeight - log.scrollTop - log.clientHeight < 2 && !document.querySelector('.jump');
        });
      }
    });

    it('stays visible when the content below it shrinks in a frame and grows before the next', async () => {
      const { page } = await open(emptySnapshot({ turns: [turn('long', doneAnswer('A paragraph.\n\n'.repeat(60)))] }));
      const fromEnd = await page.locator('.log').evaluate(async (log) => {
        const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        const changing = document.createElement('div');
        const setHeight = (height: number) => (changing.style.height = `${height}px`);
        setHeight(600);
        log.querySelector('.turns')?.append(changing);
        // After the log was put to its end in this frame. What shrinks then is told to the page as a scroll in the next one.
        await new Promise<void>((resolve) => {
          const observer = new ResizeObserver(() => {
            observer.disconnect();
            setHeight(100);
            setTimeout(resolve);
          });
          observer.observe(changing);
        });
        setHeight(900);
        await drawn();
        return log.scrollHeight - log.scrollTop - log.clientHeight;
      });
      assert.ok(fromEnd < 2, `${fromEnd} px from the end`);
      assert.equal(await page.locator('.jump').count(), 0);
    });

    it('shows how long the first token has taken', async () => {
      const long = { state: 'waiting', waitingSince: Date.now() - 2 * 3_600_000 } as const;
      const { page } = await open(emptySnapshot({ turns: [turn('speak', long)] }));
      await page.locator('.waiting-time', { hasText: /^12\d:\d\d$/ }).waitFor();
    });

    it('is announced block by block, never token by token', async () => {
      const { page, host } = await open(emptySnapshot({ turns: [turn('speak', { state: 'waiting' })] }));
      await host.wasAsked('chat/follow');
      host.emit({ type: 'state', answer: { state: 'streaming', model } });
      for (const piece of ['First', ' sentence.', '\n\n', '```js\nlet a;\nlet b;\n```\n', 'Unfin'])
        host.emit(append(piece));
      await page.locator('.md-open', { hasText: 'Unfin' }).waitFor();
      const said = () => page.locator('[role=status] p').allTextContents();
      await page.locator('[role=status] p', { hasText: 'Code, JavaScript' }).waitFor({ state: 'attached' });
      assert.deepEqual((await said()).slice(-2), ['First sentence.', 'Code, JavaScript, lines: 2.']);
      host.finish(doneAnswer('First sentence.\n\n```js\nlet a;\nlet b;\n```\nUnfinished'));
      await page.locator('[role=status] p', { hasText: 'Response complete.' }).waitFor();
      assert.deepEqual((await said()).slice(-2), ['Unfinished', 'Response complete.']);
    });
  });

  describe('the content of an answer', () => {
    it('has wide tables that scroll instead of breaking to one word per line', async () => {
      const cells = ['Requests per minute', 'Whichever model they are for', 'With all keys of the account', 'HTTP 429'];
      const row = (of: readonly string[]) => `| ${of.join(' | ')} |`;
      const text = [row(cells), row(cells.map(() => '---')), row(cells)].join('\n');
      const { page } = await open(emptySnapshot({ turns: [turn('Limits?', doneAnswer(text))] }), { width: 240 });
      await page.locator('.md-table').waitFor();
      const found = await page.locator('.md-table').evaluate((frame) => ({
        scrolls: frame.scrollWidth > frame.clientWidth,
        isSeen: frame.getBoundingClientRect().right <= window.innerWidth,
        heights: [...frame.querySelectorAll('th')].map((cell) => cell.getBoundingClientRect().height),
      }));
      assert.deepEqual([found.scrolls, found.isSeen], [true, true]);
      assert.ok(Math.max(...found.heights) < 30, `One line each: ${found.heights.join(', ')}`);
    });

    it('shows the command at the end of a demo answer as a button, and as text for any other account', async () => {
      const answer = doneAnswer('Images have a page.\n\n[Generate Images](command:inferenceDesk.images.open)');
      const turns = [turn('How do I draw?', answer)];
      const { page, host } = await open(emptySnapshot({ isDemo: true, turns }));
      await page.getByText('Demo: scripted answers, no model').waitFor();
      await page.getByRole('button', { name: 'Generate Images' }).click();
      assert.deepEqual(await host.wasAsked('chat/act'), { action: 'demoStep:inferenceDesk.images.open' });
      assert.equal((await page.locator('.answer .md').innerText()).trim(), 'Images have a page.');
      await takePicture(page, 'dist/test/screenshots/webview/chat-demo-step.png');
      host.snapshot = emptySnapshot({ turns });
      await page.reload();
      await page.locator('.answer').getByText('Generate Images').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Generate Images' }).count(), 0);
    });

    it('links the numbers in its text to its sources, and shows its images', async () => {
      const { page, host } = await open(chatStates['sources'] as ChatSnapshot);
      assert.deepEqual(await page.locator('.citation-number').allTextContents(), ['[1]', '[2]']);
      assert.equal(await page.locator('.citations-list li').count(), 3);
      await page.locator('.citation-number').first().click();
      assert.deepEqual(await host.wasAsked('chat/openLink'), { url: 'https://tower.example/facts' });
      const image = page.getByRole('img', { name: 'a tower' });
      assert.equal(await image.evaluate((shown) => (shown as HTMLImageElement).naturalWidth), 120);
    });

    it("isn't announced as complete at its token limit", async () => {
      const { page, host } = await open(emptySnapshot({ turns: [turn('speak', { state: 'waiting' })] }));
      await host.wasAsked('chat/follow');
      host.finish({ ...doneAnswer('Half'), stopReason: 'max_tokens' });
      await page.locator('[role=status] p', { hasText: 'Response incomplete. Token limit reached.' }).waitFor();
    });

    it('collapses reasoning until it is opened', async () => {
      const { page } = await open(chatStates['talk'] as ChatSnapshot);
      const thought = page.locator('.folded-text');
      assert.equal(await thought.isVisible(), false);
      await page.locator('.folded-label', { hasText: 'Thought' }).click();
      await thought.waitFor();
      assert.equal(await thought.innerText(), 'The first decodes.\nThe second does not.');
      assert.doesNotMatch(await page.locator('.md').innerText(), /decodes\./);
    });

    it('copies code exactly', async () => {
      const code = 'const a = "<b>\u202E";\n\tif (a) {}\n';
      const { page, host } = await open(
        emptySnapshot({ turns: [turn('code', doneAnswer(`\`\`\`js\n${code}\`\`\``))] }),
      );
      await page.locator('.md-copy').click();
      assert.deepEqual(await host.wasAsked('chat/copy'), { text: code });
    });

    it('opens links only through the host', async () => {
      const { page, host } = await open(
        emptySnapshot({ turns: [turn('link', doneAnswer('[a](https://example.com/x)'))] }),
      );
      const pages = page.context().pages().length;
      await page.locator('.md a').click();
      assert.deepEqual(await host.wasAsked('chat/openLink'), { url: 'https://example.com/x' });
      await page.locator('.md a').click({ button: 'middle' });
      await host.wasAsked('chat/openLink', 2);
      assert.equal(page.context().pages().length, pages);
    });

    it('passes the actions of a note to the host, and retries itself', async () => {
      const { page, host } = await open(chatStates['failed'] as ChatSnapshot);
      await page.locator('.note .link', { hasText: 'Show Request and Response' }).click();
      assert.deepEqual(await host.wasAsked('chat/act'), { action: 'showExchange:7', turnId: 'Then why is it used?' });
      await page.locator('.note').getByRole('button', { name: 'Try Again' }).click();
      assert.deepEqual(await host.wasAsked('chat/retry'), { turnId: 'Then why is it used?', model });
      await page.locator('.turn .question-text', { hasText: 'again' }).waitFor();
      assert.equal(await page.locator('.turn').count(), 3);
    });
  });

  it('moves between turns with Alt and the arrow keys', async () => {
    const { page } = await open(chatStates['interrupted'] as ChatSnapshot);
    await page.locator('.log').focus();
    await page.keyboard.press('Alt+ArrowUp');
    const focused = () => page.evaluate(() => document.activeElement?.querySelector('.question-text')?.textContent);
    assert.equal(await focused(), 'And now?');
    await page.keyboard.press('Alt+ArrowUp');
    assert.equal(await focused(), 'Stop here');
  });

  it('takes over a conversation that changed elsewhere', async () => {
    const { page, tell } = await open(chatStates['talk'] as ChatSnapshot);
    tell('chat/changed', emptySnapshot({ conversationId: 'c9', draft: 'theirs' }));
    await page.locator('.welcome').waitFor();
    assert.equal(await page.locator(box).inputValue(), 'theirs');
  });

  it('keeps the text being typed with a draft that moves to a new conversation', async () => {
    const { page, host, tell } = await open(emptySnapshot({ turns: [turn('Why?', {})] }));
    await page.locator(box).pressSequentially('half a que');
    tell('chat/changed', emptySnapshot({ conversationId: 'c9', draftMovedFrom: 'c1' }));
    await page.locator('.welcome').waitFor();
    await page.locator(box).pressSequentially('stion');
    assert.equal(await page.locator(box).inputValue(), 'half a question');
    await host.wasAskedWith('chat/draft', { text: 'half a question', conversationId: 'c9' });
  });
});

import assert from 'node:assert/strict';
import type { Handlers } from '../../src/protocol/call';
import type { ChatScreen } from '../../src/protocol/chat';
import type { CodeTargetView } from '../../src/protocol/chatEdits';
import { codeKey } from '../../src/protocol/codeActions';
import { emptySnapshot } from '../support/chatHost';
import { chatPages } from '../support/chatPages';
import { turn } from '../support/chatStates';
import { look } from '../support/pageLooks';
import { drawn } from '../support/takePicture';

const snapshot = emptySnapshot({
  turns: [
    turn(
      'Which commands?',
      {
        blocks: [
          {
            kind: 'text',
            text: 'Two ways:\n\n```bash\nnpm ci\nnpm test\n```\n\n```ts\nconst a = 1 < 2;\n```\n\n```\nplain\n```',
          },
        ],
      },
      't1',
    ),
  ],
});

describe('the buttons of a code block', () => {
  const openPage = chatPages();

  const open = (width = 340, theme: 'dark' | 'light' = 'dark') =>
    openPage(snapshot, { theme, width, drawn: '.md-code >> nth=2' });
  const bash = { turnId: 't1', code: 'npm ci\nnpm test\n', language: 'bash' };

  const openWithTargets = async (
    targets: readonly CodeTargetView[] = [
      { key: codeKey('const a = 1 < 2;\n'), kind: 'file', path: 'src/a.ts', added: 3, removed: 1 },
      { key: codeKey('npm ci\nnpm test\n'), kind: 'unknown', path: '' },
      { key: codeKey('plain\n'), kind: 'unknown', path: '' },
    ],
    width = 420,
  ) => openPage(snapshot, { width, drawn: '.md-target', handlers: { 'chat/codeTargets': async () => ({ targets }) } });

  it('pass the exact code to the host, with its turn and language', async () => {
    const { page, host } = await open();
    await page.locator('.md-insert').first().click();
    assert.deepEqual(await host.wasAsked('chat/useCode'), { ...bash, action: 'insert' });
    await page.locator('.md-more').nth(1).click();
    await page.getByRole('menuitem', { name: 'Replace Selection…' }).click();
    const ts = { turnId: 't1', code: 'const a = 1 < 2;\n', language: 'ts', action: 'replace' };
    assert.deepEqual(await host.wasAsked('chat/useCode', 2), ts);
    await page.locator('.md-copy').nth(2).click();
    assert.deepEqual(await host.wasAsked('chat/copy'), { text: 'plain\n' });
  });

  it('explain below the block why an action failed, until it is dismissed or repeated', async () => {
    const refusal = {
      kind: 'user',
      title: 'No editor is open',
      detail: 'Open the file the code belongs to, put the cursor where it goes, and press again.',
      actions: [],
    };
    let fails = true;
    const handlers = { 'chat/useCode': () => (fails ? Promise.reject(refusal) : Promise.resolve({})) };
    const { page } = await openPage(snapshot, { width: 220, drawn: '.md-code >> nth=2', handlers });
    const press = async () => {
      await page.locator('.md-more').first().click();
      await page.getByRole('menuitem', { name: 'New File' }).click();
    };
    await press();
    const note = page.locator('.md-code').first().locator('.note');
    await note.getByText('No editor is open').waitFor();
    assert.equal(await page.locator('.note').count(), 1);
    await page
      .locator('[aria-live=polite]', { hasText: 'No editor is open. Open the file' })
      .waitFor({ state: 'attached' });
    await note.getByRole('button', { name: 'Dismiss' }).click();
    await page.locator('.note').waitFor({ state: 'detached' });
    assert.ok(await page.evaluate(() => document.activeElement?.matches('.md-more')));
    await press();
    await note.waitFor();
    fails = false;
    await press();
    await note.waitFor({ state: 'detached' });
  });

  it("offer to open code as a new file if it isn't run", async () => {
    const actions = [{ id: 'newFile', label: 'Open as New File' }];
    const refusal = { kind: 'user', title: "Couldn't run the code", detail: 'It is too long.', actions };
    const used: string[] = [];
    const handlers: Partial<Handlers<ChatScreen>> = {
      'chat/useCode': async ({ action }) => {
        used.push(action);
        return action === 'run' ? Promise.reject(refusal) : {};
      },
    };
    const { page } = await openPage(snapshot, { drawn: '.md-code >> nth=2', handlers });
    await page.locator('.md-more').first().click();
    await page.getByRole('menuitem', { name: 'Run in Terminal…' }).click();
    await page.getByRole('button', { name: 'Open as New File' }).click();
    await page.locator('.note').waitFor({ state: 'detached' });
    assert.deepEqual(used, ['run', 'newFile']);
  });

  it('have a menu for the keyboard, with the terminal only for shell code', async () => {
    const { page, host } = await open();
    const items = () => page.locator('.menu-item').allTextContents();
    await page.locator('.md-more').nth(1).click();
    await page.locator('.menu-item:focus').waitFor();
    assert.deepEqual(await items(), ['Replace Selection…', 'New File']);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.menu').count(), 0);
    assert.ok(await page.evaluate(() => document.activeElement?.matches('.md-more')));
    await page.locator('.md-more').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('.menu-item:focus').waitFor();
    assert.deepEqual(await items(), ['Replace Selection…', 'New File', 'Run in Terminal…']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    assert.deepEqual(await host.wasAsked('chat/useCode'), { ...bash, action: 'run' });
    assert.equal(await page.locator('.menu').count(), 0);
  });

  it('have a menu that stays open during automatic scrolling, and closes when the user scrolls', async () => {
    const { page } = await open();
    await page.setViewportSize({ width: 340, height: 320 });
    await drawn(page);
    await page.locator('.md-more').first().click();
    await page.locator('.menu-item:focus').waitFor();
    await page.locator('.log').evaluate(
      (log) =>
        new Promise((resolve) => {
          log.addEventListener('scroll', resolve, { once: true });
          log.scrollTop += log.scrollTop > 0 ? -20 : 20;
        }),
    );
    await drawn(page);
    assert.equal(await page.locator('.menu').count(), 1);
    await page.mouse.move(20, 40);
    await page.mouse.wheel(0, 20);
    await page.locator('.menu').waitFor({ state: 'detached' });
  });

  it('move into the menu if space is limited', async () => {
    const { page, host } = await open(200);
    assert.deepEqual(await page.locator('.md-insert').locator('visible=true').count(), 0);
    await page.locator('.md-more').first().click();
    await page.locator('.menu-item:focus').waitFor();
    const items = ['Insert at Cursor', 'Replace Selection…', 'New File', 'Run in Terminal…'];
    assert.deepEqual(await page.locator('.menu-item').allTextContents(), items);
    const inside = await page.evaluate(() =>
      [...document.querySelectorAll('.menu, .md-code-button')].every(
        (element) => element.getBoundingClientRect().right <= document.documentElement.clientWidth,
      ),
    );
    assert.ok(inside);
    await page.locator('.menu-item').nth(1).click();
    assert.deepEqual(await host.wasAsked('chat/useCode'), { ...bash, action: 'replace' });
  });

  it('name the file that the code belongs to, with its changes, and apply the code there', async () => {
    const { page, host } = await openWithTargets();
    const [shell, ts, plain] = [0, 1, 2].map((index) => page.locator('.md-code').nth(index));
    await ts!.locator('.md-target', { hasText: 'a.ts' }).waitFor();
    assert.equal((await ts!.locator('.md-code-counts').textContent())?.trim(), '+3 −1');
    assert.equal(await ts!.locator('.md-target').getAttribute('title'), 'Open src/a.ts');
    assert.equal(await shell!.locator('.md-code-lang').textContent(), 'Bash');
    assert.equal(await plain!.locator('.md-target').count(), 0);
    const group = (name: string) => page.getByRole('group', { name, exact: true });
    for (const name of ['Bash', 'a.ts', 'Code']) await group(name).getByRole('button', { name: 'Copy' }).waitFor();
    const height = (await ts!.locator('.md-code-bar').boundingBox())?.height;
    assert.equal(height, 28);
    await ts!.locator('.md-apply').click();
    const place = { turnId: 't1', key: codeKey('const a = 1 < 2;\n'), index: 0 };
    assert.deepEqual(await host.wasAsked('chat/applyCode'), place);
    await ts!.locator('.md-target').click();
    assert.deepEqual(await host.wasAsked('chat/openTarget'), place);
  });

  it('offer to choose an unknown file', async () => {
    const { page, host } = await openWithTargets([{ key: codeKey('const a = 1 < 2;\n'), kind: 'unknown', path: '' }]);
    await page.locator('.md-target', { hasText: 'Choose File…' }).click();
    assert.deepEqual(await host.wasAsked('chat/openTarget'), {
      turnId: 't1',
      key: codeKey('const a = 1 < 2;\n'),
      index: 0,
    });
  });

  it('name the file of a complete block while the rest of the answer streams', async () => {
    const key = codeKey('const a = 1 < 2;\n');
    const running = turn('Two files?', { state: 'streaming', blocks: [{ kind: 'text', text: '' }] }, 't1');
    const { page, host } = await openPage(emptySnapshot({ turns: [running] }), {
      width: 420,
      handlers: { 'chat/codeTargets': async () => ({ targets: [{ key, kind: 'file', path: 'src/a.ts' }] }) },
    });
    await host.wasAsked('chat/follow');
    const text = '```ts\nconst a = 1 < 2;\n```\n\nThe second one:\n\n```ts\nconst b';
    host.emit({ type: 'append', block: 0, kind: 'text', text });
    await page.locator('.md-target', { hasText: 'a.ts' }).waitFor();
    await page.locator('.md-code', { hasText: 'const b' }).waitFor();
    assert.equal(await page.locator('.md-target').count(), 1);
  });

  it('say that the code is applied once its file contains it, until that is undone', async () => {
    const key = codeKey('const a = 1 < 2;\n');
    let lines = { added: 3, removed: 1 };
    const { page, tell } = await openPage(snapshot, {
      width: 420,
      drawn: '.md-target',
      handlers: { 'chat/codeTargets': async () => ({ targets: [{ key, kind: 'file', path: 'src/a.ts', ...lines }] }) },
    });
    const block = page.locator('.md-code').nth(1);
    await block.locator('.md-code-counts').waitFor();
    await block.locator('.md-apply').click();
    lines = { added: 0, removed: 0 };
    tell('chat/editsChanged', { files: [{ path: 'src/a.ts', added: 3, removed: 1 }] });
    await block.getByRole('button', { name: 'Applied', exact: true }).waitFor();
    await block.locator('.md-code-counts').waitFor({ state: 'detached' });
    await look(page, 'code-applied', { place: 'side' });
    lines = { added: 3, removed: 1 };
    tell('chat/editsChanged', { files: [] });
    await block.getByRole('button', { name: 'Apply', exact: true }).waitFor();
  });

  it('color the parameters, arguments, and exceptions of Python', async () => {
    const code = 'def load(number: str, *, tries=4):\n    raise LoadError(read(number, limit=9))\n';
    const asked = turn('How?', { blocks: [{ kind: 'text', text: `\`\`\`python\n${code}\`\`\`` }] }, 't1');
    const { page } = await openPage(emptySnapshot({ turns: [asked] }), { drawn: '.hljs-variable' });
    assert.deepEqual(await page.locator('.hljs-variable').allTextContents(), ['number', 'tries', 'limit']);
    assert.deepEqual(await page.locator('.hljs-type').allTextContents(), ['str', 'LoadError']);
    assert.equal(await page.locator('.md-code code').textContent(), code);
  });

  it('report no changes if the file already contains the code', async () => {
    const key = codeKey('const a = 1 < 2;\n');
    const { page } = await openWithTargets([{ key, kind: 'file', path: 'src/a.ts', added: 0, removed: 0 }]);
    await page.getByRole('button', { name: 'No Changes', exact: true }).waitFor();
  });

  for (const width of [200, 240])
    it(`fit in one line while a file is being chosen, at ${width} pixels`, async () => {
      const { page } = await openWithTargets(
        [{ key: codeKey('const a = 1 < 2;\n'), kind: 'unknown', path: '' }],
        width,
      );
      const label = page.locator('.md-target .md-code-label', { hasText: 'Choose File…' });
      const [height, cut, icons] = await Promise.all([
        label.evaluate((element) => element.getBoundingClientRect().height),
        label.evaluate((element) => element.scrollWidth - element.clientWidth),
        page.locator('.md-apply .codicon:visible').count(),
      ]);
      assert.ok(height < 20, `${height} px`);
      assert.deepEqual({ cut, icons }, { cut: 0, icons: 0 });
      // The menu has the actions that don't fit.
      const block = page.locator('.md-code').nth(1);
      await block.locator('.md-more').click();
      const items = await page.locator('.menu-item').allTextContents();
      const actions = ['Copy Code', 'Insert at Cursor'].filter((name) => items.includes(name));
      assert.deepEqual(actions, width < 220 ? ['Copy Code', 'Insert at Cursor'] : ['Insert at Cursor']);
    });

  it("explain at the block why the code wasn't applied", async () => {
    const refusal = { kind: 'user', title: "Couldn't place the code in a.ts", detail: 'Both are shown.', actions: [] };
    const { page } = await openPage(snapshot, {
      width: 340,
      drawn: '.md-code >> nth=2',
      handlers: { 'chat/applyCode': () => Promise.reject(refusal) },
    });
    await page.locator('.md-apply').nth(1).click();
    await page.locator('.md-code').nth(1).locator('.note', { hasText: "Couldn't place the code in a.ts" }).waitFor();
  });

  for (const [width, shown] of [
    [240, ['Apply']],
    [420, ['Apply', 'Insert', 'Copy']],
  ] as const) {
    it(`show ${shown.join(', ')} as text at ${width} pixels`, async () => {
      const { page } = await openWithTargets(undefined, width);
      await page.locator('.md-target').first().waitFor();
      const words = await page
        .locator('.md-code')
        .nth(1)
        .locator('.md-apply, .md-insert, .md-copy')
        .evaluateAll((buttons) =>
          buttons.map((button) => (button as HTMLElement).innerText.trim()).filter((text) => text !== ''),
        );
      assert.deepEqual(words, shown);
    });
  }
});

describe('the bar for changes in files', () => {
  const openPage = chatPages();
  const files = [
    { path: 'src/a.ts', added: 3, removed: 1 },
    { path: 'src/b.ts', added: 2, removed: 0 },
  ];

  it('shows the files and lines, and keeps or undoes all', async () => {
    const { page, host, tell } = await openPage(emptySnapshot(), { width: 300, drawn: '.composer' });
    assert.equal(await page.locator('.edits-bar').count(), 0);
    tell('chat/editsChanged', { files });
    const bar = page.locator('.edits-bar');
    await page.locator('[aria-live]', { hasText: '2 files changed' }).waitFor({ state: 'attached' });
    assert.equal((await bar.locator('.edits-files').innerText()).replaceAll(/\s+/g, ' '), '2 files changed +5 −1');
    await bar.getByRole('button', { name: 'Undo' }).click();
    assert.deepEqual(await host.wasAsked('chat/undoEdits'), {});
    await bar.getByRole('button', { name: 'Keep' }).click();
    assert.deepEqual(await host.wasAsked('chat/keepEdits'), {});
    await page.locator('[aria-live]', { hasText: 'Changes kept' }).waitFor({ state: 'attached' });
    await page.locator('.composer-text:focus').waitFor();
    await bar.locator('.edits-files').click();
    assert.deepEqual(await host.wasAsked('chat/showEdits'), {});
    tell('chat/editsChanged', { files: [] });
    await bar.waitFor({ state: 'detached' });
  });
});

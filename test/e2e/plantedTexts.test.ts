import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../host/places';
import { noticesOf } from '../host/notices';
import type { DeskWindow } from '../host/window';
import { mark, planted, plantedCommand, plantedName, startHostileService } from '../support/hostileService';
import { inOrder } from '../support/inOrder';
import { until } from '../support/until';
import { startOrigin } from '../support/originServer';
import type { OriginServer } from '../support/originServer';

/** The effects of planted texts in the workbench, outside of editor lines and our pages. */
interface Drawn {
  readonly links: readonly string[];
  /** Where planted texts were seen, and their names: in messages, prompts, rows, and tooltips. */
  readonly seen: readonly string[];
}

describe('planted texts from a service, files, and models', function () {
  inOrder(this);
  this.timeout(240_000);
  let desk: DeskWindow;
  let service: OriginServer;
  let folder: string;
  let port: number;

  const files = {
    batch: plantedName('batch-file', '.jsonl'),
    rows: plantedName('rows-file', '.csv'),
    prompt: plantedName('prompt-file', '.desk.md'),
    sound: plantedName('sound-file', '.wav'),
    text: plantedName('text-file', '.txt'),
  };
  const at = (name: keyof typeof files) => path.join(folder, files[name]);

  before(async function () {
    folder = await mkdtemp(path.join(tmpdir(), 'planted-'));
    const line = (id: string, model: string) =>
      JSON.stringify({
        custom_id: id,
        method: 'POST',
        url: '/v1/chat/completions',
        body: { model, messages: [{ role: planted('role'), content: planted('question') }] },
      });
    const model = planted('line-model');
    await writeFile(
      at('batch'),
      `${line(planted('id'), model)}\n${line(planted('id'), model)}\n{"${planted('key')}": 1}\n`,
    );
    const column = `"${planted('column').replaceAll('"', '""')}"`;
    await writeFile(at('rows'), `${column},b\n"${planted('cell')}",2\n`);
    const quoted = (text: string) => JSON.stringify(text);
    await writeFile(
      at('prompt'),
      `---\nmodel: ${quoted(planted('prompt-model'))}\nvariables:\n  tone: { description: ${quoted(planted('variable'))}, options: [${quoted(planted('option'))}] }\n---\nSay {{tone}} of {{other}} ${planted('prompt')}\n`,
    );
    await writeFile(at('sound'), planted('sound'));
    await writeFile(at('text'), planted('text'));
    service = await startHostileService();
    // Reserves a free port for the extension that runs commands.
    const free = await startOrigin(() => {});
    ({ port } = free);
    await free.close();
    desk = await this.openDesk({
      folder,
      extensions: [path.join(root, 'test/fixtures/commandRunner')],
      env: { DESK_RUNNER_PORT: String(port) },
      settings: { 'inferenceDesk.account.lowBalance': '5', 'files.simpleDialog.enable': true },
    });
    await watch();
  });
  after(async () => {
    await desk?.close();
    await service?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** Records every live link, image, and hidden character of a planted text at the moment it is rendered, however briefly it is visible. */
  const watch = () =>
    desk.page.evaluate(
      ({ mark }) => {
        const found = {
          links: new Set<string>(),
          seen: new Set<string>(),
        };
        Object.assign(window, { planted: found });
        const place = (element: Element | null) =>
          element
            ?.closest(
              '.notifications-center, .notification-toast, .quick-input-widget, .monaco-dialog-box, .monaco-hover, .monaco-tree, .monaco-list, .statusbar-item, .tabs-container, .part',
            )
            ?.className.split(' ')
            .slice(0, 3)
            .join('.') ?? '';
        const isOurs = (element: Element | null) =>
          element?.closest('.view-lines, textarea, .inputarea, .terminal, .output-view') !== null;
        const look = (node: Node) => {
          const element = node instanceof Element ? node : node.parentElement;
          if (!element || isOurs(element)) return;
          for (const link of [element.closest('a'), ...element.querySelectorAll('a')]) {
            if (!link || isOurs(link)) continue;
            const target = link.dataset['href'] || link.getAttribute('href') || '';
            if (/planted/i.test(target)) found.links.add(`${place(link)}: ${target.slice(0, 90)}`);
          }
          const text = element.textContent ?? '';
          for (const [name] of text.matchAll(new RegExp(`${mark}-[a-z-]+`, 'g'))) {
            found.seen.add(`${place(element).split('.')[0]} ${name}`);
          }
        };
        new MutationObserver((records) => {
          for (const { addedNodes, target, type } of records) {
            if (type === 'childList') for (const node of addedNodes) look(node);
            else look(target);
          }
        }).observe(document.body, {
          childList: true,
          subtree: true,
          characterData: true,
          attributes: true,
          attributeFilter: ['href', 'data-href'],
        });
      },
      { mark },
    );

  const drawn = () =>
    desk.page.evaluate((): Drawn => {
      const found = (window as unknown as { planted: Readonly<Record<keyof Drawn, ReadonlySet<string>>> }).planted;
      return { links: [...found.links], seen: [...found.seen] };
    });

  const run = async (id: string | undefined, ...args: readonly unknown[]) => {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: JSON.stringify({ id, args }) });
    return (await response.json()) as { readonly planted: number; readonly error?: string };
  };

  const dialog = () => desk.page.locator('.monaco-dialog-box');

  /** Runs a command, accepts its questions with Enter a few times, and leaves. */
  const journey = async (id: string, ...args: readonly unknown[]): Promise<void> => {
    const asked = desk.quickInput
      .or(dialog())
      .or(desk.page.locator('.statusbar-item .codicon-bell-dot'))
      .and(desk.page.locator(':visible'))
      .first();
    const ended = run(id, ...args).catch(() => undefined);
    // Waits until it asks or ends, because a busy VS Code takes longer than an idle one, and leaving earlier would show nothing.
    const comes = (what: Promise<unknown>): Promise<boolean> =>
      Promise.race([
        ended.then(() => true),
        what.then(
          () => true,
          () => false,
        ),
      ]);
    await comes(asked.waitFor());
    for (let step = 0; step < 3 && (await desk.quickInput.isVisible()); step++) {
      const before = await desk.quickInput.innerText();
      await desk.page.keyboard.press('Enter');
      // There is a short gap between two questions. If a key has no effect, neither has the next one.
      const isTaken = await comes(
        desk.page.waitForFunction(
          (text) => {
            const box = document.querySelector<HTMLElement>('.quick-input-widget');
            const isOther = box?.checkVisibility() === true && box.innerText !== text;
            return isOther || document.querySelector('.monaco-dialog-box') !== null;
          },
          before,
          { timeout: 5000 },
        ),
      );
      if (!isTaken) break;
    }
    for (let tries = 0; tries < 4 && ((await desk.quickInput.isVisible()) || (await dialog().isVisible())); tries++)
      await desk.page.keyboard.press('Escape');
    await run('notifications.showList');
    await desk.page
      .locator('.notifications-center')
      .evaluate(() => new Promise((drawn) => requestAnimationFrame(() => drawn(undefined))), undefined, {
        timeout: 2000,
      })
      .catch(() => undefined);
    await run('notifications.clearAll');
  };

  it('appear as plain text in the account and sign-in steps', async () => {
    const title = (text: string | RegExp) => desk.quickInput.locator('.quick-input-title', { hasText: text }).waitFor();
    await desk.openChat();
    await desk.webview.getByText('Sign In', { exact: true }).click();
    await title('Sign In');
    await desk.answer('Other URL…');
    await title('base URL');
    await desk.answer(`${service.url}v1`);
    await title('enter a name');
    await desk.answer(`[${mark}-profile](command:${plantedCommand})`);
    await title('key for');
    await desk.answer('sk-planted-0123456789');
    // Without the palette, which would replace the next question of the sign-in.
    const notices = noticesOf(desk.page, { command: async () => void (await run('notifications.showList')) });
    await notices.notice('Signed in to');
    await run('notifications.clearAll');
  });

  it('appear verbatim in every view and tooltip', async () => {
    for (const name of ['Models', 'Files', 'Batches', 'Voices', 'Account']) {
      const pane = await desk.openView(name);
      const row = pane.locator('.monaco-list-row').first();
      // The tooltip appears where the pointer comes to rest, which might already be there.
      await until(async () => {
        await pane.locator('.pane-header').hover();
        await row.hover();
        const tooltip = desk.page.locator('.monaco-hover:visible').first();
        return tooltip.waitFor({ timeout: 3000 }).then(
          () => true as const,
          () => undefined,
        );
      }, `a tooltip in ${name}`);
      await desk.screenshot(`planted-view-${name.toLowerCase().replace(' ', '-')}`);
      await pane.locator('.pane-header').click();
    }
    await desk
      .status(/PLANTED/)
      .first()
      .hover();
    await desk.page.locator('.monaco-hover', { hasText: 'Manage Key' }).waitFor();
    await desk.page.keyboard.press('Escape');
  });

  it("don't become links in hovers of batch and prompt files", async () => {
    const words = {
      batch: ['PLANTED-id', 'PLANTED-line-model', 'PLANTED-role', 'PLANTED-question', 'PLANTED-key'],
      prompt: ['PLANTED-prompt-model', 'tone', 'other'],
    } as const;
    const hover = desk.page.locator('.monaco-hover:visible').first();
    let shown = 0;
    for (const name of ['batch', 'prompt'] as const) {
      for (const word of words[name]) {
        equal((await run('deskRunner.select', { file: at(name) }, word)).error, undefined);
        await run('editor.action.showHover');
        await hover.waitFor({ timeout: 1500 }).then(
          () => shown++,
          () => undefined,
        );
        await run('editor.action.hideHover');
      }
    }
    ok(shown > 2, `${shown} hovers`);
  });

  /** At least one command for each part of VS Code in which commands show such texts, and for each kind of text. */
  const commands: readonly (readonly [id: string, file?: keyof typeof files])[] = [
    ['switchProfile'],
    ['changeBaseUrl'],
    ['manageKey'],
    ['models.search'],
    ['files.upload', 'batch'],
    ['batches.openResults'],
    ['media.regenerate', 'text'],
    ['media.saveAs', 'text'],
    ['voices.open'],
    ['voices.upload', 'sound'],
    ['voices.transcribe', 'sound'],
    ['batchFile.newFromRows', 'rows'],
    ['batchFile.split', 'batch'],
    ['batchFile.sample', 'batch'],
    ['batchFile.dropDuplicates', 'batch'],
    ['batchFile.preview', 'batch'],
    ['batchFile.runLocally', 'batch'],
    ['batchFile.resumeLocal'],
    ['batchFile.tryLine', 'batch'],
    ['prompts.run', 'prompt'],
    ['prompts.compare', 'prompt'],
    ['prompts.newFromRows', 'rows'],
    ['ghostText.chooseModel'],
    ['ghostText.menu'],
    ['removeProfile'],
  ];

  /** Text that was never rendered was never tested. */
  const tried = [
    'statusbar-item profile',
    'monaco-list total',
    'monaco-list profile',
    'monaco-list model-any',
    'monaco-list voice-name',
    'monaco-list batch-file',
    'monaco-list column',
    'monaco-list option',
    'monaco-list sound-file',
    'monaco-list text-file',
    'quick-input-widget profile',
    'quick-input-widget rows-file',
    'quick-input-widget prompt-file',
    'monaco-dialog-box batch-file',
    'monaco-dialog-box line-model',
    'monaco-dialog-box rows-file',
    'monaco-dialog-box profile',
  ];
  const missingIn = (seen: readonly string[]) => tried.filter((one) => !seen.includes(one.replace(' ', ` ${mark}-`)));

  it("don't become links in messages and questions", async () => {
    await run('vscode.open', { file: at('batch') });
    // A key pressed before a pick has rows is lost, and so is the next question.
    for (let round = 0; round < 3 && missingIn((await drawn()).seen).length > 0; round++)
      for (const [id, file] of commands) await journey(`inferenceDesk.${id}`, ...(file ? [{ file: at(file) }] : []));
  });

  it('create no links and run no commands', async () => {
    const { links, seen } = await drawn();
    deepEqual(links, []);
    equal((await run(undefined)).planted, 0);
    deepEqual(missingIn(seen), [], seen.join('\n'));
  });
});

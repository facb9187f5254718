import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { ChatSnapshot } from '../../src/protocol/chat';
import { createChatHost } from '../support/chatHost';
import { chatStates } from '../support/chatStates';
import { createCompareRunsHost } from '../support/compareRunsHost';
import { createCompletionHost } from '../support/completionHost';
import { galleryPages } from '../support/galleryPages';
import { imagesPages } from '../support/imagesPages';
import { createPreviewHost } from '../support/previewHost';
import { rerankPages } from '../support/rerankPages';
import { createResultsHost } from '../support/resultsHost';
import { screenPages } from '../support/screenPages';
import { createSubmitHost } from '../support/submitHost';
import { pressAll, walkByTab } from '../support/tabWalk';
import { callStates, manyTools } from '../support/toolStates';
import { videoJob } from '../support/videosHost';
import { videosPages } from '../support/videosPages';
import { createVoiceHost, takeSound, voiceTakes } from '../support/voiceHost';
import { createVoiceUploadHost } from '../support/voiceUploadHost';

const request = (id: string) =>
  JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: 'Qwen/Qwen3-8B', messages: [{ role: 'user', content: `Sort ${id}.` }] },
  });
const answer = (id: string, content = 'Sorted.') =>
  JSON.stringify({ custom_id: id, response: { body: { choices: [{ message: { role: 'assistant', content } }] } } });
const failure = (id: string) =>
  JSON.stringify({ custom_id: id, response: null, error: { code: 'batch_expired', message: 'Too late.' } });

describe('every page by keyboard alone', () => {
  const openPage = screenPages();
  const openRerank = rerankPages();
  const openImages = imagesPages();
  const openVideos = videosPages();
  const openGallery = galleryPages();
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'keyboard-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, lines: readonly string[]) => {
    const file = path.join(folder, name);
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    return file;
  };
  const look = { theme: 'dark', width: 1100, height: 800 } as const;
  async function chat(snapshot: ChatSnapshot, open?: (page: Page) => Promise<unknown>): Promise<Page> {
    const host = createChatHost(snapshot);
    host.tools = manyTools;
    const { page } = await openPage('chat', { ...look, width: 420, height: 2400, handlers: host.handlers });
    await page.locator('.turn, .welcome').first().waitFor();
    // What is not drawn yet cannot be reached.
    await page.locator('.turn-sketch').first().waitFor({ state: 'detached' });
    await open?.(page);
    return page;
  }
  const ids = ['one', 'two', 'three'];
  const runs = () => ({ input: { path: write('in.jsonl', ids.map(request)) }, errors: [] });

  const pages: Readonly<Record<string, () => Promise<Page>>> = {
    ...Object.fromEntries(
      ['signedOut', 'rich', 'streaming', 'failed', 'folded'].map((name) => [
        `chat, ${name}`,
        () => chat(chatStates[name] as ChatSnapshot),
      ]),
    ),
    ...Object.fromEntries(['asking', 'ended'].map((name) => [`chat, calls, ${name}`, () => chat(callStates[name]!)])),
    'chat, parameters': () =>
      chat(chatStates['talk'] as ChatSnapshot, async (page) => {
        await page.locator('.bar-parameters').press('Enter');
        await page.locator('.parameters-panel').waitFor();
      }),
    'chat, tools': () =>
      chat(chatStates['talk'] as ChatSnapshot, async (page) => {
        await page.locator('.bar-tools').press('Enter');
        await page.locator('.tool').first().waitFor();
      }),
    'batch preview': async () => {
      const ours = createPreviewHost(write('preview.jsonl', ids.map(request)));
      const { page } = await openPage('batchPreview', { ...look, handlers: ours.handlers }, () => ours.close());
      await page.locator('.preview-rows .preview-row').first().click();
      await page.getByRole('complementary').waitFor();
      return page;
    },
    'batch submission': async () => {
      const { page } = await openPage('batchSubmit', { ...look, handlers: createSubmitHost().handlers });
      await page.getByRole('button', { name: 'Add Pair' }).click();
      return page;
    },
    'batch results': async () => {
      const source = {
        ...runs(),
        outputs: [write('out.jsonl', [answer('one')])],
        errors: [write('err.jsonl', [failure('two')])],
      };
      const ours = createResultsHost(source, {
        name: 'in.jsonl',
        facts: 'batch_7f21',
        factsHint: '',
        phases: [],
        notices: [],
        faults: [],
      });
      const { page } = await openPage('batchResults', { ...look, handlers: ours.handlers }, () => ours.close());
      await page.locator('.results-rows .results-row').first().click();
      await page.getByRole('complementary').waitFor();
      return page;
    },
    'two runs': async () => {
      const ours = createCompareRunsHost(
        { ...runs(), outputs: [write('a.jsonl', [answer('one'), answer('two', 'a')])] },
        { ...runs(), outputs: [write('b.jsonl', [answer('one'), answer('two', 'b')])] },
      );
      const { page } = await openPage('batchCompare', { ...look, handlers: ours.handlers }, () => ours.close());
      await page.locator('.compare-rows .compare-row').first().click();
      await page.getByRole('complementary').waitFor();
      return page;
    },
    'completion parameters': async () => {
      const { page } = await openPage('completion', { ...look, handlers: createCompletionHost().handlers });
      await page.getByRole('heading', { name: 'Request preview' }).waitFor();
      return page;
    },
    rerank: async () => {
      const one = await openRerank();
      await one.run();
      await one.row(0).click();
      await one.details.waitFor();
      return one.page;
    },
    'rerank, documents': async () => {
      const one = await openRerank();
      await one.row(0).waitFor();
      return one.page;
    },
    images: async () => {
      const { page } = await openImages();
      // The sizes come with what the host knows about the model.
      await page.locator('.images-shape').first().waitFor();
      return page;
    },
    videos: async () => {
      const file = { index: 0, name: 'a.mp4', facts: ['2.4 MB'], uri: openVideos.clip() };
      const one = await openVideos({
        page: { jobs: [videoJob({ id: 'done', files: [file] }), videoJob({ id: 'other' })] },
      });
      await one.card('done').locator('.video-job-button').click();
      await one.page.locator('.player-facts').waitFor();
      return one.page;
    },
    gallery: async () => {
      const one = await openGallery();
      await one.tile(0).click();
      await one.details.getByText('Trace ID').waitFor();
      return one.page;
    },
    voice: async () => {
      const src = openPage.show('take.wav', 'audio/wav', takeSound());
      const takes = voiceTakes.map((take) => ({ ...take, src }));
      const { page } = await openPage('voice', { ...look, handlers: createVoiceHost({ takes }).handlers });
      await page
        .getByRole('button', { name: /^More Actions for/ })
        .first()
        .waitFor();
      return page;
    },
    'voice upload': async () => {
      const { page } = await openPage('voiceUpload', { ...look, handlers: createVoiceUploadHost().handlers });
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page;
    },
  };

  for (const [name, open] of Object.entries(pages)) {
    it(`moves through named elements with Tab, shows the focus, and never loses it after any key: ${name}`, async () => {
      const page = await open();
      const { stops, unreached } = await walkByTab(page);
      assert.ok(stops.length > 1, 'Tab went nowhere');
      assert.deepEqual(unreached, [], 'never reached');
      assert.deepEqual(
        stops.filter((stop) => stop.name.trim() === ''),
        [],
        'without a name',
      );
      assert.deepEqual(
        stops.filter(({ isSeen }) => !isSeen),
        [],
        'not seen',
      );
      assert.deepEqual(await pressAll(page, Math.min(stops.length, 24)), [], 'lost');
    });
  }

  it('restores the focus after an element was temporarily disabled', async () => {
    const page = await chat(chatStates['talk'] as ChatSnapshot);
    const has = await page.locator('.bar-tools').evaluateHandle(async (button: HTMLButtonElement) => {
      button.focus();
      button.disabled = true;
      // Now it is seen that it cannot be used.
      await Promise.resolve();
      button.blur();
      button.disabled = false;
      return button;
    });
    await page.waitForFunction((button) => document.activeElement === button, has);
  });
});

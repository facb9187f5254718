import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { ChatSnapshot } from '../../src/protocol/chat';
import { createChatHost } from '../support/chatHost';
import { chatStates } from '../support/chatStates';
import { createCompareRunsHost } from '../support/compareRunsHost';
import { createCompletionHost } from '../support/completionHost';
import { createEvalResultsHost, unclearRun } from '../support/evalResultsHost';
import { galleryPages } from '../support/galleryPages';
import { imagesPages } from '../support/imagesPages';
import { checked, createModelCheckHost } from '../support/modelCheckHost';
import { look } from '../support/pageLooks';
import { createPreviewHost } from '../support/previewHost';
import { rerankPages } from '../support/rerankPages';
import { createResultsHost } from '../support/resultsHost';
import { screenPages } from '../support/screenPages';
import { createSubmitHost } from '../support/submitHost';
import { manyTools } from '../support/toolStates';
import { videosPages } from '../support/videosPages';
import { createVoiceHost } from '../support/voiceHost';
import { createVoiceUploadHost } from '../support/voiceUploadHost';

const request = (id: string) =>
  JSON.stringify({
    custom_id: id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: 'Qwen/Qwen3-8B', messages: [{ role: 'user', content: `排序 ${id}。` }] },
  });

/** Texts of the host stay English here. Those of the pages are Chinese, whose lines break and grow in other ways. */
describe('every page in a Chinese window', () => {
  const words = JSON.parse(readFileSync('media/l10n/bundle.l10n.zh-cn.json', 'utf8')) as Record<string, string>;
  const say = (text: string) => words[text] ?? text;
  const openPage = screenPages(say);
  const openRerank = rerankPages(say);
  const openImages = imagesPages(say);
  const openVideos = videosPages(say);
  const openGallery = galleryPages(say);
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'chinese-pages-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, lines: readonly string[]) => {
    const file = path.join(folder, name);
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    return file;
  };
  const looks = { theme: 'light', width: 1100, height: 800 } as const;
  async function chat(state: string, open?: (page: Page) => Promise<unknown>): Promise<Page> {
    const host = createChatHost(chatStates[state] as ChatSnapshot);
    host.tools = manyTools;
    const { page } = await openPage('chat', { ...looks, width: 420, handlers: host.handlers });
    await page.locator('.turn, .welcome').first().waitFor();
    await open?.(page);
    return page;
  }
  const ids = ['one', 'two', 'three'];
  const heading = (page: Page) => page.getByRole('heading').first().waitFor();

  const pages: Readonly<Record<string, () => Promise<Page>>> = {
    'chat-signed-out': () => chat('signedOut'),
    'chat-rich': () => chat('rich'),
    'chat-failed': () => chat('failed'),
    'chat-parameters': () =>
      chat('talk', async (page) => {
        await page.locator('.bar-parameters').press('Enter');
        await page.locator('.parameters-panel').waitFor();
      }),
    'chat-tools': () =>
      chat('talk', async (page) => {
        await page.locator('.bar-tools').press('Enter');
        await page.locator('.tool').first().waitFor();
      }),
    preview: async () => {
      const ours = createPreviewHost(write('preview.jsonl', ids.map(request)));
      const { page } = await openPage('batchPreview', { ...looks, handlers: ours.handlers }, () => ours.close());
      await page.locator('.preview-rows .preview-row').first().click();
      await page.getByRole('complementary').waitFor();
      return page;
    },
    submit: async () => {
      const { page } = await openPage('batchSubmit', { ...looks, handlers: createSubmitHost().handlers });
      await heading(page);
      return page;
    },
    results: async () => {
      const failure = JSON.stringify({
        custom_id: 'two',
        response: null,
        error: { code: 'batch_expired', message: 'x' },
      });
      const message = { role: 'assistant', content: '已排序。' };
      const answer = JSON.stringify({ custom_id: 'one', response: { body: { choices: [{ message }] } } });
      const ours = createResultsHost(
        {
          input: { path: write('in.jsonl', ids.map(request)) },
          outputs: [write('out.jsonl', [answer])],
          errors: [write('err.jsonl', [failure])],
        },
        { name: 'in.jsonl', facts: 'batch_7f21', factsHint: '', phases: [], notices: [], faults: [] },
      );
      const { page } = await openPage('batchResults', { ...looks, handlers: ours.handlers }, () => ours.close());
      await page.locator('.results-rows .results-row').first().click();
      await page.getByRole('complementary').waitFor();
      return page;
    },
    compare: async () => {
      const message = { role: 'assistant', content: '已排序。' };
      const answer = (id: string) => JSON.stringify({ custom_id: id, response: { body: { choices: [{ message }] } } });
      const source = (name: string) => ({
        input: { path: write('in.jsonl', ids.map(request)) },
        outputs: [write(name, ids.map(answer))],
        errors: [],
      });
      const ours = createCompareRunsHost(source('first.jsonl'), source('second.jsonl'));
      const { page } = await openPage('batchCompare', { ...looks, handlers: ours.handlers }, () => ours.close());
      await page.getByRole('row').nth(1).waitFor();
      return page;
    },
    evals: async () => {
      const { handlers } = createEvalResultsHost(unclearRun);
      const { page } = await openPage('evalResults', { ...looks, handlers });
      await heading(page);
      return page;
    },
    completion: async () => {
      const { page } = await openPage('completion', { ...looks, handlers: createCompletionHost().handlers });
      await heading(page);
      return page;
    },
    rerank: async () => {
      const one = await openRerank();
      await one.row(0).waitFor();
      return one.page;
    },
    images: async () => (await openImages()).page,
    videos: async () => (await openVideos()).page,
    gallery: async () => {
      const one = await openGallery();
      await one.tile(0).click();
      await one.page.getByRole('complementary').waitFor();
      return one.page;
    },
    voice: async () => {
      const { page } = await openPage('voice', { ...looks, handlers: createVoiceHost().handlers });
      await heading(page);
      return page;
    },
    'voice-upload': async () => {
      const { page } = await openPage('voiceUpload', { ...looks, handlers: createVoiceUploadHost().handlers });
      await heading(page);
      return page;
    },
    'model-check': async () => {
      const { handlers } = createModelCheckHost(checked);
      const { page } = await openPage('modelCheck', { ...looks, handlers });
      await heading(page);
      return page;
    },
  };

  for (const [name, open] of Object.entries(pages)) {
    it(`has no clipped or unreachable text: ${name}`, async () => {
      const page = await open();
      await look(page, `chinese-${name}`, {
        except: '.picture-room, .details-id-title',
        stays: name.startsWith('chat'),
      });
    });
  }
});

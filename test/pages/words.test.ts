import { deepEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { emptyImageForm } from '../../src/protocol/imageForm';
import { callStates } from '../support/toolStates';
import { chatPages } from '../support/chatPages';
import { chatStates } from '../support/chatStates';
import { createCompareRunsHost } from '../support/compareRunsHost';
import { createCompletionHost } from '../support/completionHost';
import { createEvalResultsHost, unclearRun } from '../support/evalResultsHost';
import { createPreviewHost } from '../support/previewHost';
import { createResultsHost } from '../support/resultsHost';
import { createSubmitHost } from '../support/submitHost';
import { createVoiceHost } from '../support/voiceHost';
import { createVoiceUploadHost } from '../support/voiceUploadHost';
import { galleryPages } from '../support/galleryPages';
import { imageRun, shownTile, imageModels, lakePrompt } from '../support/imagesHost';
import { imagesPages } from '../support/imagesPages';
import { layoutFaults } from '../support/layoutFaults';
import { pseudoText } from '../support/pseudoText';
import { rerankPages } from '../support/rerankPages';
import { screenPages } from '../support/screenPages';
import { drawn } from '../support/takePicture';
import { videoJob } from '../support/videosHost';
import { videosPages } from '../support/videosPages';
import { foreignWords, undirectedBoxes } from '../support/wordsOfPage';

/** What is moved about in its frame. */
const except = '.table-frame, .comparison-frame';

const request = (id: string) =>
  JSON.stringify({ custom_id: id, body: { model: 'm', messages: [{ role: 'user', content: `Sort ${id}.` }] } });
const answer = (id: string) =>
  JSON.stringify({ custom_id: id, response: { body: { choices: [{ message: { role: 'assistant', content: id } }] } } });

describe('the texts of the pages', () => {
  const chat = chatPages(pseudoText);
  const images = imagesPages(pseudoText);
  const videos = videosPages(pseudoText);
  const gallery = galleryPages(pseudoText);
  const rerank = rerankPages(pseudoText);
  const open = screenPages(pseudoText);
  let files: string;
  before(() => {
    files = mkdtempSync(path.join(tmpdir(), 'words-'));
  });
  after(() => rmSync(files, { recursive: true }));

  const write = (name: string, line: (id: string) => string) => {
    const file = path.join(files, name);
    writeFileSync(file, ['one', 'two', 'three'].map((id) => `${line(id)}\n`).join(''));
    return file;
  };
  const source = () => ({
    input: { path: write('in.jsonl', request) },
    outputs: [write('out.jsonl', answer)],
    errors: [],
  });
  const head = { name: 'in.jsonl', facts: '3 requests', factsHint: '', phases: [], notices: [], faults: [] };
  interface Looks {
    readonly theme: 'dark';
    readonly width: number;
    readonly height: number;
  }
  const pages: Readonly<Record<string, (looks: Looks) => Promise<{ readonly page: Page }>>> = {
    images: (looks) =>
      images({
        ...looks,
        page: {
          runs: [imageRun('new', [shownTile('new.0.0')])],
          form: { ...emptyImageForm, model: imageModels[2], prompt: lakePrompt, isSeveral: true },
        },
      }),
    videos: (looks) => videos({ ...looks, page: { jobs: [videoJob({ id: 'one' })] } }),
    gallery,
    rerank,
    completion: (looks) => open('completion', { ...looks, handlers: createCompletionHost({}).handlers }),
    submit: (looks) => open('batchSubmit', { ...looks, handlers: createSubmitHost({}).handlers }),
    voice: (looks) => open('voice', { ...looks, handlers: createVoiceHost({}).handlers }),
    voiceUpload: (looks) => open('voiceUpload', { ...looks, handlers: createVoiceUploadHost({}).handlers }),
    preview: (looks) => {
      const ours = createPreviewHost(write('in.jsonl', request));
      return open('batchPreview', { ...looks, handlers: ours.handlers }, () => ours.close());
    },
    results: (looks) => {
      const ours = createResultsHost(source(), head);
      return open('batchResults', { ...looks, handlers: ours.handlers }, () => ours.close());
    },
    evalResults: (looks) => open('evalResults', { ...looks, handlers: createEvalResultsHost(unclearRun).handlers }),
    compare: (looks) => {
      const ours = createCompareRunsHost(source(), source());
      return open('batchCompare', { ...looks, handlers: ours.handlers }, () => ours.close());
    },
    ...Object.fromEntries(
      Object.entries({ ...chatStates, ...callStates }).flatMap(([name, snapshot]) =>
        // Other contents of an answer, and no other words of the page.
        snapshot === 'never' || name === 'formulas' || name === 'foreign'
          ? []
          : [[`chat ${name}`, (looks: Looks) => chat(snapshot, looks)] as const],
      ),
    ),
  };

  for (const [name, show] of Object.entries(pages)) {
    it(`are translatable, and fit when longer: ${name}`, async () => {
      const { page } = await show({ theme: 'dark', width: 220, height: 900 });
      await page.getByText('⟦').filter({ visible: true }).first().waitFor();
      for (const width of [220, 1400]) {
        await page.setViewportSize({ width, height: 900 });
        await drawn(page);
        const boxes = await undirectedBoxes(page);
        const cut = await layoutFaults(page, { except });
        deepEqual({ width, boxes, foreign: await foreignWords(page), cut }, { width, boxes: [], foreign: [], cut: [] });
      }
    });
  }
});

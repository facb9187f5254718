import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { chooseModel } from '../../src/core/catalogue/jobs';
import { RerankWindow } from '../../src/features/rerank/page/rerankWindow';
import { ImagesController } from '../../src/features/images/imagesController';
import { ImageRuns } from '../../src/features/images/runs/imageRuns';
import { toModelTreeItem } from '../../src/features/models/modelItem';
import { createModelTree } from '../../src/features/models/modelTree';
import { VideosController } from '../../src/features/videos/videosController';
import { emptyImageForm } from '../../src/protocol/imageForm';
import { emptyVideoForm } from '../../src/protocol/videoForm';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, signInAnew } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import type { OtherService } from '../support/otherServices/loopbackService';
import { startOpenAiService } from '../support/otherServices/openAiService';

const painter = 'black-forest-labs/FLUX.2-pro';
const filmer = 'Wan-AI/Wan2.2-I2V-A14B';

describe('the models of two accounts', function () {
  this.timeout(60_000);
  let services: Services;
  let demo: FilledDemo;
  let openAi: OtherService;

  before(async () => {
    services = await deskServices();
    [demo, openAi] = await Promise.all([startFilledDemo({ pace: 'instant' }), startOpenAiService()]);
    await signInAnew(services, 'public', demo);
    const { profiles } = services;
    await profiles.save({ id: 'other', name: 'Other', baseUrl: openAi.baseUrl });
    await profiles.storeKey('other', openAi.key);
  });
  after(async () => {
    await beginAnew(services);
    await Promise.all([demo.close(), openAi.close()]);
  });

  const use = async (id: 'public' | 'other') => {
    await services.profiles.setActive(id);
    await services.models.ready();
    await services.models.refresh();
  };

  it('are asked for once where there are no filters, and grouped by their names', async () => {
    await use('other');
    const { state } = services.models;
    equal(state.error, undefined);
    equal(openAi.asked.filter((one) => one.path === '/v1/models').length, 1);
    const tree = createModelTree(state, '');
    deepEqual(
      tree.roots.map(({ key, count }) => [key, count]),
      [
        ['chat', 2],
        ['embedding', 1],
        ['text-to-image', 1],
        ['type:text', 1],
        ['type:audio', 1],
      ],
    );
    const tooltipOf = (id: string) => {
      const node = tree.find(id);
      const { tooltip } = (node && toModelTreeItem(node)) ?? {};
      ok(tooltip instanceof vscode.MarkdownString);
      return tooltip.value.replaceAll('&nbsp;', ' ');
    };
    match(tooltipOf('o4-mini'), /Context[^]*tokens[^]*Tools[^]*yes[^]*Image input[^]*yes[^]*Reasoning[^]*yes/);
    match(tooltipOf('o4-mini'), /Its name suggests its use/);
    equal(chooseModel('completion', state), 'gpt-3.5-turbo-instruct');
    equal(chooseModel('rerank', state), undefined);
    await use('public');
    match(String(services.models.state.models.find(({ id }) => id === painter)?.subTypes), /text-to-image/);
  });

  it('are remembered by the pages of images and videos, each account its own', async () => {
    await use('public');
    const { workspaceState } = services.context;
    for (const key of ['images.modelByAccount', 'videos.modelByAccount']) await workspaceState.update(key, undefined);
    // As an earlier version wrote them.
    const image = { ...emptyImageForm, model: painter, prompt: 'a lake' };
    await workspaceState.update('images.form', { form: image, filled: 1 });
    const video = { ...emptyVideoForm, model: filmer, prompt: 'a boat' };
    await workspaceState.update('videos.form', { id: 'earlier', form: video });
    const runs = new ImageRuns(services);
    const images = new ImagesController(services, runs, (file) => file);
    const videos = new VideosController(services);
    try {
      deepEqual([images.typed, videos.form], [image, video]);
      const before = images.page().filled;
      await use('other');
      deepEqual([images.typed.model, images.typed.prompt], ['', 'a lake']);
      ok(images.page().filled > before);
      equal(images.page().preferred, 'gpt-image-1');
      deepEqual([videos.form.model, videos.form.prompt], ['', 'a boat']);
      images.fill({ model: 'gpt-image-1', prompt: 'a lake' });
      await use('public');
      deepEqual([images.typed.model, images.typed.prompt], [painter, 'a lake']);
      deepEqual([videos.form.model, videos.form.prompt], [filmer, 'a boat']);
      await use('other');
      equal(images.typed.model, 'gpt-image-1');
    } finally {
      images.dispose();
      videos.dispose();
      runs.dispose();
    }
    // A window that opens with another account than the form was left with.
    await use('public');
    const again = new ImageRuns(services);
    const reopened = new ImagesController(services, again, (file) => file);
    deepEqual([reopened.typed.model, reopened.typed.prompt], [painter, 'a lake']);
    reopened.dispose();
    again.dispose();
  });

  it('are remembered by the page that ranks, from an earlier version too', async () => {
    await use('public');
    const { workspaceState } = services.context;
    await workspaceState.update('rerank.modelByAccount', undefined);
    await workspaceState.update('rerank.model', 'Qwen/Qwen3-Reranker-8B');
    const folder = mkdtempSync(path.join(tmpdir(), 'rerank-'));
    const window = new RerankWindow(services, folder);
    try {
      equal(window.models().preferred, 'Qwen/Qwen3-Reranker-8B');
      await window.useModel('BAAI/bge-reranker-v2-m3');
      equal(workspaceState.get('rerank.model'), undefined);
      await use('other');
      deepEqual([window.models().preferred, window.models().list], ['', []]);
      await use('public');
      equal(window.models().preferred, 'BAAI/bge-reranker-v2-m3');
    } finally {
      window.dispose();
      await workspaceState.update('rerank.modelByAccount', undefined);
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    }
  });
});

import { deepEqual, equal } from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BatchJob } from '../../src/core/jobs/batch/batchJob';
import type { DeskWindow } from '../host/window';
import { signInBy } from '../support/chatJourney';
import { startFilledDemo, type FilledDemo } from '../support/filledDemo';
import { type ForwardProxy, startForwardProxy } from '../support/forwardProxy';
import { inOrder } from '../support/inOrder';
import { killExtensionHosts } from '../support/killExtensionHosts';
import { startAnthropicService } from '../support/otherServices/anthropicService';
import type { OtherService } from '../support/otherServices/loopbackService';
import { startOpenRouterService } from '../support/otherServices/openRouterService';
import { createPrivateAuthority } from '../support/privateAuthority';
import { requestLine } from '../support/requestLine';
import { until } from '../support/until';

const requests = (count: number, model: string) =>
  `${Array.from({ length: count }, (_, index) => requestLine(`ticket-${index + 1}`, `Sort ticket ${index + 1}.`, { model })).join('\n')}\n`;

/** Services on the internet are reached at their own addresses, through a proxy that leads to servers on this machine. */
describe('inline batches and batches in several parts', function () {
  inOrder(this);
  let desk: DeskWindow;
  let proxy: ForwardProxy;
  let folder: string;
  let anthropic: OtherService;
  let openRouter: OtherService;
  let demo: FilledDemo;

  before(async function () {
    folder = mkdtempSync(path.join(tmpdir(), 'inline-'));
    const workspace = path.join(folder, 'workspace');
    const authority = await createPrivateAuthority();
    writeFileSync(path.join(folder, 'authority.pem'), authority.certificate);
    // Long enough for the window to be killed while the batch is in progress.
    anthropic = await startAnthropicService({ identity: await authority.issue(['api.anthropic.com']), batchMs: 8000 });
    openRouter = await startOpenRouterService({ identity: await authority.issue(['openrouter.ai']) });
    demo = await startFilledDemo({ pace: 'instant' });
    proxy = await startForwardProxy({
      routes: { 'api.anthropic.com:443': anthropic.port, 'openrouter.ai:443': openRouter.port },
    });
    desk = await this.openDesk({
      folder: workspace,
      env: { SSL_CERT_FILE: path.join(folder, 'authority.pem') },
      settings: { 'http.proxy': proxy.url.href, 'http.systemCertificatesNode': true, 'editor.minimap.enabled': false },
      size: { width: 1400, height: 950 },
    });
    writeFileSync(path.join(workspace, 'claude.jsonl'), requests(200, 'claude-haiku-4-5-20251001'));
    writeFileSync(path.join(workspace, 'router.jsonl'), requests(20, 'qwen/qwen3-8b'));
    writeFileSync(path.join(workspace, 'large.jsonl'), requests(5001, 'deepseek-ai/DeepSeek-V3'));
  });
  after(async () => {
    await desk?.close();
    await proxy?.close();
    await demo?.close();
    for (const service of [anthropic, openRouter]) await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const signIn = (at: string, name: string, key: string) => signInBy(desk, at, name, key);
  const records = (): readonly BatchJob[] =>
    globSync('**/inference-desk.inference-desk/jobs/*.json', { cwd: desk.server.dataFolder }).flatMap((name) => {
      try {
        return [JSON.parse(readFileSync(path.join(desk.server.dataFolder, name), 'utf8')) as BatchJob];
      } catch {
        return [];
      }
    });
  const jobOf = (file: string, is: (job: BatchJob) => boolean) =>
    until(
      () => records().find((job) => job.input?.path.endsWith(file) === true && is(job)),
      `the batch of ${file}`,
      240_000,
    );
  const openFile = async (name: string): Promise<void> => {
    await desk.command('View: Show Explorer');
    await desk.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first().dblclick();
    await desk.page.locator('.tab.active', { hasText: name }).waitFor();
  };
  const submit = async (file: string): Promise<void> => {
    await openFile(file);
    await desk.command('Inference Desk: Submit Batch…');
    await desk.editorPage.getByRole('heading', { name: `Submit ${file}` }).waitFor();
    await desk.editorPage
      .getByText(/No problems|in [\d,]+ requests/)
      .first()
      .waitFor();
    await desk.screenshot(`inline-review-${file.split('.')[0]}`);
    await desk.editorPage.locator('vscode-button', { hasText: 'Submit' }).locator('button').first().click();
  };

  it('submits 200 requests to Anthropic in one call, with results once after a kill', async () => {
    await signIn('Anthropic', 'Claude', anthropic.key);
    await submit('claude.jsonl');
    await jobOf('claude.jsonl', ({ stage }) => stage === 'running');
    await killExtensionHosts(desk);
    const { batch, fetched } = await jobOf('claude.jsonl', ({ stage }) => stage === 'ended');
    deepEqual([batch?.requestCounts, fetched?.output?.lines], [{ total: 200, completed: 200, failed: 0 }, 200]);
    equal(
      anthropic.asked.filter(({ method, path: to }) => method === 'POST' && to === '/v1/messages/batches').length,
      1,
    );
    await desk.openView('Batches');
    await desk.screenshot('inline-anthropic-batches');
  });

  it('reads OpenRouter results from the batch itself', async () => {
    await signIn('OpenRouter', 'Router', openRouter.key);
    await submit('router.jsonl');
    const { batch, fetched } = await jobOf('router.jsonl', ({ stage }) => stage === 'ended');
    deepEqual([batch?.requestCounts?.completed, fetched?.output?.lines], [20, 20]);
    await desk.editorPage.getByRole('button', { name: 'Open Results' }).click();
    await desk.editorPage.getByText('ticket-1').first().waitFor();
    await desk.screenshot('inline-openrouter-results');
  });

  it('submits 5,001 requests as two parts of one run', async function () {
    // The service answers all of them.
    this.timeout(300_000);
    await signIn(demo.baseUrl, 'Parts', demo.apiKey);
    await submit('large.jsonl');
    const { parts = [] } = await jobOf('large.jsonl', ({ stage }) => stage === 'running');
    deepEqual(
      parts.map((part) => part.requests),
      [5000, 1],
    );
    await desk.screenshot('inline-parts-submitted');
    const { batch, fetched } = await jobOf('large.jsonl', ({ stage }) => stage === 'ended');
    deepEqual([batch?.requestCounts?.completed, fetched?.output?.lines], [5001, 5001]);
    await desk.editorPage.getByRole('button', { name: 'Open Results' }).click();
    await desk.editorPage.getByText('ticket-1').first().waitFor();
    await desk.screenshot('inline-parts-results');
  });

  it('logs no errors', () => {
    deepEqual(desk.faults, []);
  });
});

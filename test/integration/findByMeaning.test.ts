import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { openActiveAccount } from '../../src/services/models/activeAccount';
import type { UserError } from '../../src/platform/errors/userError';
import type { Services } from '../../src/services/services';
import { beginAnew, deskServices, ensureSettings, leaveQuickOpen } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { startHoldingService } from '../support/holdingService';
import type { HoldingService } from '../support/holdingService';
import { until } from '../support/until';

const run = 'inferenceDesk.findByMeaning.run';
interface Place {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly score: number;
  readonly text: string;
}
interface Seen {
  readonly path: string;
  readonly body: { readonly input?: readonly string[]; readonly documents?: readonly string[] };
}

describe('semantic search', function () {
  this.timeout(120_000);
  let services: Services;
  let demo: FilledDemo;
  let service: HoldingService;
  let folder: string;

  before(async () => {
    services = await deskServices();
    demo = await startFilledDemo();
    service = await startHoldingService(demo);
    await beginAnew(services);
    await services.profiles.save({ id: 'finding', name: 'Finding', baseUrl: service.baseUrl });
    await services.profiles.setActive('finding');
    await services.profiles.storeKey('finding', demo.apiKey);
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, 'find-'));
    await ensureSettings(services.settings, { 'findByMeaning.candidates': 'text' });
    service.hold(undefined);
    await demo.call('POST', '/_control/reset', {});
    await demo.call('POST', '/_control/pace', { pace: { workMs: 1 } });
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, maxRetries: 10 });
    await until(() => (services.activity.running.length === 0 ? true : undefined), 'the end of each search');
  });
  after(async () => {
    await services.settings.set('findByMeaning.candidates', 'auto');
    await services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 0 });
    await vscode.commands.executeCommand('notifications.clearAll');
    await beginAnew(services);
    await service.close();
    await demo.close();
  });

  const put = async (files: Readonly<Record<string, string | Uint8Array>>) => {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
  };
  const find = async (request: object) => {
    const found = await vscode.commands.executeCommand<Place[]>(run, { include: basename(folder), ...request });
    return found.map((place) => ({ ...place, path: place.uri.path.slice(folder.length + 1) }));
  };
  it('uses one account throughout, also after switching accounts', async () => {
    const { profiles, models } = services;
    await profiles.save({ id: 'next', name: 'Next', baseUrl: demo.baseUrl });
    await profiles.storeKey('next', demo.apiKey);
    let changes = 1;
    const changing = {
      ...models,
      ensureFresh: async () => {
        if (changes-- > 0) await profiles.setActive('next');
        return models.ensureFresh();
      },
    };
    const opened = await openActiveAccount({ ...services, models: changing }, () => undefined);
    deepEqual([opened.profile.id, opened.catalogue.profileId], ['next', 'next']);
    const other = { next: 'finding', finding: 'next' } as const;
    const restless = {
      ...models,
      ensureFresh: async () => {
        await profiles.setActive(other[profiles.active!.id as 'next']);
        return models.ensureFresh();
      },
    };
    await rejects(
      openActiveAccount({ ...services, models: restless }, () => undefined),
      (error: UserError) => error.title === 'The account has changed',
    );
    await profiles.remove('next');
    await profiles.setActive('finding');
  });

  const seen = async (path: string) => {
    const { requests } = (await demo.call('GET', '/_control/requests')) as { readonly requests: readonly Seen[] };
    return requests.filter((request) => request.path.endsWith(path));
  };
  const sea = {
    'sea/waves.md': 'The lighthouse keeper counts the waves at night.\n',
    'sea/boats.md': 'Boats come home past the lighthouse, and the keeper waves.\nA keeper of the lighthouse.\n',
    'land/trees.md': 'Trees grow slowly on a hill.\n',
  };

  it('returns ranked file locations and the query to other extensions', async () => {
    await put({
      ...sea,
      '.gitignore': 'out/\n',
      'out/made.md': 'lighthouse keeper',
      'x.bin': new Uint8Array([0, 1, 2]),
    });
    const found = await find({ query: 'Who is the keeper of the lighthouse?' });
    deepEqual(found.map(({ path }) => path).toSorted(), ['sea/boats.md', 'sea/waves.md']);
    const [best, other] = found;
    ok(best!.score >= other!.score && best!.score <= 1);
    const boats = found.find(({ path }) => path === 'sea/boats.md');
    ok(boats?.range instanceof vscode.Range && boats.uri instanceof vscode.Uri);
    deepEqual([boats.range.start.line, boats.range.end.line, boats.text], [0, 1, sea['sea/boats.md'].trim()]);
    const [sent, ...more] = await seen('/rerank');
    equal(more.length, 0);
    match(sent!.body.documents!.join('\n'), /sea\/boats\.md\nBoats come/);
    deepEqual(await seen('/embeddings'), []);
  });

  it('applies the include, exclude, and limit options', async () => {
    await put(sea);
    const name = basename(folder);
    const paths = async (request: object) => (await find(request)).map(({ path }) => path);
    deepEqual(await paths({ query: 'lighthouse', exclude: 'boats.md' }), ['sea/waves.md']);
    deepEqual(await paths({ query: 'lighthouse', include: `${name}/land` }), []);
    equal((await paths({ query: 'lighthouse', limit: 1 })).length, 1);
  });

  it("doesn't read or send secret files", async () => {
    const key = 'lighthouse keeper SECRET=4711\n';
    await put({ ...sea, '.env': key, 'deploy/.env.local': key, 'deploy/server.pem': key, 'secrets.json': key });
    for (const by of ['text', 'embeddings'] as const) {
      await services.settings.set('findByMeaning.candidates', by);
      const found = await find({ query: 'the keeper of the lighthouse' });
      ok(found.length > 0 && found.every(({ path }) => !/env|pem|secrets/.test(path)));
    }
    const sent = [...(await seen('/rerank')), ...(await seen('/embeddings'))];
    ok(sent.length >= 3 && !JSON.stringify(sent).includes('4711'));
  });

  it("doesn't follow links out of the workspace or to secret files", async () => {
    const outside = await mkdtemp(join(tmpdir(), 'find-'));
    const far = 'lighthouse keeper FAR=4712\n';
    try {
      await writeFile(join(outside, 'passwd'), far);
      await put({ ...sea, '.env': 'lighthouse keeper SECRET=4711\n' });
      await symlink(join(outside, 'passwd'), join(folder, 'notes.txt'));
      await symlink(join(folder, '.env'), join(folder, 'more.txt'));
      await symlink(outside, join(folder, 'linked'));
      await symlink(join(folder, 'sea/waves.md'), join(folder, 'within.md'));
      const { document } = await vscode.window.showTextDocument(vscode.Uri.file(join(folder, 'notes.txt')));
      equal(document.getText(), far);
      for (const by of ['text', 'embeddings'] as const) {
        await services.settings.set('findByMeaning.candidates', by);
        const paths = (await find({ query: 'the keeper of the lighthouse' })).map(({ path }) => path);
        ok(paths.includes('within.md') && paths.includes('sea/boats.md'));
        deepEqual(
          paths.filter((path) => /notes|more|linked/.test(path)),
          [],
        );
      }
      const sent = [...(await seen('/rerank')), ...(await seen('/embeddings'))];
      ok(sent.length >= 3 && !/4711|4712/.test(JSON.stringify(sent)));
    } finally {
      await rm(outside, { recursive: true });
    }
  });

  it('handles patterns with many wildcards quickly', async () => {
    const long = `${'a'.repeat(200)}.md`;
    await put({ ...sea, [long]: 'lighthouse', [`${long}b`]: 'lighthouse' });
    let longest = 0;
    let last = performance.now();
    const ticking = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    try {
      const stars = `${basename(folder)}/*a*a*a*a*a*a*b`;
      deepEqual(
        (await find({ query: 'lighthouse', include: stars })).map(({ path }) => path),
        [`${long}b`],
      );
      const others = (await find({ query: 'lighthouse', exclude: `**/*a*a*a*a*a*a*b` })).map(({ path }) => path);
      ok(others.includes(long) && !others.includes(`${long}b`));
    } finally {
      clearInterval(ticking);
    }
    ok(longest < 2000, `nothing else was done for ${longest} ms`);
    await rejects(find({ query: 'lighthouse', include: 'a'.repeat(500) }), /more than 400 characters/);
  });

  it('explains invalid input', async () => {
    for (const wrong of [
      undefined,
      {},
      { query: '' },
      { query: ' ' },
      { query: 'x', limit: 0 },
      { query: 'x', more: 1 },
      { query: 'x', signal: {} },
    ]) {
      await rejects(Promise.resolve(vscode.commands.executeCommand(run, wrong)), /inferenceDesk\.findByMeaning\.run: /);
    }
  });

  it('returns no results for an empty workspace', async () => {
    deepEqual(await find({ query: 'lighthouse' }), []);
    await put({ 'x.bin': new Uint8Array([0, 1, 2]), 'blank.txt': '\n\n' });
    deepEqual(await find({ query: 'lighthouse' }), []);
    deepEqual(await seen('/rerank'), []);
  });

  it('ranks up to 100 locations in a file of 50,000 lines', async () => {
    await put({ 'long.txt': Array.from({ length: 50_000 }, (_, line) => `lighthouse ${line}`).join('\n') });
    const found = await find({ query: 'lighthouse 4242', limit: 100 });
    equal(found.length, 100);
    const requests = await seen('/rerank');
    deepEqual(
      requests.map(({ body }) => body.documents?.length),
      [25, 25, 25, 25],
    );
    ok(found[0]!.text.includes('lighthouse 4242\n'));
  });

  it('creates embeddings once, and later only for changes', async () => {
    await services.settings.set('findByMeaning.candidates', 'embeddings');
    await put(sea);
    const found = await find({ query: 'lighthouse keeper' });
    deepEqual(found.at(-1)?.path, 'land/trees.md');
    const inputs = async () => (await seen('/embeddings')).map(({ body }) => body.input?.length);
    deepEqual(await inputs(), [1, 3]);
    await demo.call('POST', '/_control/reset', {});
    await find({ query: 'lighthouse keeper' });
    deepEqual(await inputs(), [1]);
    await put({ 'sea/waves.md': 'All is calm.\n' });
    await find({ query: 'lighthouse keeper' });
    deepEqual(await inputs(), [1, 1, 1]);
    match((await seen('/embeddings')).at(-1)!.body.input!.join(), /waves\.md\nAll is calm\.$/);
  });

  it('creates no embeddings of a large workspace without confirmation', async () => {
    await services.settings.set('findByMeaning.candidates', 'embeddings');
    const many = Array.from({ length: 201 }, (_, index) => [
      `f${index}.txt`,
      index === 7 ? 'lighthouse' : `file ${index}`,
    ]);
    await put(Object.fromEntries(many));
    deepEqual(
      (await find({ query: 'lighthouse' })).map(({ path }) => path),
      ['f7.txt'],
    );
    equal((await seen('/embeddings')).length, 1);
  });

  it('keeps the order of candidates if the reranker fails, and explains missing results', async () => {
    await put(sea);
    await demo.call('POST', '/_control/arm', { fault: 'balance-403', endpoint: 'POST /rerank', times: 5 });
    const found = await find({ query: 'lighthouse keeper' });
    deepEqual(found.length, 2);
    ok(found[0]!.score >= found[1]!.score);
    await services.settings.set('findByMeaning.candidates', 'embeddings');
    await demo.call('POST', '/_control/arm', { fault: 'balance-403', endpoint: 'POST /embeddings', times: 5 });
    await rejects(find({ query: 'lighthouse keeper' }), /balance/i);
  });

  it('counts tokens, and sends no requests after the budget is used', async () => {
    await put(sea);
    const usage = await services.usage();
    const used = async () => (await usage.today('finding')).inputTokens;
    const before = await used();
    await find({ query: 'lighthouse' });
    await until(async () => ((await used()) > before ? true : undefined), 'what was used');
    await services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 1 });
    const count = (await seen('/rerank')).length;
    equal((await find({ query: 'lighthouse' })).length, 2);
    equal((await seen('/rerank')).length, count);
    await services.settings.set('findByMeaning.candidates', 'embeddings');
    await rejects(find({ query: 'lighthouse' }), /Daily token limit reached/);
    await services.settings.set('chat.dailyTokenBudget', { soft: 0, hard: 0 });
  });

  it('cancels its requests when stopped, at each step', async () => {
    await put(sea);
    const before = new AbortController();
    before.abort();
    await rejects(find({ query: 'lighthouse', signal: before.signal }), { name: 'AbortError' });
    for (const [path, by] of [
      ['/embeddings', 'embeddings'],
      ['/rerank', 'text'],
    ] as const) {
      await services.settings.set('findByMeaning.candidates', by);
      service.hold(path);
      const stopping = new AbortController();
      const running = find({ query: 'lighthouse', signal: stopping.signal });
      running.catch(() => undefined);
      await until(() => (service.held > 0 ? true : undefined), `a request to ${path}`);
      stopping.abort();
      await rejects(running);
      await until(() => (service.held === 0 ? true : undefined), 'the end of the request');
    }
  });

  it('shows unranked results again without a request, and ranks them on request', async () => {
    await put(sea);
    await demo.call('POST', '/_control/arm', { fault: 'balance-403', endpoint: 'POST /rerank', times: 1 });
    const idle = () =>
      until(() => (services.activity.running.length === 0 ? true : undefined), 'the end of the search');
    const sent = async () => (await seen('/rerank')).length;
    const editor = (command: string) => vscode.commands.executeCommand(`workbench.action.${command}`);
    const question = `lighthouse of ${basename(folder)}`;
    const first = vscode.commands.executeCommand('inferenceDesk.findByMeaning', question);
    await until(async () => ((await sent()) === 1 ? true : undefined), 'the ranking');
    await idle();
    await leaveQuickOpen(first);
    const again = vscode.commands.executeCommand('inferenceDesk.findByMeaning', question);
    await until(async () => {
      await editor('quickOpenSelectNext');
      await editor('acceptSelectedQuickOpenItem');
      return (await sent()) === 2 ? true : undefined;
    }, 'another ranking');
    await idle();
    await leaveQuickOpen(again);
  });

  it('explains what to do without an account', async () => {
    await services.profiles.signOut('finding');
    await rejects(find({ query: 'lighthouse' }), /[Ss]ign in/);
    await services.profiles.storeKey('finding', demo.apiKey);
  });
});

import { deepEqual, doesNotMatch, equal, match, ok, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '../../src/services';
import { describe as words } from '../../src/platform/reportError';
import { writeBatchFile } from '../support/batchEngines';
import { beginAnew, deskServices, signInAnew, until } from '../support/deskServices';
import { startFilledDemo } from '../support/filledDemo';
import type { FilledDemo } from '../support/filledDemo';
import { mountSmallDisk } from '../support/fullDisk';
import type { SmallDisk } from '../support/fullDisk';
import { imageOrder } from '../support/mediaEngines';
import { setUpFolder } from '../support/temporaryFolder';

describe('a disk that takes nothing', function () {
  this.timeout(60_000);
  let services: Services;
  let demo: FilledDemo;
  let disk: SmallDisk | undefined;
  const folder = setUpFolder();
  beforeEach(async function () {
    disk = await mountSmallDisk();
    if (!disk) this.skip();
    services = await deskServices();
    demo = await startFilledDemo({ pace: 'instant' });
    await signInAnew(services, 'mine', demo);
  });
  afterEach(async () => {
    if (!disk) return;
    for (const { id } of services.media.jobs) await services.media.forget(id);
    for (const { id } of services.batchJobs.jobs) await services.batchJobs.forget(id);
    await services.settings.set('media.folder', '');
    await services.settings.set('batch.resultsFolder', '');
    await beginAnew(services);
    await demo.close();
    await disk.remove();
  });

  it('is told of an image that goes to a full folder, which is saved elsewhere', async () => {
    ok(disk);
    const { media, settings } = services;
    await settings.set('media.folder', disk.folder);
    await disk.fill(0);
    const job = await media.whenEnded((await media.submit(imageOrder('A fjord'))).id);
    equal(job.trouble?.kind, 'savedElsewhere');
    match(job.trouble.message, /No space left on the disk\. .*Free some space, then try again\.$/);
    doesNotMatch(job.trouble.message, /ENOSPC|mistake/);
    equal(job.results?.length, 1);
  });

  it('is told of the results of a batch that go to a full folder, and are saved elsewhere', async () => {
    ok(disk);
    const { batchJobs, settings } = services;
    await settings.set('batch.resultsFolder', disk.folder);
    await disk.fill(0);
    const path = await writeBatchFile(folder.path(), 3);
    const { id } = await batchJobs.submit({ path, completion_window: '24h' });
    const found = () => batchJobs.jobs.find((job) => job.id === id && job.stage === 'ended');
    await until(batchJobs.onDidChange, () => found() !== undefined);
    const { trouble } = found() ?? {};
    equal(trouble?.kind, 'savedElsewhere');
    match(trouble.message, /No space left on the disk\. .*Free some space, then try again\.$/);
    doesNotMatch(trouble.message, /ENOSPC|mistake/);
  });

  it('is told of a file that is saved to a read-only place', async () => {
    ok(disk);
    await disk.makeReadOnly();
    const uri = vscode.Uri.file(join(disk.folder, 'conversation.md'));
    await rejects(Promise.resolve(vscode.workspace.fs.writeFile(uri, Buffer.from('# Why?'))), (error: unknown) => {
      const { kind, title, detail } = words(error);
      deepEqual([kind, title], ['disk', 'The disk is read-only']);
      match(detail, /^“conversation\.md” was not written\./);
      return true;
    });
  });
});

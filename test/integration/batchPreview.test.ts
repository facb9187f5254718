import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Voice } from '../../src/core/api/voices/voices.schema';
import {
  createPreviews,
  openReader,
  PreviewController,
} from '../../src/features/batchEditor/preview/previewController';
import { createComparePages } from '../../src/features/batchResults/compare/compareController';
import { createResultsPages } from '../../src/features/batchResults/page/resultsController';
import { createOpenRuns } from '../../src/features/batchResults/run/openRuns';
import { createSubmitPages } from '../../src/features/batchSubmit/submitController';
import { createNotedVoices } from '../../src/features/voices/notedVoices';
import { VoicePanels } from '../../src/features/voices/page/voicePanels';
import { UploadPanels } from '../../src/features/voiceUpload/uploadPanels';
import type { Disposable } from '../../src/platform/disposables';
import { createRemoteList } from '../../src/services/lists/remoteList';
import { voiceNotesOf } from '../../src/services/voices/voiceNotes';
import { goToLine } from '../../src/platform/goToLine';
import { deskServices } from '../support/deskServices';
import { createPageEnd } from '../support/pageEnd';
import { until } from '../support/until';
import { requestLine as request } from '../support/requestLine';

describe('the preview of a batch file in the editor', function () {
  this.timeout(120_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'preview-'));
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  after(() => rmSync(folder, { recursive: true }));

  const write = (name: string, text: string) => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return vscode.Uri.file(file);
  };
  const previews = () =>
    vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ label }) => label.startsWith('Preview '));
  const script = () => {
    const extension = vscode.extensions.all.find(({ id }) => id.endsWith('inference-desk'));
    ok(extension);
    return vscode.Uri.joinPath(extension.extensionUri, 'dist', 'previewWorker.js');
  };

  it('has one tab per file, next to the file', async () => {
    const uri = write('a.jsonl', `${request('a')}\n`);
    const editor = await vscode.window.showTextDocument(uri);
    await vscode.commands.executeCommand('inferenceDesk.batchFile.preview');
    await until(() => previews()[0], 'the preview');
    await vscode.commands.executeCommand('inferenceDesk.batchFile.preview', uri);
    equal(previews().length, 1);
    equal(previews()[0]!.label, 'Preview a.jsonl');
    ok(previews()[0]!.group.viewColumn !== editor.viewColumn);
  });

  it('shows the number of visible lines if some are hidden', async () => {
    const uri = write('shown.jsonl', `${request('first')}\n${request('second')}\n`);
    const end = createPageEnd<'batchPreview'>();
    const shown = new PreviewController(await deskServices(), { panel: end.panel, id: 'shown' }, uri);
    try {
      await end.page.call('preview/load', { again: false });
      const all = { query: '', onlyProblems: false, sort: 'line', descending: false } as const;
      const said = async (query: string) => (await end.page.call('preview/arrange', { ...all, query })).text;
      deepEqual([await said(''), await said('Hello')], ['', '']);
      equal(await said('second'), '1 of 2 lines');
    } finally {
      shown.dispose();
    }
  });

  it('closes after a window reload if its file or run is unknown, like all such tabs', async () => {
    const services = await deskServices();
    const runs = createOpenRuns(services);
    const list = createRemoteList<Voice>({
      profiles: services.profiles,
      load: async () => ({ items: [], hasMore: false }),
    });
    const notes = createNotedVoices(async () => voiceNotesOf(services.context, services.log));
    const kinds: readonly (Disposable & { restore(panel: vscode.WebviewPanel, state: unknown): unknown })[] = [
      createPreviews(services),
      createSubmitPages(services),
      createResultsPages(services, runs),
      createComparePages(services, runs),
      new UploadPanels(services),
      new VoicePanels({ services, list, notes, refused: new Set(), refresh: async () => undefined }),
    ];
    for (const [index, panels] of kinds.entries()) {
      const ids = ['previewId', 'submitId', 'resultsId', 'compareId', 'pageId', 'uri'];
      // Any text may be the address of a voice.
      const unknown = ids[index] === 'uri' ? '' : '__proto__';
      for (const state of [undefined, null, 'previewId', {}, { [ids[index]!]: unknown }]) {
        const { panel } = createPageEnd<'batchPreview'>();
        let isClosed = false;
        panel.onDidDispose(() => (isClosed = true));
        await panels.restore(panel, state);
        ok(isClosed, `${ids[index]} ${JSON.stringify(state)}`);
      }
      panels.dispose();
    }
    for (const one of [runs, list, notes]) one.dispose();
  });

  it("shows the lines read by its worker, or why the file can't be read", async () => {
    const severities = { 'custom-id.duplicate': 'hint', 'file.no-final-newline': null } as const;
    const data = { severities, models: undefined, translations: undefined };
    const { fsPath } = write('b.jsonl', `${request('a')}\n${request('a')}`);
    const reader = openReader(script(), { path: fsPath, ...data });
    try {
      equal((await reader.call('load', {})).lines, 2);
      const { rows } = await reader.call('rows', { from: 1, count: 5 });
      equal(JSON.stringify(rows[0]?.problems), '{"error":0,"warning":0,"hint":1}');
    } finally {
      reader.dispose();
    }
    const none = openReader(script(), { path: path.join(folder, 'none.jsonl'), ...data });
    await rejects(none.call('load', {}), { title: 'The file no longer exists' });
    none.dispose();
    await rejects(none.call('rows', { from: 0, count: 1 }), vscode.CancellationError);
  });

  it('goes to a line in the editor in which the file is open', async () => {
    const uri = write('c.jsonl', `${request('a')}\n`.repeat(50));
    const { viewColumn } = await vscode.window.showTextDocument(uri);
    await goToLine(uri, 41, vscode.ViewColumn.Two);
    const editor = vscode.window.activeTextEditor;
    equal(editor?.selection.active.line, 41);
    equal(editor?.viewColumn, viewColumn);
  });

  it("explains why it can't go to a line of a file that is too large or missing", async () => {
    const large = path.join(folder, 'large.jsonl');
    const handle = openSync(large, 'w');
    ftruncateSync(handle, 50 * 1024 * 1024 + 1);
    closeSync(handle);
    await rejects(goToLine(vscode.Uri.file(large), 0, undefined), /too large to open in an editor.*52.4 MB/);
    await rejects(goToLine(vscode.Uri.file(path.join(folder, 'gone.jsonl')), 0, undefined), /no longer exists/);
  });
});

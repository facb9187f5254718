import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import budget from '../../host/budget.json' with { type: 'json' };
import { deskServices, until } from '../../support/deskServices';
import { loadedScripts } from '../../support/loadedScripts';

interface Output {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
}

interface Metafile {
  readonly outputs: Readonly<Record<string, Output>>;
}

/**
 * Tests in this folder run before all others: here in a window where nothing has used the extension yet. It may be active: the editor
 * wakes it once it has started itself.
 */
describe('activation', () => {
  let scripts: readonly string[] = [];
  let folder = '';

  before(async () => {
    const extension = vscode.extensions.getExtension('inference-desk.inference-desk');
    assert.ok(extension);
    folder = extension.extensionPath;
    await extension.activate();
    scripts = loadedScripts(folder).filter((name) => name.startsWith('dist/') && !name.startsWith('dist/test/'));
  });

  it('loads neither undici nor a schema library', () => {
    assert.ok(scripts.includes('dist/extension.js'), scripts.join(', '));
    const { outputs } = JSON.parse(readFileSync(path.join(folder, 'dist/host.meta.json'), 'utf8')) as Metafile;
    // The features start with no more, in windows where there is an account.
    const desk = Object.keys(outputs).filter((script) => 'src/desk.ts' in outputs[script]!.inputs);
    const loaded = new Set([...scripts, ...desk]);
    for (const script of loaded)
      for (const { path: imported, kind } of outputs[script]?.imports ?? [])
        if (kind === 'import-statement') loaded.add(imported);
    const inputs = [...loaded].flatMap((script) =>
      Object.keys(outputs[script]?.inputs ?? { [`unknown: ${script}`]: 0 }),
    );
    assert.ok(inputs.includes('src/extension.ts') && inputs.length > 10);
    assert.deepEqual(
      inputs.filter((input) => /node_modules\/(undici|zod)\/|\.schema\.ts$|src\/demo\/|^unknown/.test(input)),
      [],
    );
  });

  it('stays within its budget of files and bytes', () => {
    const bytes = scripts.reduce((sum, script) => sum + statSync(path.join(folder, script)).size, 0);
    const found = `${scripts.length} files, ${bytes} bytes: ${scripts.join(', ')}`;
    assert.ok(scripts.length <= budget.activation.files, found);
    assert.ok(bytes <= budget.activation.bytes, found);
  });

  it('registers every command of the manifest', async () => {
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
      readonly contributes: { readonly commands: readonly { readonly command: string }[] };
    };
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      manifest.contributes.commands.map(({ command }) => command).filter((id) => !registered.has(id)),
      [],
    );
  });

  it('checks an open batch file while signed out', async () => {
    const content = '{"custom_id":"a","method":"GET","url":"/v1/chat/completions","body":{}}\n';
    const document = await vscode.workspace.openTextDocument({ language: 'jsonl', content });
    const isChecked = () => vscode.languages.getDiagnostics(document.uri).length > 0;
    await until(vscode.languages.onDidChangeDiagnostics, isChecked);
  });

  it('sends no request', async () => {
    const { exchanges } = await deskServices();
    assert.deepEqual(exchanges.recent, []);
  });

  it("leaves other extensions' fetch and the global dispatcher unchanged", () => {
    const replacing = scripts.filter((script) =>
      /globalThis(\.fetch|\[.fetch.\])\s*=[^=]|undici\.globalDispatcher|setGlobalDispatcher/.test(
        readFileSync(path.join(folder, script), 'utf8'),
      ),
    );
    assert.deepEqual(replacing, []);
  });
});

import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the editor these tests run in', () => {
  it('has the extension, built and of this version', () => {
    const extension = vscode.extensions.getExtension('inference-desk.inference-desk');
    assert.ok(extension);
    assert.equal(extension.extensionUri.fsPath, process.env['INFERENCE_DESK_ROOT']);
  });
});

import { join } from 'node:path';
import type * as vscode from 'vscode';
import { createVoiceNotes } from '../../core/voices/voiceNotes';
import type { VoiceNotes } from '../../core/voices/voiceNotes';
import { setAsideReporter } from '../../platform/errors/reportUnreadable';

/**
 * Creates access to the notes on voices, in the extension's storage, shared by all windows. Keeps nothing open, so create one wherever it
 * is needed.
 */
export function voiceNotesOf({ globalStorageUri }: vscode.ExtensionContext, log: vscode.LogOutputChannel): VoiceNotes {
  return createVoiceNotes(join(globalStorageUri.fsPath, 'voiceNotes'), setAsideReporter(log));
}

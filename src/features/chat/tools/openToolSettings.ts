import { join } from 'node:path';
import { env } from 'vscode';
import { createJsonFile } from '../../../core/storage/storedFile';
import { setAsideReporter } from '../../../platform/errors/reportUnreadable';
import type { Services } from '../../../services/services';
import type { EditorTools } from '../logic/toolAccess';
import { createToolSettings, readOwnToolFile, type ToolSettings } from '../logic/toolSettings';

/** Opens the tool settings over the extension's own storage. */
export function openToolSettings({ context, log }: Services, tools: EditorTools): ToolSettings {
  const path = join(context.globalStorageUri.fsPath, 'chat-tools.json');
  return createToolSettings(createJsonFile(path, readOwnToolFile, setAsideReporter(log)), tools, env.language);
}

import { join } from 'node:path';
import { setAsideReporter } from '../../../platform/errors/reportUnreadable';
import { createJsonFile } from '../../../core/storage/storedFile';
import type { Services } from '../../../services/services';
import { readOwnToolFile } from './ownToolFile';
import type { EditorTools } from './toolAccess';
import { createToolSettings } from './toolSettings';
import type { ToolSettings, ToolSettingsOptions } from './toolSettings';
import { toolTexts } from './toolTexts';

/** Opens the tool settings over the extension's own storage. */
export function openToolSettings(
  { context, log }: Services,
  tools: EditorTools,
  notTaken: ToolSettingsOptions['notTaken'],
): ToolSettings {
  const file = createJsonFile(
    join(context.globalStorageUri.fsPath, 'chat-tools.json'),
    readOwnToolFile,
    setAsideReporter(log),
  );
  return createToolSettings({ file, tools, notTaken, words: toolTexts() });
}

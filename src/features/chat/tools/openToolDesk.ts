import { join } from 'node:path';
import { setAsideTeller } from '../../../platform/tellUnreadable';
import { createJsonFile } from '../../../platform/jsonFile';
import type { Services } from '../../../services';
import { readOwnToolFile } from './ownToolFile';
import type { EditorTools } from './toolAccess';
import { createToolDesk } from './toolDesk';
import type { ToolDesk, ToolDeskOptions } from './toolDesk';
import { toolTexts } from './toolTexts';

/** The desk over the extension's own storage. */
export function openToolDesk(
  { context, log }: Pick<Services, 'context' | 'log'>,
  tools: EditorTools,
  notTaken: ToolDeskOptions['notTaken'],
): ToolDesk {
  const file = createJsonFile(
    join(context.globalStorageUri.fsPath, 'chat-tools.json'),
    readOwnToolFile,
    setAsideTeller(log),
  );
  return createToolDesk({ file, tools, notTaken, words: toolTexts() });
}

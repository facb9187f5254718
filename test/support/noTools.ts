import type { EditorTools } from '../../src/features/chat/logic/toolAccess';
import { createToolSettings } from '../../src/features/chat/logic/toolSettings';
import type { OwnToolFile, ToolSettings } from '../../src/features/chat/logic/toolSettings';

/** A window without tools, for tests about something else. */
export const noTools: EditorTools = {
  list: () => [],
  run: async (name) => ({ text: `Unknown tool: ${name}.`, isError: true }),
  mayRun: true,
  maxRounds: 25,
};

/** Creates tool settings in memory instead of on disk. */
export function createMemoryToolSettings(tools = noTools): ToolSettings {
  let saved: OwnToolFile | undefined;
  const file = {
    read: async () => saved,
    write: async (value: OwnToolFile) => void (saved = value),
    remove: async () => void (saved = undefined),
  };
  return createToolSettings(file, tools, 'en');
}

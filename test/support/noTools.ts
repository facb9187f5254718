import type { EditorTools } from '../../src/features/chat/tools/toolAccess';
import { createToolSettings } from '../../src/features/chat/tools/toolSettings';
import type { OwnToolFile, ToolMessages, ToolSettings } from '../../src/features/chat/tools/toolSettings';

/** A window without tools, for tests that are about something else. */
export const noTools: EditorTools = {
  list: () => [],
  run: async (name) => ({ text: `Unknown tool: ${name}.`, isError: true }),
  mayRun: true,
  maxRounds: 25,
};

/** English stand-ins: the host's own ask the editor for theirs. */
export const toolWords: ToolMessages = {
  ownGroup: 'Your tools',
  missingGroup: 'Gone',
  restricted: () => 'restricted',
  notTaken: (model) => `not taken by ${model}`,
  fault: (fault) => ('what' in fault ? `${fault.code} ${fault.what}` : fault.code),
  tooMany: (limit) => new Error(`more than ${limit}`),
  toolGone: () => new Error('toolGone'),
};

/** A desk over memory instead of disk. */
export function createMemoryToolSettings(tools = noTools): ToolSettings {
  let kept: OwnToolFile | undefined;
  const file = {
    read: async () => kept,
    write: async (value: OwnToolFile) => void (kept = value),
    remove: async () => void (kept = undefined),
  };
  return createToolSettings(file, tools, toolWords);
}

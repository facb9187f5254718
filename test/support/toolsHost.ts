import type { HandlersOf } from '../../src/protocol/call';
import type { Turn } from '../../src/protocol/chat';
import type { OwnToolForm, OwnToolIssue, toolCalls, ToolRow, ToolsState } from '../../src/protocol/chatTools';
import { withOffered } from '../../webview/screens/chat/tools/toolRows';

/** Returns a conversation without tools. */
export function emptyTools(changes: Partial<ToolsState> = {}): ToolsState {
  return { groups: [], offered: 0, limit: 128, choice: { type: 'unset', single: false }, ...changes };
}

export function toolRow(name: string, changes: Partial<ToolRow> = {}): ToolRow {
  return {
    id: name,
    name,
    label: name,
    description: `What ${name} does.`,
    schema: '{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}',
    offered: false,
    allowedAlways: false,
    ...changes,
  };
}

export interface ToolsHolder {
  readonly snapshot: { readonly turns: readonly Turn[] };
  tools: ToolsState;
  toolIssues: readonly OwnToolIssue[];
}

/** Returns the handlers of a conversation with the tools of `holder`. Calls `note` for each call. */
export function notedTools(
  note: (method: keyof typeof toolCalls, params: unknown) => void,
  holder: () => ToolsHolder,
): HandlersOf<typeof toolCalls> {
  const noted = (method: keyof typeof toolCalls, params: unknown, change: (tools: ToolsState) => ToolsState) => {
    note(method, params);
    holder().tools = change(holder().tools);
    return Promise.resolve(holder().tools);
  };
  return {
    'chat/tools': (params) => noted('chat/tools', params, (tools) => tools),
    'chat/offerTools': (params) =>
      noted('chat/offerTools', params, (tools) => withOffered(tools, new Set(params.ids), params.offered)),
    'chat/toolChoice': (params) => noted('chat/toolChoice', params, (tools) => ({ ...tools, choice: params.choice })),
    'chat/deleteOwnTool': (params) =>
      noted('chat/deleteOwnTool', params, (tools) => eachRow(tools, (row) => (row.name === params.name ? [] : [row]))),
    'chat/forbidTool': (params) =>
      noted('chat/forbidTool', params, (tools) =>
        eachRow(tools, (row) => [row.id === params.id ? { ...row, allowedAlways: false } : row]),
      ),
    'chat/checkOwnTool': async (params) => {
      note('chat/checkOwnTool', params);
      return { issues: holder().toolIssues };
    },
    'chat/saveOwnTool': async (params) => {
      note('chat/saveOwnTool', params);
      const { toolIssues, tools } = holder();
      if (toolIssues.length === 0) holder().tools = withOwn(tools, params.form, params.replaces);
      return { issues: toolIssues, tools: holder().tools };
    },
    'chat/answerToolCall': async (params) => {
      note('chat/answerToolCall', params);
      const turn = holder().snapshot.turns.find(({ id }) => id === params.turnId);
      if (!turn) throw new Error('There is no such turn.');
      return { turn };
    },
  };
}

function eachRow(tools: ToolsState, change: (row: ToolRow) => readonly ToolRow[]): ToolsState {
  return { ...tools, groups: tools.groups.map((group) => ({ ...group, tools: group.tools.flatMap(change) })) };
}

function withOwn(tools: ToolsState, form: OwnToolForm, replaces: string | undefined): ToolsState {
  const saved = eachRow(tools, (row) => (row.name === replaces ? [] : [row]));
  const row = toolRow(form.name, { ...form, offered: true });
  const [own, ...others] = saved.groups;
  const groups =
    own?.kind === 'own'
      ? [{ ...own, tools: [row, ...own.tools] }, ...others]
      : [{ id: 'own', kind: 'own' as const, label: 'Written by you', tools: [row] }, ...saved.groups];
  return withOffered({ ...saved, groups }, new Set(), true);
}

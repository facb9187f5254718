import { foldText, searchWords } from '../../../../src/protocol/formats';
import type { ToolGroup, ToolRow, ToolsState } from '../../../../src/protocol/chatTools';

/** Returns the tools that contain every word of the query, by group; all of a group whose label does. Leaves out empty groups. */
export function matchingGroups(groups: readonly ToolGroup[], query: string): readonly ToolGroup[] {
  const words = searchWords(query);
  const fits = (text: string) => words.every((word) => foldText(text).includes(word));
  return groups
    .map((group) => ({
      ...group,
      tools: group.tools.filter(({ name, label, description }) =>
        fits(`${group.label} ${name} ${label} ${description}`),
      ),
    }))
    .filter(({ tools }) => tools.length > 0);
}

/** Returns whether all, some, or none of a group's tools are selected. */
export function offeredOf(tools: readonly ToolRow[]): 'all' | 'some' | 'none' {
  const count = tools.filter(({ offered }) => offered).length;
  if (count === 0) return 'none';
  return count === tools.length ? 'all' : 'some';
}

/** Returns the state after offering these tools, or no longer offering them. */
export function withOffered(state: ToolsState, ids: ReadonlySet<string>, offered: boolean): ToolsState {
  const groups = state.groups.map((group) => ({
    ...group,
    tools: group.tools.map((tool) => (ids.has(tool.id) ? { ...tool, offered } : tool)),
  }));
  const isThere = ({ kind }: ToolGroup) => kind !== 'gone';
  const count = groups.filter(isThere).flatMap(({ tools }) => tools.filter((tool) => tool.offered)).length;
  return { ...state, groups, offered: count };
}

/** Formats JSON, escaping invisible characters and those that change the text direction. Text that is not JSON stays unchanged. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2).replace(unseen, escaped);
  } catch {
    return text;
  }
}

const unseen = /[\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

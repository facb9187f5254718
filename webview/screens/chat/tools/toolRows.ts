import type { ToolGroup, ToolRow, ToolsState } from '../../../../src/protocol/chatTools';

/** Groups with the tools in which every word of the query occurs; a group whose label has them is shown whole. Empty groups are left out. */
export function matchingGroups(groups: readonly ToolGroup[], query: string): readonly ToolGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  return groups
    .map((group) => ({
      ...group,
      tools: group.tools.filter(({ name, label, description }) =>
        fits(`${group.label} ${name} ${label} ${description}`),
      ),
    }))
    .filter(({ tools }) => tools.length > 0);
}

/** How much of a group is offered. */
export function offeredOf(tools: readonly ToolRow[]): 'all' | 'some' | 'none' {
  const count = tools.filter(({ offered }) => offered).length;
  if (count === 0) return 'none';
  return count === tools.length ? 'all' : 'some';
}

/** The state as it is once these tools are offered, or not any more. */
export function withOffered(state: ToolsState, ids: ReadonlySet<string>, offered: boolean): ToolsState {
  const groups = state.groups.map((group) => ({
    ...group,
    tools: group.tools.map((tool) => (ids.has(tool.id) ? { ...tool, offered } : tool)),
  }));
  const isThere = ({ kind }: ToolGroup) => kind !== 'gone';
  const count = groups.filter(isThere).flatMap(({ tools }) => tools.filter((tool) => tool.offered)).length;
  return { ...state, groups, offered: count };
}

/** JSON as it is read best, with characters that are not seen, or turn the direction of what is, by their escapes. Text that is no JSON is left as it is. */
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

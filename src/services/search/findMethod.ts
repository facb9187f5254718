import type { ExtensionContext } from 'vscode';
import type { FoundBy } from '../../core/search/find/finding';
import type { Settings } from '../../platform/settings';

const declinedKey = 'findByMeaning.byWords';

/** How candidates are found if the account has an embedding model; stored per workspace. */
export interface WayOfFinding {
  readonly by: FoundBy;
  /** Whether the user may choose, because no setting decides. */
  readonly isOpen: boolean;
  choose(by: FoundBy): Thenable<void>;
}

export function wayOfFinding(settings: Settings, { workspaceState }: ExtensionContext): WayOfFinding {
  const setting = settings.get('findByMeaning.candidates');
  const chosen = workspaceState.get(declinedKey) === true ? 'text' : 'embeddings';
  return {
    by: setting === 'auto' ? chosen : setting,
    isOpen: setting === 'auto',
    choose: (by) => workspaceState.update(declinedKey, by === 'text' ? true : undefined),
  };
}

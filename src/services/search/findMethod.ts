import type { ExtensionContext } from 'vscode';
import type { FoundBy } from '../../core/search/find/finding';
import type { Settings } from '../../platform/settings';

const declinedKey = 'findByMeaning.byWords';

/** What candidates are found by where the account has an embedding model; kept for each workspace. */
export interface WayOfFinding {
  readonly by: FoundBy;
  /** Whether a person may choose: a setting did not do it for them. */
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

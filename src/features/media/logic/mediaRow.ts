import type { UnreadableJob } from '../../../core/jobs/jobStore';
import { itemOfRow } from '../../../platform/listRow';
import type { Asset, MediaJob } from '../../../services/media/media';

/** A row of the view. */
export type MediaRow =
  | { readonly kind: 'job'; readonly key: string; readonly job: MediaJob }
  | { readonly kind: 'unreadable'; readonly key: string; readonly record: UnreadableJob }
  | { readonly kind: 'made'; readonly key: string; readonly asset: Asset }
  /** Link to the gallery if more files exist than are shown; `count` is the total. */
  | { readonly kind: 'all'; readonly key: string; readonly count: number };

/** Returns the row that a menu of the view passes; `undefined` for anything else. */
export function mediaRowOf(row: unknown): MediaRow | undefined {
  const item = itemOfRow(row);
  return typeof item === 'object' && item !== null && 'kind' in item && 'key' in item ? (item as MediaRow) : undefined;
}

import type { UnreadableJob } from '../../core/jobs/jobStore';
import { itemOfRow } from '../../platform/listRow';
import type { Asset, MediaJob } from '../../services/media/media';

/** A row of the view. */
export type MediaRow =
  | { readonly kind: 'job'; readonly key: string; readonly job: MediaJob }
  | { readonly kind: 'unreadable'; readonly key: string; readonly record: UnreadableJob }
  | { readonly kind: 'made'; readonly key: string; readonly asset: Asset }
  /** More was made than is shown; `count` is all of it. */
  | { readonly kind: 'all'; readonly key: string; readonly count: number };

/** What a menu of the view hands over; `undefined` for anything else. */
export function mediaRowOf(row: unknown): MediaRow | undefined {
  const item = itemOfRow(row);
  return typeof item === 'object' && item !== null && 'kind' in item && 'key' in item ? (item as MediaRow) : undefined;
}
